/* SPDX-License-Identifier: MIT */
/* Where the drop-in libraries are, for the commands that speak of them. */
#ifndef HIPSHIM_SRC_TOOL_DROPINS_H
#define HIPSHIM_SRC_TOOL_DROPINS_H

enum { TOOL_PATH_ROOM = 4096 };

/*
 * The directory of the drop-ins: what HIPSHIM_DROPIN names, else the one of the
 * build tree that this program was started from, else where make install puts
 * them.  Not looked at whether it is there.  Writes into `room` and returns it.
 */
const char *tool_dropins_directory(char room[TOOL_PATH_ROOM]);

/*
 * The file of one library, "libamdhip64" or "libhiprtc", of one major; 0, or
 * -1 with a line in `reason` if it is not there or is no drop-in.
 */
int tool_dropins_library(const char *stem, int major, char room[TOOL_PATH_ROOM], char *reason,
                        unsigned size);

#endif
