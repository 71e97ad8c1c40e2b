/* SPDX-License-Identifier: MIT */
/*
 * All files of the cache, and which of them go.
 */
#include "cache/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A directory's listing; `fd` stays the caller's. */
static DIR *list(int fd)
{
    int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* with an offset of its own */
    DIR *stream = copy >= 0 ? fdopendir(copy) : NULL;

    if (!stream && copy >= 0) {
        close(copy);
    }
    return stream;
}

static int is_key(const char *name)
{
    return strspn(name, "0123456789abcdef") == HS_CACHE_HEX - 1;
}

static int recognise(const char *name, enum hs_cache_kind *kind)
{
    if (strncmp(name, ".tmp-", 5) == 0) {
        *kind = HS_CACHE_TEMPORARY;
    } else if (is_key(name) && strcmp(name + HS_CACHE_HEX - 1, ".kernel") == 0) {
        *kind = HS_CACHE_ENTRY;
    } else if (is_key(name) && strcmp(name + HS_CACHE_HEX - 1, ".lock") == 0) {
        *kind = HS_CACHE_LOCK;
    } else {
        return 0;
    }
    return 1;
}

static int walk_group(int fd, const char *group,
                      int (*visit)(void *context, const struct hs_cache_file *file), void *context)
{
    DIR *stream = list(fd);
    const struct dirent *entry;
    int result = 0;

    while (result == 0 && stream && (entry = readdir(stream)) != NULL) {
        struct hs_cache_file file = {.group_fd = fd, .group = group, .name = entry->d_name};
        struct stat status;

        if (recognise(entry->d_name, &file.kind) &&
            fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode)) {
            file.used = status.st_mtime;
            file.size = (uint64_t)status.st_size;
            result = visit(context, &file);
        }
    }
    if (stream) {
        closedir(stream);
    }
    return result;
}

int hs_cache_walk(int fd, int (*visit)(void *context, const struct hs_cache_file *file),
                  void *context)
{
    DIR *stream = list(fd);
    const struct dirent *entry;
    int result = 0, group;

    while (result == 0 && stream && (entry = readdir(stream)) != NULL) {
        if (entry->d_name[0] != '.' && (group = hs_cache_open_directory(fd, entry->d_name)) >= 0) {
            result = walk_group(group, entry->d_name, visit, context);
            close(group);
        }
    }
    if (stream) {
        closedir(stream);
    }
    return result;
}

void hs_cache_sweep(const struct hs_cache_file *file)
{
    int fd;

    if (file->kind == HS_CACHE_ENTRY) {
        return;
    }
    fd = openat(file->group_fd, file->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 &&
            hs_cache_is_named(fd, file->group_fd, file->name)) {
            unlinkat(file->group_fd, file->name, 0);
        }
        close(fd);
    }
}

static int add_size(void *context, const struct hs_cache_file *file)
{
    uint64_t *total = context;

    *total += file->kind == HS_CACHE_ENTRY ? file->size : 0;
    return 0;
}

int hs_cache_has_room(const struct hs_cache *cache, uint64_t size)
{
    uint64_t total = size;

    return hs_cache_writable(cache) &&
           hs_cache_walk(cache->directories[0].fd, add_size, &total) == 0 && total <= cache->limit;
}

struct candidate {
    int64_t used;
    uint64_t size;
    char group[NAME_MAX + 1], name[HS_CACHE_NAME];
};

struct census {
    struct candidate *candidates;
    size_t count, room;
    uint64_t total;
    int64_t now;
    const char *keep; /* in hex */
};

static int count_file(void *context, const struct hs_cache_file *file)
{
    const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    struct census *census = context;
    struct candidate *more;

    if (file->kind != HS_CACHE_ENTRY) {
        hs_cache_sweep(file);
        return 0;
    }
    census->total += file->size;
    if (strncmp(file->name, census->keep, HS_CACHE_HEX - 1) == 0) {
        return 0;
    }
    if (census->count == census->room) {
        more = realloc(census->candidates, (census->room * 2 + 64) * sizeof *more);
        if (!more) {
            return 1;
        }
        census->candidates = more;
        census->room = census->room * 2 + 64;
    }
    more = &census->candidates[census->count++];
    more->used = file->used;
    if (file->used > census->now + 1) {
        /* Made when the clock was wrong: counts as used now, and ages from now on. */
        utimensat(file->group_fd, file->name, now, AT_SYMLINK_NOFOLLOW);
        more->used = census->now;
    }
    more->size = file->size;
    strncpy(more->group, file->group, sizeof more->group - 1);
    more->group[sizeof more->group - 1] = '\0';
    memcpy(more->name, file->name, strlen(file->name) + 1);
    return 0;
}

static int by_use(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;

    return left->used < right->used ? -1 : left->used > right->used;
}

void hs_cache_evict(struct hs_cache *cache, const unsigned char keep[HS_CACHE_KEY])
{
    int directory = cache->directories[0].fd, group;
    char hex[HS_CACHE_HEX];
    struct census census = {.now = time(NULL), .keep = hex};

    hs_cache_hex(keep, hex);
    hs_cache_walk(directory, count_file, &census);
    if (census.total > cache->limit && census.count > 0) {
        qsort(census.candidates, census.count, sizeof census.candidates[0], by_use);
        /* A tenth more than needed, lest every entry from now on cost a walk of its own. */
        for (size_t i = 0; i < census.count && census.total > cache->limit - cache->limit / 10;
             i++) {
            group = hs_cache_open_directory(directory, census.candidates[i].group);
            if (group >= 0) {
                if (unlinkat(group, census.candidates[i].name, 0) == 0 || errno == ENOENT) {
                    census.total -= census.candidates[i].size;
                }
                close(group);
            }
        }
    }
    free(census.candidates);
}
