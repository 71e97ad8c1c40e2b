/* SPDX-License-Identifier: MIT */
/* The names that the stable header has: functions, types, constants, macros; and those of CUDA. */
#ifndef HIPSHIM_SRC_TOOL_WORDS_H
#define HIPSHIM_SRC_TOOL_WORDS_H

#include <stddef.h>

/* In strcmp order; those that begin with "hip" only. */
extern const char *const tool_api_names[];
extern const size_t tool_api_name_count;

/*
 * CUDA's names and headers whose HIP names do not follow from them, from overrides.toml, with a
 * NULL at the end.  A name with "" has no equivalent: HIP's function of the name that the rule
 * gives does something else.
 */
struct tool_translation {
    const char *from, *to;
};
extern const struct tool_translation tool_api_translations[], tool_api_headers[];

#endif
