/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_PROGRAM_H
#define HIPSHIM_SRC_PROGRAM_H

/* Whether the path leads to a file that may be run: a directory may not, though it has that bit. */
int hs_program_is(const char *path);

#endif
