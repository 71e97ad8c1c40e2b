/* SPDX-License-Identifier: MIT */
/* Lists of texts.  They last until the process ends, so nothing frees them. */
#ifndef HIPSHIM_SRC_TOOL_LIST_H
#define HIPSHIM_SRC_TOOL_LIST_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

struct tool_list {
    char **items;
    size_t count;
};

/* Adds a copy; false with tool_fail() without memory. */
bool tool_list_add(struct tool_list *list, const char *text);

bool tool_list_has(const struct tool_list *list, const char *text);

/* For parsers of command lines: end the program without memory, or after a message. */
void tool_list_take(struct tool_list *list, const char *text, const struct argp_state *state);
/* Takes the names of --arch=NAME,..., each once; "none" is one of them. */
void tool_list_take_architectures(struct tool_list *list, char *names,
                                  const struct argp_state *state);

#endif
