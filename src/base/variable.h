/* SPDX-License-Identifier: MIT */
/* Variables of hipshim with a value that it cannot use. */
#ifndef HIPSHIM_SRC_BASE_VARIABLE_H
#define HIPSHIM_SRC_BASE_VARIABLE_H

#include <stdbool.h>

/*
 * Prints one line that the variable's value is not used, because it is not `wanted`; for each
 * variable once in a process, and for each library that holds this file.  Keeps errno.
 */
void hs_variable_refuse(const char *name, const char *value, const char *wanted);

/*
 * Whether a variable is switched on by "1", and not off by "0".  `unset` holds if it is not set,
 * is empty, or the process has raised privileges, and `odd` after a line about any other value.
 */
bool hs_variable_is_on(const char *name, bool unset, bool odd);

/*
 * The absolute path in a variable; NULL if it is not set or is empty, if the process has raised
 * privileges, and after a line about any other value.
 */
const char *hs_variable_path(const char *name);

#endif
