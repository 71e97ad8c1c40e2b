/* SPDX-License-Identifier: MIT */
/*
 * The kernel cache on disk: directories of groups ("gfx90a-7.2.53211") of
 * entries (cache_entry.h), one file each.
 *
 *   <directory>/<group>/<key in hex>.kernel   an entry; only ever renamed there
 *   <directory>/<group>/<key in hex>.lock     while somebody works on the key
 *   <directory>/<group>/.tmp-...              an entry being written
 *
 * Nothing is kept in memory between calls: other processes change all of it at
 * any time, and some of them die half-way.  What is locked is locked by flock,
 * which the kernel ends with its owner; whoever finds a lock or a temporary file
 * that nobody holds may remove it.  Readers need no lock: a file that is
 * removed stays whole for those who have it open.
 *
 * Nothing here prints, and errors are no errors: they leave a note.
 */
#ifndef HIPSHIM_SRC_CACHE_CACHE_H
#define HIPSHIM_SRC_CACHE_CACHE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "cache/entry.h"

enum {
    HS_CACHE_DIRECTORIES = 8,
    HS_CACHE_NOTE = 300,
    HS_CACHE_HEX = 2 * HS_CACHE_KEY + 1, /* a key in hex */
    HS_CACHE_NAME = HS_CACHE_HEX + 8     /* the same with ".kernel" or ".lock" */
};

struct hs_cache_directory {
    const char *path;
    int fd;           /* -1: not used */
    char reason[100]; /* why not; "" if used */
};

struct hs_cache {
    struct hs_cache_directory directories[HS_CACHE_DIRECTORIES]; /* [0] is written to */
    unsigned count;
    int off;                  /* not wanted: HIPSHIM_CACHE=0 */
    uint64_t limit;           /* bytes in directories[0] */
    int odd_limit;            /* HIPSHIM_CACHE_SIZE makes no sense: the limit is not its */
    char note[HS_CACHE_NOTE]; /* the first thing that went wrong, or "" */
    char *paths;              /* what the paths point into */
};

/* An entry that was read, and its bytes. */
struct hs_cache_found {
    void *data; /* from malloc; the caller's to free */
    size_t size;
    struct hs_cache_entry entry;
};

/*
 * Opens the directories that the environment names (hipshim/kernel.h) and
 * creates the first if need be.  What cannot be used has fd -1.
 */
void hs_cache_open(struct hs_cache *cache);
void hs_cache_close(struct hs_cache *cache);

/* Whether results can be kept. */
int hs_cache_writable(const struct hs_cache *cache);

/* Sets the note, if there is none yet. */
__attribute__((format(printf, 2, 3))) void hs_cache_complain(struct hs_cache *cache,
                                                             const char *format, ...);

/*
 * Opens what is nobody else's: no link, owned by this user or root, writable
 * by nobody else; a directory, or a regular file.  -1 with errno; EPERM if it
 * is somebody else's.
 */
int hs_cache_open_directory(int at, const char *name);
int hs_cache_open_file(int at, const char *name);

/* The same, and what was found out of the file. */
int hs_cache_open_status(int at, const char *name, struct stat *status);

void hs_cache_hex(const unsigned char key[HS_CACHE_KEY], char hex[HS_CACHE_HEX]);

/* Reads a whole file, of any content.  NULL with errno. */
void *hs_cache_load(int fd, size_t *size);

/*
 * Looks an entry up in all directories; 1 if a whole and undamaged one was
 * found.  Marks it as used just now where it may.
 */
int hs_cache_find(struct hs_cache *cache, const char *group, const unsigned char key[HS_CACHE_KEY],
                  struct hs_cache_found *found);

/* The work on one key. */
enum hs_cache_turn {
    HS_CACHE_MINE,   /* this caller has the lock until hs_cache_unlock */
    HS_CACHE_BUSY,   /* somebody else has: look for the entry, and ask again */
    HS_CACHE_UNKNOWN /* no lock is to be had here: work without */
};
struct hs_cache_lock {
    int group, fd; /* -1: none */
    char name[HS_CACHE_NAME];
};

enum hs_cache_turn hs_cache_lock(struct hs_cache *cache, const char *group,
                                 const unsigned char key[HS_CACHE_KEY], struct hs_cache_lock *lock);
void hs_cache_unlock(struct hs_cache_lock *lock);

/* Whether an open file still has the name: its owner before may have removed it. */
int hs_cache_is_named(int fd, int at, const char *name);

/* Writes an entry; 0, or -1 with a note.  Then removes what is too much. */
int hs_cache_keep(struct hs_cache *cache, const char *group, const unsigned char key[HS_CACHE_KEY],
                  const void *data, size_t size);

/* A file of a directory of the cache, while it is walked. */
struct hs_cache_file {
    int group_fd;
    const char *group, *name;
    enum hs_cache_kind { HS_CACHE_ENTRY, HS_CACHE_LOCK, HS_CACHE_TEMPORARY } kind;
    int64_t used; /* last use, in seconds since 1970 */
    uint64_t size;
};

/*
 * Calls `visit` for every file of the cache's in an open directory, until it
 * returns other than 0; returns that.  Files that others made are passed over.
 */
int hs_cache_walk(int fd, int (*visit)(void *context, const struct hs_cache_file *file),
                  void *context);

/* Removes a lock or temporary file, if its owner is gone. */
void hs_cache_sweep(const struct hs_cache_file *file);

/* Whether an entry of that size can be kept without removing any. */
int hs_cache_has_room(const struct hs_cache *cache, uint64_t size);

/* Removes the entries used longest ago until the limit holds, but not `keep`. */
void hs_cache_evict(struct hs_cache *cache, const unsigned char keep[HS_CACHE_KEY]);

#endif
