/* SPDX-License-Identifier: MIT */
/* The descriptions that `hipshim abi` makes, and the two writers that print them. */
#ifndef HIPSHIM_SRC_TOOL_ABI_H
#define HIPSHIM_SRC_TOOL_ABI_H

#include <hipshim/hipshim.h>

#include <stdbool.h>
#include <stddef.h>

enum { TOOL_ABI_KINDS = 4 };

/* One row of `list`: on how many releases the function is of each kind. */
struct tool_abi_row {
    const char *name;
    hipshim_release_t since;
    unsigned releases[TOOL_ABI_KINDS]; /* by hipshim_kind_t */
};

/* The answer of `show`. */
struct tool_abi_function {
    const char *name;
    hipshim_kind_t *kinds; /* by index of the release */
    unsigned release_count;
    hipshim_change_t *changes;
    size_t change_count;
};

/* The answer of `diff`. */
struct tool_abi_difference {
    hipshim_release_t from, to;
    const char **added, **removed;
    size_t added_count, removed_count;
    hipshim_change_t *changes;
    size_t change_count;
    bool is_breaking; /* for a program that was built for `from` */
};

struct tool_abi_writer {
    void (*list)(const struct tool_abi_row *rows, size_t count);
    void (*show)(const struct tool_abi_function *function);
    void (*diff)(const struct tool_abi_difference *difference);
};

extern const struct tool_abi_writer tool_abi_text, tool_abi_json;

/* What happens to a call on the release with that index. */
hipshim_kind_t tool_abi_kind(const char *name, unsigned release);
/* True if the release itself has the function. */
bool tool_abi_has(const char *name, int release);

extern const char *const tool_abi_kind_words[TOOL_ABI_KINDS]; /* in JSON */
struct tool_json;
void tool_abi_write_change(struct tool_json *json, const hipshim_change_t *change);

/* An action; see tool.h. */
int tool_abi_export(const void *request, char **arguments);

#endif
