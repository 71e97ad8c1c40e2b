/* SPDX-License-Identifier: MIT */
/* Functions, kinds and changes, for `hipshim abi` and other commands that name them. */
#ifndef HIPSHIM_SRC_TOOL_ABI_H
#define HIPSHIM_SRC_TOOL_ABI_H

#include <hipshim/hipshim.h>

#include <stdbool.h>

enum { TOOL_ABI_KINDS = 4 };
extern const char *const tool_abi_kind_words[TOOL_ABI_KINDS]; /* in JSON */

/* What happens to a call on the release with that index. */
hipshim_kind_t tool_abi_kind(const char *name, unsigned release);
/* True if the release itself has the function. */
bool tool_abi_has(const char *name, int release);

/* The change of that index, from 0. */
hipshim_change_t tool_abi_change(unsigned index);

#endif
