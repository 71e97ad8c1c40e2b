/* SPDX-License-Identifier: MIT */
#include "tool/place.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The directory of `make install` for programs; the build defines it. */
#ifndef HIPSHIM_BIN_DIR
#define HIPSHIM_BIN_DIR "/usr/local/bin"
#endif

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

void tool_place_find(const char *built, const char *installed,
                     bool (*accepts)(const char *directory), char room[TOOL_PATH_ROOM])
{
    char self[TOOL_PATH_ROOM], way[TOOL_PATH_ROOM];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *parts[][2] = {{"/", built}, {"/../", built}, {"", way}};

    if (length > 0 && from_bin(installed, way)) {
        self[length] = '\0';
        *strrchr(self, '/') = '\0';
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            int written = snprintf(room, TOOL_PATH_ROOM, "%s%s%s", self, parts[i][0], parts[i][1]);
            if (written < TOOL_PATH_ROOM && accepts(room)) {
                return;
            }
        }
    }
    snprintf(room, TOOL_PATH_ROOM, "%s", installed);
}
