/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_BASE_PATH_H
#define HIPSHIM_SRC_BASE_PATH_H

/* Whether the path leads to a file that may be run: a directory may not, though it has that bit. */
int hs_path_is_executable(const char *path);

#endif
