/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_BASE_PROGRAM_H
#define HIPSHIM_SRC_BASE_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/* The part after the last slash. */
const char *hs_program_base(const char *path);

/* True for a regular file that may be executed; a directory has the x bit, too. */
bool hs_program_is_executable(const char *path);

/*
 * Looks for a program in the absolute directories of PATH; those that are
 * relative would depend on the current directory.
 */
bool hs_program_find(const char *name, char path[PATH_MAX]);

#endif
