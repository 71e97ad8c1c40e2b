/* SPDX-License-Identifier: MIT */
/* Reads entries. */
#include "cache/cache.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/read.h"

/* The time of last use is updated once in USE_SECONDS, so that a hit need not write to the disk. */
enum { USE_SECONDS = 60 };

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
