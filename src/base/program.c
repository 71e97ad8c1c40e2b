/* SPDX-License-Identifier: MIT */
#include "base/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *hs_program_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool hs_program_is_executable(const char *path)
{
    struct stat status;

    return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool hs_program_find(const char *name, char path[PATH_MAX])
{
    const char *list = secure_getenv("PATH");

    while (list && *list) {
        size_t length = strcspn(list, ":");

        if (*list == '/' &&
            snprintf(path, PATH_MAX, "%.*s/%s", (int)length, list, name) < PATH_MAX &&
            hs_program_is_executable(path)) {
            return true;
        }
        list += length + (list[length] == ':');
    }
    return false;
}
