/* SPDX-License-Identifier: MIT */
/*
 * Walks all files of the cache, and evicts entries.
 *
 * Several processes may evict at once, and none holds a lock for it: each works
 * on its own census, and an entry that another one unlinked first counts as
 * gone.  So at worst more entries go than needed, and never too few.
 *
 * A census of 100,000 entries takes a quarter of a second, so chance decides which stores take one.
 * No process has to know what others stored, and a killed one leaves no count wrong.
 */
#include "cache/cache.h"

#include "base/hex.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static DIR *open_listing(int fd)
{
    /* A second descriptor, because the listing moves its offset and closes it. */
    int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = copy >= 0 ? fdopendir(copy) : NULL;

    if (!stream && copy >= 0) {
        close(copy);
    }
    return stream;
}

static bool recognise(const char *name, enum hs_cache_kind *kind)
{
    const char *suffix = name + strspn(name, "0123456789abcdef");

    bool has_key = suffix - name == HS_CACHE_HEX - 1;

    if (strncmp(name, ".tmp-", 5) == 0) {
        *kind = HS_CACHE_TEMPORARY;
    } else if (has_key && strcmp(suffix, ".kernel") == 0) {
        *kind = HS_CACHE_ENTRY;
    } else if (has_key && strcmp(suffix, ".lock") == 0) {
        *kind = HS_CACHE_LOCK;
    } else {
        return false;
    }
    return true;
}

static bool walk_group(int fd, const char *group, hs_cache_visit visit, void *context)
{
    DIR *stream = open_listing(fd);
    const struct dirent *entry;
    bool go_on = true;

    while (go_on && stream && (entry = readdir(stream)) != NULL) {
        struct hs_cache_file file = {.group_fd = fd, .group = group, .name = entry->d_name};
        struct stat status;

        if (recognise(entry->d_name, &file.kind) &&
            fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode)) {
            file.used = status.st_mtime;
            file.size = (uint64_t)status.st_size;
            go_on = visit(context, &file);
        }
    }
    if (stream) {
        closedir(stream);
    }
    return go_on;
}

bool hs_cache_walk(int fd, hs_cache_visit visit, void *context)
{
    DIR *stream = open_listing(fd);
    const struct dirent *entry;
    bool go_on = true;

    while (go_on && stream && (entry = readdir(stream)) != NULL) {
        int group = entry->d_name[0] == '.' ? -1 : hs_cache_open_directory(fd, entry->d_name);

        if (group >= 0) {
            go_on = walk_group(group, entry->d_name, visit, context);
            close(group);
        }
    }
    if (stream) {
        closedir(stream);
    }
    return go_on;
}

void hs_cache_remove_orphan(const struct hs_cache_file *file)
{
    if (file->kind == HS_CACHE_ENTRY) {
        return;
    }
    /* NFS gives an exclusive lock only on a descriptor that may write. */
    int fd = openat(file->group_fd, file->name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0) {
        return;
    }
    /* A new owner may have replaced the file since it was opened: compare the name, too. */
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && hs_cache_has_name(fd, file->group_fd, file->name)) {
        unlinkat(file->group_fd, file->name, 0);
    }
    close(fd);
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
    char kept[HS_CACHE_HEX];
};

/* NULL without memory. */
static struct candidate *add_candidate(struct census *census)
{
    if (census->count == census->room) {
        size_t room = census->room * 2 + 64;
        struct candidate *more = realloc(census->candidates, room * sizeof *more);

        if (!more) {
            return NULL;
        }
        census->candidates = more;
        census->room = room;
    }
    return &census->candidates[census->count++];
}

static bool count_file(void *context, const struct hs_cache_file *file)
{
    const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    struct census *census = context;

    if (file->kind != HS_CACHE_ENTRY) {
        hs_cache_remove_orphan(file);
        return true;
    }
    census->total += file->size;
    if (strncmp(file->name, census->kept, HS_CACHE_HEX - 1) == 0) {
        return true;
    }
    struct candidate *candidate = add_candidate(census);

    if (!candidate) {
        return false;
    }
    candidate->used = file->used;
    if (file->used > census->now + 1) {
        /* The clock was wrong when it was used.  It counts as used now and ages from here. */
        utimensat(file->group_fd, file->name, now, AT_SYMLINK_NOFOLLOW);
        candidate->used = census->now;
    }
    candidate->size = file->size;
    memcpy(candidate->group, file->group, strnlen(file->group, NAME_MAX) + 1);
    memcpy(candidate->name, file->name, strlen(file->name) + 1);
    return true;
}

static int compare_use(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;

    return left->used < right->used ? -1 : left->used > right->used;
}

/* True if the entry is gone, by this process or another one. */
static bool unlink_candidate(int directory, const struct candidate *candidate)
{
    int group = hs_cache_open_directory(directory, candidate->group);

    if (group < 0) {
        return false;
    }
    bool gone = unlinkat(group, candidate->name, 0) == 0 || errno == ENOENT;

    close(group);
    return gone;
}

/* Counts down the files that may be looked at. */
static bool sweep_file(void *context, const struct hs_cache_file *file)
{
    unsigned *left = context;

    hs_cache_remove_orphan(file);
    return --*left > 0;
}

/*
 * The census comes after a 128th of the limit on average, so that a sixteenth, which is left free,
 * is filled before it in one of 3,000 cases only.  In a cache of few large entries each store takes
 * one.  Every other store looks at a few files for what killed processes left.
 */
enum { PARTS = 128, FREE_PART = 16, MOST_STORES = 4096, SWEPT_FILES = 32 };

void hs_cache_evict(struct hs_cache *cache, const unsigned char kept[HS_CACHE_KEY], size_t size)
{
    int directory = cache->directories[0].fd;
    uint64_t stores = cache->limit / PARTS / (size + 1);
    unsigned swept = SWEPT_FILES;

    stores = stores < MOST_STORES ? stores : MOST_STORES;
    if (stores > 1 && hs_cache_random() % stores != 0) {
        hs_cache_walk(directory, sweep_file, &swept);
        return;
    }
    const uint64_t most = cache->limit - (stores > 1 ? cache->limit / FREE_PART : 0);
    /* A tenth is left free, or every later entry would cost a walk and an eviction of its own. */
    const uint64_t goal = cache->limit - cache->limit / 10;
    struct census census = {.now = time(NULL)};

    hs_hex_write(census.kept, kept, HS_CACHE_KEY);
    hs_cache_walk(directory, count_file, &census);
    if (census.total > most && census.count > 0) {
        qsort(census.candidates, census.count, sizeof census.candidates[0], compare_use);
        for (size_t i = 0; i < census.count && census.total > goal; i++) {
            if (unlink_candidate(directory, &census.candidates[i])) {
                census.total -= census.candidates[i].size;
            }
        }
    }
    free(census.candidates);
}
