/* SPDX-License-Identifier: MIT */
#include "tool/dropins.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/notes.h"

/* The directories of `make install`; the build defines them. */
#ifndef HIPSHIM_BIN_DIR
#define HIPSHIM_BIN_DIR "/usr/local/bin"
#endif
#ifndef HIPSHIM_DROPIN_DIR
#define HIPSHIM_DROPIN_DIR "/usr/local/lib/hipshim/dropin"
#endif

const char *const tool_dropins_stems[TOOL_DROPINS_STEMS] = {"libamdhip64", "libhiprtc"};

/* Writes how to reach `to` from HIPSHIM_BIN_DIR, such as "/../lib/hipshim/dropin". */
static bool from_bin(const char *to, char way[TOOL_PATH_ROOM])
{
    const char *bin = HIPSHIM_BIN_DIR;
    size_t shared = 0, used = 0;

    for (size_t i = 0; bin[i] == to[i] && bin[i]; i++) {
        shared = bin[i] == '/' ? i : shared;
    }
    for (const char *step = bin + shared; *step && used + sizeof "/.." < TOOL_PATH_ROOM; step++) {
        if (step[0] == '/' && step[1] != '/' && step[1] != '\0') {
            used += (size_t)sprintf(way + used, "/..");
        }
    }
    return (size_t)snprintf(way + used, TOOL_PATH_ROOM - used, "%s", to + shared) <
           TOOL_PATH_ROOM - used;
}

void tool_dropins_place(const char *variable, const char *built, const char *installed,
                        const char *file, char room[TOOL_PATH_ROOM])
{
    char self[TOOL_PATH_ROOM], way[TOOL_PATH_ROOM], path[TOOL_PATH_ROOM];
    const char *named = getenv(variable);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *parts[][2] = {{"/", built}, {"/../", built}, {"", way}};
    bool is_named = named && *named;

    if (!is_named && length > 0 && from_bin(installed, way)) {
        self[length] = '\0';
        *strrchr(self, '/') = '\0';
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            int written =
                snprintf(path, sizeof path, "%s%s%s/%s", self, parts[i][0], parts[i][1], file);
            if (written < TOOL_PATH_ROOM && access(path, R_OK) == 0) {
                snprintf(room, TOOL_PATH_ROOM, "%s%s%s", self, parts[i][0], parts[i][1]);
                return;
            }
        }
    }
    snprintf(room, TOOL_PATH_ROOM, "%s", is_named ? named : installed);
}

const char *tool_dropins_directory(char room[TOOL_PATH_ROOM])
{
    char library[64];

    snprintf(library, sizeof library, "%s.so.%u", tool_dropins->stem, tool_dropins->number);
    tool_dropins_place("HIPSHIM_DROPIN", "dropin", HIPSHIM_DROPIN_DIR, library, room);
    return room;
}

const struct tool_dropin *tool_dropins_find(const char *soname)
{
    for (const struct tool_dropin *one = tool_dropins; one->stem; one++) {
        size_t length = strlen(one->stem);
        char number[16];

        snprintf(number, sizeof number, ".so.%u", one->number);
        if (!one->apart && strncmp(soname, one->stem, length) == 0 &&
            strcmp(soname + length, number) == 0) {
            return one;
        }
    }
    return NULL;
}

bool tool_dropins_tree(unsigned major, char room[TOOL_PATH_ROOM])
{
    char directory[TOOL_PATH_ROOM];

    tool_dropins_directory(directory);
    return snprintf(room, TOOL_PATH_ROOM, "%s/../rocm-%u/lib", directory, major) < TOOL_PATH_ROOM;
}

bool tool_dropins_library(const struct tool_dropin *dropin, char room[TOOL_PATH_ROOM])
{
    struct hs_dropin found;
    char directory[TOOL_PATH_ROOM];

    tool_dropins_directory(directory);
    if (snprintf(room, TOOL_PATH_ROOM, "%s/%s%s.so.%u", directory, dropin->folder, dropin->stem,
                 dropin->number) >= TOOL_PATH_ROOM) {
        return tool_fail("%s: the name is too long", directory);
    }
    if (access(room, R_OK) != 0) {
        return tool_fail("%s: %s; HIPSHIM_DROPIN can name another directory", room,
                         strerror(errno));
    }
    return (hs_dropin_of_file(room, &found) && found.number == dropin->number) ||
           tool_fail("%s: is not hipshim's drop-in of this name", room);
}
