/* SPDX-License-Identifier: MIT */
/*
 * Records the state of files, so that a later process can tell whether one of
 * them was changed or replaced without reading it.
 */
#ifndef HIPSHIM_SRC_BASE_FILE_STAMP_H
#define HIPSHIM_SRC_BASE_FILE_STAMP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sha256.h"

/* Room for the line of any path. */
enum { HS_FILE_STAMP_ROOM = 4400 };

/*
 * Writes one line: the path, a tab, and device, inode, size, mtime and ctime of
 * the file that it leads to, or "absent".  Returns the length, or 0 for a path
 * that does not fit in a line.
 */
size_t hs_file_stamp_write(const char *path, char line[HS_FILE_STAMP_ROOM]);

/* Whether every file is still as its line says. */
bool hs_file_stamp_holds(const char *lines);

/* Adds the line of every file in the directory and below it, except files that begin with a dot.
 */
void hs_file_stamp_add_tree(struct hs_sha256 *sum, const char *directory);

#endif
