/* SPDX-License-Identifier: MIT */
#include "base/file_stamp.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

size_t hs_file_stamp_write(const char *path, char line[HS_FILE_STAMP_ROOM])
{
    struct stat status;
    int length;

    if (strlen(path) >= PATH_MAX || strpbrk(path, "\t\n")) {
        return 0;
    }
    if (stat(path, &status) != 0) {
        length = snprintf(line, HS_FILE_STAMP_ROOM, "%s\tabsent\n", path);
    } else {
        length = snprintf(line, HS_FILE_STAMP_ROOM, "%s\t%llx %llx %llx %llx.%lx %llx.%lx\n", path,
                          (unsigned long long)status.st_dev, (unsigned long long)status.st_ino,
                          (unsigned long long)status.st_size,
                          (unsigned long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                          (unsigned long long)status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
    }
    return length > 0 && length < HS_FILE_STAMP_ROOM ? (size_t)length : 0;
}

bool hs_file_stamp_holds(const char *lines)
{
    char path[PATH_MAX], line[HS_FILE_STAMP_ROOM];

    while (*lines) {
        size_t length = strcspn(lines, "\t");

        if (!lines[length] || length >= sizeof path) {
            return false;
        }
        memcpy(path, lines, length);
        path[length] = '\0';
        length = hs_file_stamp_write(path, line);
        if (length == 0 || strncmp(lines, line, length) != 0) {
            return false;
        }
        lines += length;
    }
    return true;
}
