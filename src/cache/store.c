/* SPDX-License-Identifier: MIT */
/*
 * Entries, locks and temporary files of the cache.
 */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Use is noted once in so many seconds: a hit need not write to the disk. */
enum { USE_SECONDS = 60, TEMPORARY_NAME = 64, ATTEMPTS = 100 };

static void make_name(const unsigned char key[HS_CACHE_KEY], const char *suffix,
                      char name[HS_CACHE_NAME])
{
    hs_cache_hex(key, name);
    snprintf(name + HS_CACHE_HEX - 1, HS_CACHE_NAME - HS_CACHE_HEX + 1, "%s", suffix);
}

static void *load(int fd, size_t size)
{
    size_t got = 0;
    char *data = malloc(size + 1);

    while (data && got < size) {
        ssize_t count = read(fd, data + got, size - got);

        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) { /* it became shorter: somebody else wrote to it */
            free(data);
            errno = count < 0 ? errno : EIO;
            return NULL;
        }
        got += (size_t)count;
    }
    return data;
}

void *hs_cache_load(int fd, size_t *size)
{
    struct stat status;

    if (fstat(fd, &status) != 0) {
        return NULL;
    }
    *size = (size_t)status.st_size;
    return load(fd, *size);
}

static void note_use(int fd, const struct stat *status)
{
    const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    time_t time_now = time(NULL);

    /* A time in the future is a clock that was wrong, and would stay newest. */
    if (status->st_mtime + USE_SECONDS < time_now || status->st_mtime > time_now + 1) {
        futimens(fd, now); /* fails in directories that are only read */
    }
}

static int find_in(int directory, const char *group, const char *name,
                   const unsigned char key[HS_CACHE_KEY], struct hs_cache_found *found)
{
    int group_fd = hs_cache_open_directory(directory, group), fd;
    const char *reason = "absent";
    struct stat status;

    if (group_fd < 0) {
        return 0;
    }
    fd = hs_cache_open_status(group_fd, name, &status);
    close(group_fd);
    if (fd < 0) {
        return 0;
    }
    found->size = (size_t)status.st_size;
    found->data = load(fd, found->size);
    if (found->data) {
        reason = hs_cache_entry_read(found->data, found->size, key, &found->entry);
        if (reason) {
            free(found->data);
            found->data = NULL;
        } else {
            note_use(fd, &status);
        }
    }
    close(fd);
    return reason == NULL;
}

int hs_cache_find(struct hs_cache *cache, const char *group, const unsigned char key[HS_CACHE_KEY],
                  struct hs_cache_found *found)
{
    char name[HS_CACHE_NAME];

    make_name(key, ".kernel", name);
    for (unsigned i = 0; i < cache->count; i++) {
        int fd = cache->directories[i].fd;

        if (fd >= 0 && find_in(fd, group, name, key, found)) {
            return 1;
        }
    }
    return 0;
}

static int open_group(struct hs_cache *cache, const char *group)
{
    int at = cache->directories[0].fd, fd;

    fd = hs_cache_open_directory(at, group);
    if (fd < 0 && errno == ENOENT && (mkdirat(at, group, 0700) == 0 || errno == EEXIST)) {
        fd = hs_cache_open_directory(at, group);
    }
    if (fd < 0) {
        hs_cache_complain(cache, "%.150s/%.80s: %s", cache->directories[0].path, group,
                          errno == EPERM ? "somebody else may write to it" : strerror(errno));
    }
    return fd;
}

