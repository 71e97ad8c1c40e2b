/* SPDX-License-Identifier: MIT */
#include "tool/dropins.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/dropin_note.h"

/* Where make install puts the drop-ins; said by make. */
#ifndef HIPSHIM_DROPIN_DIR
#define HIPSHIM_DROPIN_DIR "/usr/local/lib/hipshim/dropin"
#endif

/* This program in its build tree has them beside it, or one level up for libtool's .libs. */
static int find_beside(char room[TOOL_PATH_ROOM])
{
    static const char *const places[] = {"/dropin", "/../dropin"};
    char self[TOOL_PATH_ROOM];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;

    if (length <= 0) {
        return 0;
    }
    self[length] = '\0';
    slash = strrchr(self, '/');
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char library[TOOL_PATH_ROOM];

        if (snprintf(room, TOOL_PATH_ROOM, "%s%s", self, places[i]) < TOOL_PATH_ROOM &&
            snprintf(library, sizeof library, "%s/libamdhip64.so.6", room) < TOOL_PATH_ROOM &&
            access(library, R_OK) == 0) {
            return 1;
        }
    }
    return 0;
}

const char *tool_dropins_directory(char room[TOOL_PATH_ROOM])
{
    const char *named = getenv("HIPSHIM_DROPIN");

    if (named && *named) {
        snprintf(room, TOOL_PATH_ROOM, "%s", named);
    } else if (!find_beside(room)) {
        snprintf(room, TOOL_PATH_ROOM, "%s", HIPSHIM_DROPIN_DIR);
    }
    return room;
}

int tool_dropins_library(const char *stem, int major, char room[TOOL_PATH_ROOM], char *reason,
                        unsigned size)
{
    char directory[TOOL_PATH_ROOM];

    if (snprintf(room, TOOL_PATH_ROOM, "%s/%s.so.%d", tool_dropins_directory(directory), stem,
                 major) >= TOOL_PATH_ROOM) {
        snprintf(reason, size, "%s: the name is too long", directory);
        return -1;
    }
    if (access(room, R_OK) != 0) {
        snprintf(reason, size, "%s: %s; HIPSHIM_DROPIN can name another directory", room,
                 strerror(errno));
        return -1;
    }
    if (hs_dropin_note_of_file(room) != (unsigned)major) {
        snprintf(reason, size, "%s: is none of hipshim's drop-ins for HIP %d", room, major);
        return -1;
    }
    return 0;
}
