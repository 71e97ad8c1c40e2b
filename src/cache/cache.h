/* SPDX-License-Identifier: MIT */
/*
 * The kernel cache on disk: directories of groups ("gfx90a-7.2.53211") of
 * entries (cache/entry.h), one file each.
 *
 *   <directory>/<group>/<key in hex>.kernel   an entry
 *   <directory>/<group>/<key in hex>.lock     exists while a process works on the key
 *   <directory>/<group>/.tmp-...              an entry while it is written
 *
 * Invariants:
 * - An entry gets its name by rename(2) after it was written and synced, so a
 *   reader sees all of it or nothing.  Readers take no lock: a file that is
 *   unlinked stays whole for the processes that have it open.
 * - A process that owns a lock or a temporary file holds flock(2) on it.  The
 *   kernel releases that when the process ends, so a file whose flock can be
 *   taken has no owner, and any process may unlink it.
 * - Other processes change all of this at any time and may die at any step.  So
 *   nothing is kept in memory between two calls.
 *
 * Nothing here prints.  A failure is never fatal; its text is kept in `note`.
 */
#ifndef HIPSHIM_SRC_CACHE_CACHE_H
#define HIPSHIM_SRC_CACHE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "cache/entry.h"

enum {
    HS_CACHE_DIRECTORIES = 8,
    HS_CACHE_NOTE = 300,
    HS_CACHE_HEX = 2 * HS_CACHE_KEY + 1, /* a key in hex, with its end */
    HS_CACHE_NAME = HS_CACHE_HEX + 8     /* the same with ".kernel" or ".lock" */
};

struct hs_cache_directory {
    const char *path;
    int fd;           /* -1: not used */
    char reason[100]; /* why it is not used, or "" */
};

struct hs_cache {
    struct hs_cache_directory directories[HS_CACHE_DIRECTORIES]; /* only [0] is written to */
    unsigned count;
    bool is_disabled;         /* by HIPSHIM_CACHE=0 */
    bool is_limit_invalid;    /* HIPSHIM_CACHE_SIZE cannot be read; the default holds */
    uint64_t limit;           /* bytes in directories[0] */
    char note[HS_CACHE_NOTE]; /* the first failure, or "" */
    char *paths;              /* memory of the directories' paths */
};

/* The content of an entry that was read. */
struct hs_cache_found {
    void *data; /* from malloc; the caller frees it */
    size_t size;
    struct hs_cache_entry entry; /* points into data */
};

/*
 * Opens the directories that the environment names (hipshim/kernel.h) and
 * creates the first one if it is absent.
 */
void hs_cache_open(struct hs_cache *cache);
void hs_cache_close(struct hs_cache *cache);

bool hs_cache_is_writable(const struct hs_cache *cache);

/* Sets the note, unless an earlier failure did. */
__attribute__((format(printf, 2, 3))) void hs_cache_set_note(struct hs_cache *cache,
                                                             const char *format, ...);

/*
 * Opens a directory or regular file that only this user or root can have
 * written: no link, owned by one of them, writable by nobody else.  Returns the
 * descriptor, or -1 with errno; EPERM if another user may have written it.
 */
int hs_cache_open_directory(int at, const char *name);
int hs_cache_open_file(int at, const char *name, struct stat *status);

/*
 * Looks for an entry in all directories.  True if a whole and undamaged one was
 * found; its time of last use is set to now where that is permitted.
 */
bool hs_cache_find(struct hs_cache *cache, const char *group, const unsigned char key[HS_CACHE_KEY],
                   struct hs_cache_found *found);

/* Writes an entry, then evicts old ones.  False with a note. */
bool hs_cache_store(struct hs_cache *cache, const char *group,
                    const unsigned char key[HS_CACHE_KEY], const void *data, size_t size);

/* --- lock.c --- */

enum hs_cache_lock_state {
    HS_CACHE_LOCKED,     /* the caller holds the lock until hs_cache_unlock */
    HS_CACHE_LOCK_BUSY,  /* another process or thread holds it */
    HS_CACHE_LOCK_ABSENT /* no lock can be had here: work without one */
};

struct hs_cache_lock {
    int group, fd; /* -1: none */
    char name[HS_CACHE_NAME];
};
#define HS_CACHE_LOCK_NONE                                                                         \
    {                                                                                              \
        -1, -1, ""                                                                                 \
    }

/* Tries to lock a key; does not wait. */
enum hs_cache_lock_state hs_cache_lock(struct hs_cache *cache, const char *group,
                                       const unsigned char key[HS_CACHE_KEY],
                                       struct hs_cache_lock *lock);
void hs_cache_unlock(struct hs_cache_lock *lock);

/*
 * Waits for the lock of a key.  If `found` is not NULL, the wait also ends when
 * the entry is found; the result is HS_CACHE_LOCK_BUSY then.  After ten minutes
 * the owner counts as stuck, and the result is HS_CACHE_LOCK_ABSENT.
 */
enum hs_cache_lock_state hs_cache_wait(struct hs_cache *cache, const char *group,
                                       const unsigned char key[HS_CACHE_KEY],
                                       struct hs_cache_lock *lock, struct hs_cache_found *found);

/* --- evict.c --- */

enum hs_cache_kind { HS_CACHE_ENTRY, HS_CACHE_LOCK, HS_CACHE_TEMPORARY };

/* A file of the cache, as hs_cache_walk meets it. */
struct hs_cache_file {
    int group_fd;
    const char *group, *name;
    enum hs_cache_kind kind;
    int64_t used; /* last use, in seconds since 1970 */
    uint64_t size;
};
typedef bool (*hs_cache_visit)(void *context, const struct hs_cache_file *file);

/*
 * Visits every file of the cache below an open directory; files with other names
 * are passed over.  Stops when a visit returns false, and returns false then.
 */
bool hs_cache_walk(int fd, hs_cache_visit visit, void *context);

/* Unlinks a lock or temporary file that has no owner; does nothing to an entry. */
void hs_cache_remove_orphan(const struct hs_cache_file *file);

/*
 * Unlinks the entries used longest ago until the limit holds, but not `kept`, an entry of `size`
 * bytes that was just stored.  If that is small beside the limit, most calls look at a few files
 * only, and the limit holds within a few percent.
 */
void hs_cache_evict(struct hs_cache *cache, const unsigned char kept[HS_CACHE_KEY], size_t size);

/* --- for the files of this folder --- */

/* Differs in each call and process. */
uint64_t hs_cache_random(void);

void hs_cache_name(const unsigned char key[HS_CACHE_KEY], const char *suffix,
                   char name[HS_CACHE_NAME]);

/* Opens the group in the directory that is written to, and creates it; -1 with a note. */
int hs_cache_open_group(struct hs_cache *cache, const char *group);

/* Whether the open file still has this name; another process may have unlinked it. */
bool hs_cache_has_name(int fd, int at, const char *name);

#endif
