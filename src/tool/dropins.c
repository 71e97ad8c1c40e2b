/* SPDX-License-Identifier: MIT */
#include "tool/dropins.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/notes.h"
#include "tool/place.h"
#include "tool/release_text.h"

/* The directory of `make install`; the build defines it. */
#ifndef HIPSHIM_DROPIN_DIR
#define HIPSHIM_DROPIN_DIR "/usr/local/lib/hipshim/dropin"
#endif

const char *const tool_dropins_stems[TOOL_DROPINS_STEMS] = {"libamdhip64", "libhiprtc"};

static bool has_dropin(const char *directory)
{
    for (unsigned major = tool_release_next_major(0); major != 0;
         major = tool_release_next_major(major)) {
        char library[TOOL_PATH_ROOM];
        int length = snprintf(library, sizeof library, "%s/%s.so.%u", directory,
                              tool_dropins_stems[0], major);
        if (length < TOOL_PATH_ROOM && access(library, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

const char *tool_dropins_directory(char room[TOOL_PATH_ROOM])
{
    const char *named = getenv("HIPSHIM_DROPIN");

    if (named && *named) {
        snprintf(room, TOOL_PATH_ROOM, "%s", named);
    } else {
        tool_place_find("dropin", HIPSHIM_DROPIN_DIR, has_dropin, room);
    }
    return room;
}

bool tool_dropins_tree(unsigned major, char room[TOOL_PATH_ROOM])
{
    char directory[TOOL_PATH_ROOM];

    tool_dropins_directory(directory);
    return snprintf(room, TOOL_PATH_ROOM, "%s/../rocm-%u/lib", directory, major) < TOOL_PATH_ROOM;
}

bool tool_dropins_library(const char *stem, unsigned major, char room[TOOL_PATH_ROOM], char *reason,
                          size_t size)
{
    char directory[TOOL_PATH_ROOM];

    tool_dropins_directory(directory);
    if (snprintf(room, TOOL_PATH_ROOM, "%s/%s.so.%u", directory, stem, major) >= TOOL_PATH_ROOM) {
        snprintf(reason, size, "%s: the name is too long", directory);
        return false;
    }
    if (access(room, R_OK) != 0) {
        snprintf(reason, size, "%s: %s; HIPSHIM_DROPIN can name another directory", room,
                 strerror(errno));
        return false;
    }
    if (hs_dropin_note_of_file(room) != major) {
        snprintf(reason, size, "%s: is not hipshim's drop-in for HIP %u", room, major);
        return false;
    }
    return true;
}
