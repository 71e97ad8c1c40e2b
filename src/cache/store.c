/* SPDX-License-Identifier: MIT */
/* Writes entries. */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { TEMPORARY_NAME = 64, ATTEMPTS = 100, GROUP_ATTEMPTS = 3 };

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t count = write(fd, data, size);

        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            errno = count < 0 ? errno : ENOSPC;
            return false;
        }
        data += count;
        size -= (size_t)count;
    }
    return true;
}

/*
 * Creates a temporary file and takes its flock.  Between the two another process
 * may take it for an orphan and unlink it; then this starts over.
 */
static int create_temporary(int group, char name[TEMPORARY_NAME])
{
    /* Bounded, because some network file systems show a new inode number at each look. */
    for (int attempt = 0;; attempt++) {
        snprintf(name, TEMPORARY_NAME, ".tmp-%ld-%016llx", (long)getpid(),
                 (unsigned long long)hs_cache_random());
        int fd = openat(group, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

        if (fd < 0 || flock(fd, LOCK_EX) != 0 || hs_cache_has_name(fd, group, name) ||
            attempt == ATTEMPTS) {
            return fd;
        }
        close(fd);
    }
}

/* 0, or an error number. */
static int write_file(int group, const char *name, const void *data, size_t size)
{
    char temporary[TEMPORARY_NAME];
    int fd = create_temporary(group, temporary), error = 0;

    if (fd < 0) {
        return errno;
    }
    if (write_all(fd, data, size) && fsync(fd) == 0 &&
        renameat(group, temporary, group, name) == 0) {
        fsync(group); /* a failure costs the entry in a crash, and nothing else */
    } else {
        error = errno;
        unlinkat(group, temporary, 0);
    }
    close(fd);
    return error;
}

bool hs_cache_store(struct hs_cache *cache, const char *group,
                    const unsigned char key[HS_CACHE_KEY], const void *data, size_t size)
{
    char name[HS_CACHE_NAME];
    int error = ENOENT;

    if (!hs_cache_is_writable(cache)) {
        return false;
    }
    if (size > cache->limit) {
        hs_cache_set_note(cache, "the entry is larger than HIPSHIM_CACHE_SIZE allows");
        return false;
    }
    hs_cache_name(key, ".kernel", name);
    /* ENOENT: `hipshim cache clear` removed the group after it was opened here. */
    for (int attempt = 0; attempt < GROUP_ATTEMPTS && error == ENOENT; attempt++) {
        int fd = hs_cache_open_group(cache, group);

        if (fd < 0) {
            return false;
        }
        error = write_file(fd, name, data, size);
        close(fd);
    }
    if (error) {
        hs_cache_set_note(cache, "%.150s/%.80s: %s", cache->directories[0].path, group,
                          strerror(error));
        return false;
    }
    hs_cache_evict(cache, key, size);
    return true;
}
