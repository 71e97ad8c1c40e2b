/* SPDX-License-Identifier: MIT */
/* The drop-in libraries, and where they and others are that hipshim names to programs. */
#ifndef HIPSHIM_SRC_TOOL_DROPINS_H
#define HIPSHIM_SRC_TOOL_DROPINS_H

#include <stdbool.h>
#include <stddef.h>

#include "tool/tool.h"

/* The libraries that a drop-in of HIP consists of: libamdhip64, then libhiprtc. */
enum { TOOL_DROPINS_STEMS = 2 };
extern const char *const tool_dropins_stems[TOOL_DROPINS_STEMS];

/* One drop-in library, whose file is STEM.so.NUMBER. */
struct tool_dropin {
    const char *api, *stem;
    unsigned number;
    const char *folder; /* below the directory of HIP's, with a slash; or empty */
    bool apart;         /* for programs that ask for it themselves: no command puts it before one */
};

/* Those of HIP first, and the newest of each stem first; generated, with a NULL at the end. */
enum { TOOL_DROPINS_ROOM = 128 };
extern const struct tool_dropin tool_dropins[];
extern const char tool_dropins_apis[]; /* their names, with commas between them */

/* The drop-in of a soname such as "libhiprtc.so.6", or NULL; never one that is `apart`. */
const struct tool_dropin *tool_dropins_find(const char *soname);

/*
 * Writes the directory of the drop-ins and returns it: that of HIPSHIM_DROPIN, or the one that
 * tool_dropins_place() finds.  Does not check that it exists.
 */
const char *tool_dropins_directory(char room[TOOL_PATH_ROOM]);

/* Writes the file of one drop-in.  False with tool_fail() if it is not there or is no drop-in. */
bool tool_dropins_library(const struct tool_dropin *dropin, char room[TOOL_PATH_ROOM]);

/*
 * Writes the directory with the libraries of the tree of one major, which have their names without
 * a number, too.  False if the name is too long; does not check that it exists.
 */
bool tool_dropins_tree(unsigned major, char room[TOOL_PATH_ROOM]);

/*
 * Writes the value of an environment variable, or else the first directory that has `file`: `built`
 * beside this program or one level up, as in a build tree; `installed` as it lies from this program
 * if the prefix was moved as a whole; else `installed` itself, which is not checked.
 */
void tool_dropins_place(const char *variable, const char *built, const char *installed,
                        const char *file, char room[TOOL_PATH_ROOM]);

#endif
