/* SPDX-License-Identifier: MIT */
/* Lists of texts.  They last until the process ends, so nothing frees them. */
#ifndef HIPSHIM_SRC_TOOL_LIST_H
#define HIPSHIM_SRC_TOOL_LIST_H

#include <argp.h>
#include <stdbool.h>

#include "base/words.h"

/* Adds a copy; false with tool_fail() without memory. */
bool tool_list_add(struct hs_words *list, const char *text);

bool tool_list_has(const struct hs_words *list, const char *text);

/* True if each text passes the check; stops at the first that does not. */
bool tool_list_all(const struct hs_words *list, bool (*holds)(const char *text));

/* For parsers of command lines: end the program without memory, or after a message. */
void tool_list_take(struct hs_words *list, const char *text, const struct argp_state *state);
/* Takes the names of --arch=NAME,..., each once; "none" is one of them. */
void tool_list_take_architectures(struct hs_words *list, char *names,
                                  const struct argp_state *state);

#endif
