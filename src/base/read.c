/* SPDX-License-Identifier: MIT */
#include "base/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEAST_ROOM = 4096 };

char *hs_read_descriptor(int fd, size_t *size)
{
    struct stat status;

    if (fstat(fd, &status) != 0) {
        return NULL;
    }
    /* One byte more than the file has, so that one allocation is enough to see its end. */
    size_t room = S_ISREG(status.st_mode) && status.st_size > 0 ? (size_t)status.st_size + 2
                                                                : LEAST_ROOM;
    char *data = malloc(room);
    ssize_t count = 1;

    for (*size = 0; data && count > 0;) {
        if (*size + 1 == room) {
            char *more = room < SIZE_MAX / 2 ? realloc(data, room *= 2) : NULL;

            if (!more) {
                free(data);
                return NULL;
            }
            data = more;
        }
        count = read(fd, data + *size, room - *size - 1);
        if (count < 0 && errno == EINTR) {
            count = 1;
        } else if (count > 0) {
            *size += (size_t)count;
        }
    }
    if (data && count < 0) {
        free(data);
        return NULL;
    }
    if (data) {
        data[*size] = '\0';
    }
    return data;
}

char *hs_read_file(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        return NULL;
    }
    char *data = hs_read_descriptor(fd, size);
    int error = errno;

    close(fd);
    errno = error;
    return data;
}
