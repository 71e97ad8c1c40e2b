/* SPDX-License-Identifier: MIT */
#include "base/path.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

bool hs_path_is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_version_of(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0 || strlen(name) >= HS_PATH_NAME) {
        return false;
    }
    char next = name[length];
    return (next >= '0' && next <= '9') || next == '_' || next == '\0';
}

/* Inserts by version, newest first; with a full list the oldest falls out. */
static unsigned insert_name(char (*names)[HS_PATH_NAME], unsigned count, unsigned room,
                            const char *name)
{
    unsigned at = 0;
    while (at < count && strverscmp(names[at], name) > 0) {
        at++;
    }
    if (at == room) {
        return count;
    }
    if (count < room) {
        count++;
    }
    memmove(names[at + 1], names[at], (count - 1 - at) * sizeof names[0]);
    memcpy(names[at], name, strlen(name) + 1);
    return count;
}

unsigned hs_path_newest(const char *parent, const char *stem, char (*names)[HS_PATH_NAME],
                        unsigned room)
{
    DIR *directory = opendir(parent);
    if (!directory) {
        return 0;
    }
    unsigned count = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (is_version_of(entry->d_name, stem)) {
            count = insert_name(names, count, room, entry->d_name);
        }
    }
    closedir(directory);
    return count;
}
