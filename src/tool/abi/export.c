/* SPDX-License-Identifier: MIT */
/* `hipshim abi export`: all tables as JSON.  doc/abi-json.md describes the form. */
#include "tool/abi/abi.h"
#include "tool/json.h"
#include "tool/release_text.h"
#include "tool/tool.h"

/* Changes if a member gets another meaning or is removed, and not if one is added. */
enum { FORMAT = 1 };

static void write_release(struct tool_json *json, const char *key, hipshim_release_t release)
{
    char text[TOOL_RELEASE_TEXT];

    tool_json_text(json, key, tool_release_text(text, release));
}

static void write_releases(struct tool_json *json)
{
    tool_json_open(json, "releases", '[');
    for (unsigned i = 0; i < hipshim_release_count(); i++) {
        hipshim_release_info_t info = tool_release_at(i);

        tool_json_open(json, NULL, '{');
        write_release(json, "release", info.release);
        write_release(json, "api_set", info.api_set);
        tool_json_text(json, "rocm", info.rocm);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

/* Writes the releases in a row on which the function is the same. */
static void write_ranges(struct tool_json *json, const char *name)
{
    unsigned count = hipshim_release_count();

    tool_json_open(json, "on", '[');
    for (unsigned from = 0, to; from < count; from = to) {
        hipshim_kind_t kind = tool_abi_kind(name, from);
        bool has = tool_abi_has(name, (int)from);

        for (to = from + 1;
             to < count && tool_abi_kind(name, to) == kind && tool_abi_has(name, (int)to) == has;) {
            to++;
        }
        tool_json_open(json, NULL, '{');
        write_release(json, "from", tool_release_at(from).release);
        write_release(json, "to", tool_release_at(to - 1).release);
        tool_json_bool(json, "declared", has);
        tool_json_text(json, "kind", tool_abi_kind_words[kind]);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

static void write_functions(struct tool_json *json)
{
    tool_json_open(json, "functions", '[');
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        tool_json_open(json, NULL, '{');
        tool_json_text(json, "name", hipshim_function_name(i));
        write_ranges(json, hipshim_function_name(i));
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

static void write_changes(struct tool_json *json)
{
    tool_json_open(json, "changes", '[');
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = {.size = sizeof change};

        hipshim_change_info(i, &change);
        tool_abi_write_change(json, &change);
    }
    tool_json_close(json, ']');
}

int tool_abi_export(const void *request, char **arguments)
{
    struct tool_json json = {.stream = stdout};

    (void)request;
    (void)arguments;
    tool_json_open(&json, NULL, '{');
    tool_json_number(&json, "format", FORMAT);
    write_releases(&json);
    write_functions(&json);
    write_changes(&json);
    tool_json_close(&json, '}');
    return TOOL_OK;
}
