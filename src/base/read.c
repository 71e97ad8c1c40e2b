/* SPDX-License-Identifier: MIT */
#include "base/read.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LEAST_ROOM = 4096 };

/* Reads up to `room` bytes; the count, 0 at the end of the file, or -1 with errno. */
static ssize_t read_some(int fd, char *to, size_t room)
{
    ssize_t count;
    do {
        count = read(fd, to, room);
    } while (count < 0 && errno == EINTR);
    return count;
}

char *hs_read_descriptor(int fd, size_t *size)
{
    struct stat status;

    if (fstat(fd, &status) != 0) {
        return NULL;
    }
    /* One byte more than the file has, so that one allocation is enough to see its end. */
    size_t room =
        S_ISREG(status.st_mode) && status.st_size > 0 ? (size_t)status.st_size + 2 : LEAST_ROOM;
    char *data = malloc(room);
    *size = 0;
    while (data) {
        ssize_t count = read_some(fd, data + *size, room - *size - 1);
        if (count == 0) {
            data[*size] = '\0';
            return data;
        }
        if (count < 0) {
            break;
        }
        *size += (size_t)count;
        if (*size + 1 == room) {
            char *more = room < SIZE_MAX / 2 ? realloc(data, room *= 2) : NULL;
            if (!more) {
                break;
            }
            data = more;
        }
    }
    free(data);
    return NULL;
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

long hs_read_number(const char *path, const char *key)
{
    size_t size;
    char *text = hs_read_file(path, &size);
    const char *at = text ? strstr(text, key) : NULL;

    while (at && at != text && at[-1] != '\n') {
        at = strstr(at + 1, key);
    }
    long number = at ? strtol(at + strlen(key), NULL, 10) : -1;

    free(text);
    return number;
}

int hs_memory_file(const char *name)
{
    return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC);
}