int hs_cache_is_named(int fd, int at, const char *name)
{
    struct stat mine, named;

    return fstat(fd, &mine) == 0 && fstatat(at, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

enum hs_cache_turn hs_cache_lock(struct hs_cache *cache, const char *group,
                                 const unsigned char key[HS_CACHE_KEY], struct hs_cache_lock *lock)
{
    lock->fd = lock->group = -1;
    if (!hs_cache_writable(cache) || (lock->group = open_group(cache, group)) < 0) {
        return HS_CACHE_UNKNOWN;
    }
    make_name(key, ".lock", lock->name);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        lock->fd = openat(lock->group, lock->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (lock->fd < 0) {
            hs_cache_complain(cache, "%.150s/%.80s: %s", cache->directories[0].path, group,
                              strerror(errno));
            break;
        }
        if (flock(lock->fd, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) {
                hs_cache_unlock(lock);
                return HS_CACHE_BUSY;
            }
            break; /* a file system without locks: work is done twice at worst */
        }
        if (hs_cache_is_named(lock->fd, lock->group, lock->name)) {
            return HS_CACHE_MINE;
        }
        close(lock->fd);
        lock->fd = -1;
    }
    hs_cache_unlock(lock);
    return HS_CACHE_UNKNOWN;
}

void hs_cache_unlock(struct hs_cache_lock *lock)
{
    if (lock->fd >= 0) {
        /* Only who holds the lock may remove its file. */
        if (flock(lock->fd, LOCK_EX | LOCK_NB) == 0 &&
            hs_cache_is_named(lock->fd, lock->group, lock->name)) {
            unlinkat(lock->group, lock->name, 0);
        }
        /* In words: a child of fork that still has the file must not keep it. */
        flock(lock->fd, LOCK_UN);
        close(lock->fd);
    }
    if (lock->group >= 0) {
        close(lock->group);
    }
    lock->fd = lock->group = -1;
}

static int write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t count = write(fd, data, size);

        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            errno = count < 0 ? errno : ENOSPC;
            return -1;
        }
        data += count;
        size -= (size_t)count;
    }
    return 0;
}

/*
 * A new file that is ours.  Who sweeps takes one without a lock for a dead
 * writer's, and may get hold of it before we lock it: then another one.
 */
static int create_temporary(int group, char name[TEMPORARY_NAME])
{
    uint64_t random = 0;
    int fd;

    /* With an end: a file system may number its files anew each time. */
    for (int attempt = 0;; attempt++) {
        if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random) {
            random = random * 31 + (uint64_t)clock() + (uint64_t)(uintptr_t)name;
        }
        snprintf(name, TEMPORARY_NAME, ".tmp-%ld-%016llx", (long)getpid(),
                 (unsigned long long)random);
        fd = openat(group, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0) {
            return -1;
        }
        if (flock(fd, LOCK_EX) != 0 || hs_cache_is_named(fd, group, name) || attempt == ATTEMPTS) {
            return fd;
        }
        close(fd);
    }
}

static int write_file(int group, const char *name, const void *data, size_t size)
{
    char temporary[TEMPORARY_NAME];
    int fd = create_temporary(group, temporary), result = -1, error;

    if (fd < 0) {
        return -1;
    }
    if (write_all(fd, data, size) == 0 && fsync(fd) == 0 &&
        renameat(group, temporary, group, name) == 0) {
        fsync(group); /* if this fails the entry is there all the same */
        result = 0;
    }
    error = errno;
    if (result != 0) {
        unlinkat(group, temporary, 0);
    }
    close(fd);
    errno = error;
    return result;
}

int hs_cache_keep(struct hs_cache *cache, const char *group, const unsigned char key[HS_CACHE_KEY],
                  const void *data, size_t size)
{
    char name[HS_CACHE_NAME];
    int fd, result = -1, error = 0;

    if (!hs_cache_writable(cache)) {
        return -1;
    }
    if (size > cache->limit) {
        hs_cache_complain(cache, "the entry is larger than the cache may be (HIPSHIM_CACHE_SIZE)");
        return -1;
    }
    make_name(key, ".kernel", name);
    /* Again if the group was removed just as it was opened. */
    for (int attempt = 0; attempt < 3; attempt++) {
        fd = open_group(cache, group);
        if (fd < 0) {
            return -1;
        }
        result = write_file(fd, name, data, size);
        error = errno;
        close(fd);
        if (result == 0 || error != ENOENT) {
            break;
        }
    }
    if (result != 0) {
        hs_cache_complain(cache, "%.150s/%.80s: %s", cache->directories[0].path, group,
                          strerror(error));
    }
    if (result == 0) {
        hs_cache_evict(cache, key);
    }
    return result;
}
