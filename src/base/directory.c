/* SPDX-License-Identifier: MIT */
#include "base/directory.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

int hs_path_is_directory(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

unsigned hs_path_newest(const char *parent, const char *stem, char (*names)[HS_PATH_NAME],
                             unsigned room)
{
    DIR *directory = opendir(parent);
    size_t stem_length = strlen(stem);
    const struct dirent *entry;
    unsigned count = 0, at;

    if (!directory) {
        return 0;
    }
    while ((entry = readdir(directory)) != NULL) {
        const char *name = entry->d_name;

        if (strncmp(name, stem, stem_length) != 0 || name[stem_length] < '0' ||
            name[stem_length] > '9' || strlen(name) >= HS_PATH_NAME) {
            continue;
        }
        for (at = 0; at < count && strverscmp(names[at], name) > 0; at++) {
        }
        if (at == room) {
            continue;
        }
        if (count < room) {
            count++;
        }
        memmove(names[at + 1], names[at], (count - 1 - at) * sizeof names[0]);
        memcpy(names[at], name, strlen(name) + 1);
    }
    closedir(directory);
    return count;
}
