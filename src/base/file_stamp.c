/* SPDX-License-Identifier: MIT */
#include "base/file_stamp.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Links may lead in a circle. */
enum { DEEPEST = 8 };

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

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void add_tree(struct hs_sha256 *sum, const char *path, int depth)
{
    char line[HS_FILE_STAMP_ROOM], below[PATH_MAX];
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_visible, versionsort);

    hs_sha256_add(sum, line, hs_file_stamp_write(path, line));
    for (int i = 0; i < count; i++) {
        bool may_be_directory = entries[i]->d_type != DT_REG && depth < DEEPEST;

        if (snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name) >= PATH_MAX) {
            /* No compiler can open it, either. */
        } else if (may_be_directory) {
            add_tree(sum, below, depth + 1);
        } else {
            hs_sha256_add(sum, line, hs_file_stamp_write(below, line));
        }
        free(entries[i]);
    }
    free(entries);
}

void hs_file_stamp_add_tree(struct hs_sha256 *sum, const char *directory)
{
    add_tree(sum, directory, 0);
}
