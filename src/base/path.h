/* SPDX-License-Identifier: MIT */
/* Functions for paths of the file system. */
#ifndef HIPSHIM_SRC_BASE_PATH_H
#define HIPSHIM_SRC_BASE_PATH_H

#include <stdbool.h>

enum { HS_PATH_NAME = 256 };

/* True if the path leads to a directory. */
bool hs_path_is_directory(const char *path);

/*
 * Lists the entries of `parent` whose names are `stem`, alone or before a version number or an
 * underscore, the newest version first, at most `room` of them.  "rocm-10.0" is newer than
 * "rocm-7.2".  Returns their number; 0 also if `parent` cannot be read.
 */
unsigned hs_path_newest(const char *parent, const char *stem, char (*names)[HS_PATH_NAME],
                        unsigned room);

#endif
