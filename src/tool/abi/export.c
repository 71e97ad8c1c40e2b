/* SPDX-License-Identifier: MIT */
/* `hipshim abi export`: all tables as JSON.  doc/abi-json.md describes the form. */
#include "tool/abi/abi.h"
#include "tool/json.h"
#include "tool/release_text.h"
#include "tool/tool.h"

/* Changes if a member gets another meaning or is removed, and not if one is added. */
enum { FORMAT = 1 };

/* Writes the releases in a row on which the function is the same. */
static void write_ranges(struct tool_json *json, const char *name)
{
    unsigned count = hipshim_release_count();

    for (unsigned from = 0, to; from < count; from = to) {
        hipshim_kind_t kind = tool_abi_kind(name, from);
        bool has = tool_abi_has(name, (int)from);

        for (to = from + 1;
             to < count && tool_abi_kind(name, to) == kind && tool_abi_has(name, (int)to) == has;) {
            to++;
        }
        tool_json_write(json, "{from:r to:r declared:b kind:s}", tool_release_at(from).release,
                        tool_release_at(to - 1).release, has, tool_abi_kind_words[kind]);
    }
}

void tool_abi_write_change(struct tool_json *json, const hipshim_change_t *change)
{
    tool_json_write(json, "{name:s release:r text:s}", change->function, change->api_set,
                    change->text);
}

int tool_abi_export(const void *request, char **arguments)
{
    struct tool_json json = {.stream = stdout};

    (void)request;
    (void)arguments;
    tool_json_write(&json, "{format:u releases:[", FORMAT);
    for (unsigned i = 0; i < hipshim_release_count(); i++) {
        hipshim_release_info_t info = tool_release_at(i);

        tool_json_write(&json, "{release:r api_set:r rocm:s}", info.release, info.api_set,
                        info.rocm);
    }
    tool_json_write(&json, "] functions:[");
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        tool_json_write(&json, "{name:s on:[", hipshim_function_name(i));
        write_ranges(&json, hipshim_function_name(i));
        tool_json_write(&json, "]}");
    }
    tool_json_write(&json, "] changes:[");
    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = tool_abi_change(i);

        tool_abi_write_change(&json, &change);
    }
    tool_json_write(&json, "]}");
    return TOOL_OK;
}
