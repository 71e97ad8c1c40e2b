/* SPDX-License-Identifier: MIT */
/* Where the libraries are that hipshim preloads or names to other programs. */
#ifndef HIPSHIM_SRC_TOOL_PLACE_H
#define HIPSHIM_SRC_TOOL_PLACE_H

#include <stdbool.h>

#include "tool/tool.h"

/*
 * Writes the first directory for which `accepts` is true: `built` beside this program or one level
 * up, as in a build tree; `installed` as it lies from this program if the prefix was moved as a
 * whole; else `installed` itself, which is not checked.
 */
void tool_place_find(const char *built, const char *installed,
                     bool (*accepts)(const char *directory), char room[TOOL_PATH_ROOM]);

#endif
