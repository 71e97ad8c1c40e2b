/* SPDX-License-Identifier: MIT */
/*
 * Options and variables by which a compiler of HIP reads more than its sources.
 */
#ifndef HIPSHIM_SRC_BASE_COMPILER_INPUTS_H
#define HIPSHIM_SRC_BASE_COMPILER_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sha256.h"

/*
 * True unless each option is known to name neither a file nor a directory.  An
 * option that is not known counts as one that does.
 */
bool hs_compiler_options_may_read(const char *const *options, size_t count);

/*
 * Adds the values of the variables that hiprtc, comgr, clang or lld read, and the
 * state of the files in directories of device libraries that they name.
 */
void hs_compiler_environment_add(struct hs_sha256 *sum);

/* True if a variable may make the compiler read files that hs_compiler_environment_add misses. */
bool hs_compiler_environment_may_read(void);

/* The options that variables add to every compilation, by number; NULL after the last. */
const char *hs_compiler_environment_options(size_t number);

#endif
