/* SPDX-License-Identifier: MIT */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* WAIT_SECONDS is longer than any compilation takes. */
enum { ATTEMPTS = 100, WAIT_SECONDS = 600, NAP_NS = 200000, LONGEST_NAP_NS = 10000000 };

enum hs_cache_lock_state hs_cache_lock(struct hs_cache *cache, const char *group,
                                       const unsigned char key[HS_CACHE_KEY],
                                       struct hs_cache_lock *lock)
{
    lock->fd = lock->group = -1;
    if (!hs_cache_is_writable(cache) || (lock->group = hs_cache_open_group(cache, group)) < 0) {
        return HS_CACHE_LOCK_ABSENT;
    }
    hs_cache_name(key, ".lock", lock->name);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        lock->fd = openat(lock->group, lock->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (lock->fd < 0) {
            hs_cache_set_note(cache, "%.150s/%.80s: %s", cache->directories[0].path, group,
                              strerror(errno));
            break;
        }
        if (flock(lock->fd, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) {
                hs_cache_unlock(lock);
                return HS_CACHE_LOCK_BUSY;
            }
            break; /* this file system has no locks: two processes may compile the same */
        }
        /*
         * The owner unlinks the file before it releases the flock, so this may be
         * the flock of a file without a name, which excludes nobody.  Try again.
         */
        if (hs_cache_has_name(lock->fd, lock->group, lock->name)) {
            return HS_CACHE_LOCKED;
        }
        close(lock->fd);
        lock->fd = -1;
    }
    hs_cache_unlock(lock);
    return HS_CACHE_LOCK_ABSENT;
}

void hs_cache_unlock(struct hs_cache_lock *lock)
{
    if (lock->fd >= 0) {
        /* Only the owner may unlink the file; this descriptor may have failed to lock it. */
        if (flock(lock->fd, LOCK_EX | LOCK_NB) == 0 &&
            hs_cache_has_name(lock->fd, lock->group, lock->name)) {
            unlinkat(lock->group, lock->name, 0);
        }
        /* Unlock explicitly: a forked child that inherited the descriptor would keep the lock. */
        flock(lock->fd, LOCK_UN);
        close(lock->fd);
    }
    if (lock->group >= 0) {
        close(lock->group);
    }
    lock->fd = lock->group = -1;
}

static time_t monotonic_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/*
 * Polls, because a blocking flock could not notice that the entry is there, and
 * could not be given up.
 */
enum hs_cache_lock_state hs_cache_wait(struct hs_cache *cache, const char *group,
                                       const unsigned char key[HS_CACHE_KEY],
                                       struct hs_cache_lock *lock, struct hs_cache_found *found)
{
    enum hs_cache_lock_state state;
    time_t start = monotonic_seconds();
    struct timespec nap = {.tv_nsec = NAP_NS};

    while ((state = hs_cache_lock(cache, group, key, lock)) == HS_CACHE_LOCK_BUSY) {
        if (found && hs_cache_find(cache, group, key, found)) {
            return HS_CACHE_LOCK_BUSY;
        }
        if (monotonic_seconds() - start > WAIT_SECONDS) {
            return HS_CACHE_LOCK_ABSENT;
        }
        nanosleep(&nap, NULL);
        nap.tv_nsec = nap.tv_nsec * 2 < LONGEST_NAP_NS ? nap.tv_nsec * 2 : LONGEST_NAP_NS;
    }
    return state;
}
