/* SPDX-License-Identifier: MIT */
#include "base/file_stamp.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* A hit in the kernel cache describes thirty files; printf would be most of that. */
static char *put_hex(char *to, uint64_t number, char end)
{
    unsigned digits = 1;

    while (digits < 16 && number >> 4 * digits) {
        digits++;
    }
    while (digits-- > 0) {
        *to++ = "0123456789abcdef"[number >> 4 * digits & 15];
    }
    *to++ = end;
    return to;
}

size_t hs_file_stamp_state(const char *path, struct timespec *changed, char text[HS_FILE_STAMP_STATE])
{
    struct stat status;
    char *to = text;

    if (stat(path, &status) != 0) {
        memset(&status, 0, sizeof status);
        to = stpcpy(to, "absent");
    } else {
        const uint64_t numbers[] = {status.st_dev,
                                    status.st_ino,
                                    (uint64_t)status.st_size,
                                    (uint64_t)status.st_mtim.tv_sec,
                                    (uint64_t)status.st_mtim.tv_nsec,
                                    (uint64_t)status.st_ctim.tv_sec,
                                    (uint64_t)status.st_ctim.tv_nsec};

        for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            to = put_hex(to, numbers[i], '.');
        }
    }
    *to++ = '\n';
    *to = '\0';
    if (changed) {
        *changed = status.st_ctim;
    }
    return (size_t)(to - text);
}

int hs_file_stamp_line(const char *path, struct timespec *changed, char *text, size_t room)
{
    size_t length = strlen(path);

    if (length + 1 + HS_FILE_STAMP_STATE > room || strpbrk(path, "\t\n")) {
        return -1;
    }
    memcpy(text, path, length + 1);
    text[length++] = '\t';
    return (int)(length + hs_file_stamp_state(path, changed, text + length));
}

int hs_file_stamp_is_before(const struct timespec *changed, const struct timespec *moment)
{
    return changed->tv_sec < moment->tv_sec ||
           (changed->tv_sec == moment->tv_sec && changed->tv_nsec < moment->tv_nsec);
}
