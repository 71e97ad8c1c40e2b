/* SPDX-License-Identifier: MIT */
/* The names that the stable header has: functions, types, constants, macros. */
#ifndef HIPSHIM_SRC_TOOL_WORDS_H
#define HIPSHIM_SRC_TOOL_WORDS_H

#include <stddef.h>

/* In strcmp order; those that begin with "hip" only. */
extern const char *const tool_api_names[];
extern const size_t tool_api_name_count;

#endif
