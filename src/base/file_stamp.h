/* SPDX-License-Identifier: MIT */
/*
 * Files as they are now, in words that can be kept and compared later.
 */
#ifndef HIPSHIM_SRC_BASE_FILE_STAMP_H
#define HIPSHIM_SRC_BASE_FILE_STAMP_H

#include <stddef.h>
#include <time.h>

/* Room for a line about any path, and for what follows the path. */
enum { HS_FILE_STAMP_ROOM = 4400, HS_FILE_STAMP_STATE = 128 };

/*
 * Writes one line with the path and what the file system says of the file it
 * leads to: another file, or the same one changed, gives another line.
 * `changed`, if not NULL, is when that was last, by the clock of the kernel; 0
 * of what is absent.  Returns the length, or -1 if the path does not fit a line.
 */
int hs_file_stamp_line(const char *path, struct timespec *changed, char *text, size_t room);

/* What follows the path and a tab in that line; its length. */
size_t hs_file_stamp_state(const char *path, struct timespec *changed, char text[HS_FILE_STAMP_STATE]);

/* Whether the first is before the second; a change at the same tick may come after a look. */
int hs_file_stamp_is_before(const struct timespec *changed, const struct timespec *moment);

#endif
