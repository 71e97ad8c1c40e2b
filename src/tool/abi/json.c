/* SPDX-License-Identifier: MIT */
/* `hipshim abi` for programs. */
#include "tool/json.h"
#include "tool/abi/abi.h"
#include "tool/release_text.h"

const char *const tool_abi_kind_words[TOOL_ABI_KINDS] = {
    [HIPSHIM_KIND_DIRECT] = "direct",
    [HIPSHIM_KIND_CONVERTED] = "converted",
    [HIPSHIM_KIND_EMULATED] = "emulated",
    [HIPSHIM_KIND_MISSING] = "missing",
};

static void write_list(const struct tool_abi_row *rows, size_t count)
{
    struct tool_json json = {.stream = stdout};
    tool_json_open(&json, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        char since[TOOL_RELEASE_TEXT];
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "name", rows[i].name);
        tool_json_text(&json, "since", tool_release_text(since, rows[i].since));
        for (unsigned kind = 0; kind < TOOL_ABI_KINDS; kind++) {
            tool_json_number(&json, tool_abi_kind_words[kind], rows[i].releases[kind]);
        }
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
}

static void write_function(const struct tool_abi_function *function)
{
    struct tool_json json = {.stream = stdout};
    char text[TOOL_RELEASE_TEXT];

    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "name", function->name);
    tool_json_open(&json, "releases", '[');
    for (unsigned i = 0; i < function->release_count; i++) {
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "release", tool_release_text(text, tool_release_at(i).release));
        tool_json_text(&json, "kind", tool_abi_kind_words[function->kinds[i]]);
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
    tool_json_open(&json, "changes", '[');
    for (size_t i = 0; i < function->change_count; i++) {
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "release", tool_release_text(text, function->changes[i].api_set));
        tool_json_text(&json, "text", function->changes[i].text);
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
    tool_json_close(&json, '}');
}

static void write_names(struct tool_json *json, const char *key, const char *const *names,
                        size_t count)
{
    tool_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        tool_json_text(json, NULL, names[i]);
    }
    tool_json_close(json, ']');
}

void tool_abi_write_change(struct tool_json *json, const hipshim_change_t *change)
{
    char text[TOOL_RELEASE_TEXT];

    tool_json_open(json, NULL, '{');
    tool_json_text(json, "name", change->function);
    tool_json_text(json, "release", tool_release_text(text, change->api_set));
    tool_json_text(json, "text", change->text);
    tool_json_close(json, '}');
}

static void write_difference(const struct tool_abi_difference *difference)
{
    struct tool_json json = {.stream = stdout};
    char text[TOOL_RELEASE_TEXT];

    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "from", tool_release_text(text, difference->from));
    tool_json_text(&json, "to", tool_release_text(text, difference->to));
    tool_json_bool(&json, "breaking", difference->is_breaking);
    write_names(&json, "added", difference->added, difference->added_count);
    write_names(&json, "removed", difference->removed, difference->removed_count);
    tool_json_open(&json, "changed", '[');
    for (size_t i = 0; i < difference->change_count; i++) {
        tool_abi_write_change(&json, &difference->changes[i]);
    }
    tool_json_close(&json, ']');
    tool_json_close(&json, '}');
}

const struct tool_abi_writer tool_abi_json = {write_list, write_function, write_difference};
