/* SPDX-License-Identifier: MIT */
/* `hipshim abi` for people. */
#include <stdio.h>

#include "tool/abi/abi.h"
#include "tool/release_text.h"

static void write_list(const struct tool_abi_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char since[TOOL_RELEASE_TEXT];
        const unsigned *releases = rows[i].releases;
        printf("%-52s since %-10s direct on %2u, converted %2u, emulated %2u, missing %2u\n",
               rows[i].name, tool_release_text(since, rows[i].since), releases[HIPSHIM_KIND_DIRECT],
               releases[HIPSHIM_KIND_CONVERTED], releases[HIPSHIM_KIND_EMULATED],
               releases[HIPSHIM_KIND_MISSING]);
    }
}

static void write_changes(const hipshim_change_t *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[TOOL_RELEASE_TEXT];
        printf("  changed in %s: %s\n", tool_release_text(text, changes[i].api_set),
               changes[i].text);
    }
}

/* One line for each run of releases that are alike. */
static void write_function(const struct tool_abi_function *function)
{
    static const char *const texts[TOOL_ABI_KINDS] = {
        [HIPSHIM_KIND_DIRECT] = "the runtime's own function",
        [HIPSHIM_KIND_CONVERTED] = "arguments converted",
        [HIPSHIM_KIND_EMULATED] = "answered by hipshim",
        [HIPSHIM_KIND_MISSING] = "missing",
    };
    printf("%s\n", function->name);
    for (unsigned first = 0; first < function->release_count;) {
        hipshim_kind_t kind = function->kinds[first];
        unsigned last = first;
        while (last + 1 < function->release_count && function->kinds[last + 1] == kind) {
            last++;
        }
        char from[TOOL_RELEASE_TEXT], to[TOOL_RELEASE_TEXT];
        printf("  %-10s to %-10s  %s\n", tool_release_text(from, tool_release_at(first).release),
               tool_release_text(to, tool_release_at(last).release), texts[kind]);
        first = last + 1;
    }
    write_changes(function->changes, function->change_count);
}

static void write_names(char mark, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf("  %c %s\n", mark, names[i]);
    }
}

static void write_difference(const struct tool_abi_difference *difference)
{
    char from[TOOL_RELEASE_TEXT], to[TOOL_RELEASE_TEXT];
    printf("HIP %s to %s\n", tool_release_text(from, difference->from),
           tool_release_text(to, difference->to));
    write_names('+', difference->added, difference->added_count);
    write_names('-', difference->removed, difference->removed_count);
    for (size_t i = 0; i < difference->change_count; i++) {
        const hipshim_change_t *change = &difference->changes[i];
        printf("  * %s, in %s: %s\n", change->function, tool_release_text(from, change->api_set),
               change->text);
    }
}

const struct tool_abi_writer tool_abi_text = {write_list, write_function, write_difference};
