/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes entries.
 */
#include "cache/cache.h"

#include "base/hex.h"
#include "base/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/*
 * The time of last use is updated once in USE_SECONDS, so that a hit need not
 * write to the disk.
 */
enum { USE_SECONDS = 60, TEMPORARY_NAME = 64, ATTEMPTS = 100, GROUP_ATTEMPTS = 3 };

void hs_cache_name(const unsigned char key[HS_CACHE_KEY], const char *suffix,
                   char name[HS_CACHE_NAME])
{
    hs_hex_write(name, key, HS_CACHE_KEY);
    snprintf(name + HS_CACHE_HEX - 1, HS_CACHE_NAME - HS_CACHE_HEX + 1, "%s", suffix);
}

static void update_use(int fd, const struct stat *status)
{
    const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    time_t time_now = time(NULL);

    /* A time in the future comes from a wrong clock; such an entry would never be evicted. */
    if (status->st_mtime + USE_SECONDS < time_now || status->st_mtime > time_now + 1) {
        futimens(fd, now); /* fails in directories that are only read, which evict nothing */
    }
}

static bool find_in(int directory, const char *group, const char *name,
                    const unsigned char key[HS_CACHE_KEY], struct hs_cache_found *found)
{
    struct stat status;
    int group_fd = hs_cache_open_directory(directory, group);

    if (group_fd < 0) {
        return false;
    }
    int fd = hs_cache_open_file(group_fd, name, &status);

    close(group_fd);
    if (fd < 0) {
        return false;
    }
    found->data = hs_read_descriptor(fd, &found->size);
    if (found->data && hs_cache_entry_read(found->data, found->size, key, &found->entry)) {
        free(found->data);
        found->data = NULL;
    }
    if (found->data) {
        update_use(fd, &status);
    }
    close(fd);
    return found->data != NULL;
}

bool hs_cache_find(struct hs_cache *cache, const char *group, const unsigned char key[HS_CACHE_KEY],
                   struct hs_cache_found *found)
{
    char name[HS_CACHE_NAME];

    hs_cache_name(key, ".kernel", name);
    for (unsigned i = 0; i < cache->count; i++) {
        int fd = cache->directories[i].fd;

        if (fd >= 0 && find_in(fd, group, name, key, found)) {
            return true;
        }
    }
    return false;
}

int hs_cache_open_group(struct hs_cache *cache, const char *group)
{
    int at = cache->directories[0].fd, fd = hs_cache_open_directory(at, group);

    if (fd < 0 && errno == ENOENT && (mkdirat(at, group, 0700) == 0 || errno == EEXIST)) {
        fd = hs_cache_open_directory(at, group);
    }
    if (fd < 0) {
        hs_cache_complain(cache, "%.150s/%.80s: %s", cache->directories[0].path, group,
                          errno == EPERM ? "another user may write to it" : strerror(errno));
    }
    return fd;
}

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

uint64_t hs_cache_random(void)
{
    static _Atomic uint64_t other = 0;
    uint64_t random;

    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random) {
        random = (++other << 32) + (uint64_t)clock() * 31 + (uint64_t)getpid();
    }
    return random;
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
        hs_cache_complain(cache, "the entry is larger than HIPSHIM_CACHE_SIZE allows");
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
        hs_cache_complain(cache, "%.150s/%.80s: %s", cache->directories[0].path, group,
                          strerror(error));
        return false;
    }
    hs_cache_evict(cache, key, size);
    return true;
}
