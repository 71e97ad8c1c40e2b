/* SPDX-License-Identifier: MIT */
#include "elf/ld_search.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/check.h"
#include "elf/notes.h"

/* Tests define a file of their own. */
#ifndef HIPSHIM_LD_SO_CACHE
#define HIPSHIM_LD_SO_CACHE "/etc/ld.so.cache"
#endif

/*
 * The three formats of the cache, in the byte order of the machine.  glibc since 2.32 writes the
 * new one.  Until then it wrote the old header and table, and the new ones behind them for its own
 * use; the offsets of the new table then count from its own header.  Very old files have the old
 * table only, whose offsets count from its end.
 */
#define OLD_MAGIC "ld.so-1.7.0"
#define NEW_MAGIC "glibc-ld.so.cache1.1"

struct old_header {
    char magic[sizeof OLD_MAGIC - 1];
    uint32_t entries;
};

struct old_entry {
    int32_t flags;
    uint32_t name;
    uint32_t path;
};

struct new_header {
    char magic[sizeof NEW_MAGIC - 1];
    uint32_t entries;
    uint32_t strings_size;
    uint32_t unused[5];
};

struct new_entry {
    int32_t flags;
    uint32_t name;
    uint32_t path;
    uint32_t unused;
    uint64_t hardware;
};

/* A table of a cache: `count` entries of `step` bytes that begin like an old_entry. */
struct cache_table {
    const char *entries;
    size_t count;
    size_t step;
    const char *strings; /* where the offsets of the strings count from */
    const char *end;
};

static bool is_usable(const char *path)
{
    char reason[256];
    bool absent;
    return hs_elf_check(path, reason, sizeof reason, &absent) && !hs_dropin_of_file(path, NULL);
}

static bool find_in_directories(const Dl_serinfo *list, unsigned from, unsigned to,
                                const char *soname, char *path, size_t size)
{
    for (unsigned i = from; i < to; i++) {
        int length = snprintf(path, size, "%s/%s", list->dls_serpath[i].dls_name, soname);
        if (length > 0 && (size_t)length < size && is_usable(path)) {
            return true;
        }
    }
    return false;
}

/* The search path of the program, for free(); NULL if it cannot be had. */
static Dl_serinfo *search_path(void)
{
    void *program = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    Dl_serinfo room, *list = NULL;
    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &room) == 0 &&
        (list = malloc(room.dls_size)) != NULL) {
        memcpy(list, &room, sizeof room < room.dls_size ? sizeof room : room.dls_size);
        if (dlinfo(program, RTLD_DI_SERINFO, list) != 0) {
            free(list);
            list = NULL;
        }
    }
    if (program) {
        dlclose(program);
    }
    return list;
}

/* /lib, /usr/lib64, /usr/lib/x86_64-linux-gnu and the like. */
static bool is_system_directory(const char *name)
{
    name += strncmp(name, "/usr/", 5) == 0 ? 4 : 0;
    if (strncmp(name, "/lib", 4) != 0) {
        return false;
    }
    const char *rest = name + 4 + strspn(name + 4, "x3264");
    return *rest == '\0' || (*rest == '/' && strstr(rest, "-linux-") && !strchr(rest + 1, '/'));
}

/*
 * The number of directories before the system's own ones, which are at the end.  The dynamic
 * linker looks at its cache between the two, and its list does not mark them.  None of them is
 * there twice, so a second one is of LD_LIBRARY_PATH.
 */
static unsigned count_before_system(const Dl_serinfo *list)
{
    unsigned first = list->dls_cnt;
    while (first > 0 && is_system_directory(list->dls_serpath[first - 1].dls_name)) {
        for (unsigned i = first; i < list->dls_cnt; i++) {
            if (strcmp(list->dls_serpath[i].dls_name, list->dls_serpath[first - 1].dls_name) == 0) {
                return first;
            }
        }
        first--;
    }
    return first;
}

/* A string of the cache; "" if the offset or the string's end lies outside of the file. */
static const char *string_at(const struct cache_table *table, uint32_t at)
{
    size_t length = (size_t)(table->end - table->strings);
    return at < length && memchr(table->strings + at, '\0', length - at) ? table->strings + at : "";
}

static bool find_in_table(const struct cache_table *table, const char *soname, char *path,
                          size_t size)
{
    const char *at = table->entries;
    struct old_entry entry;
    for (size_t i = 0; i < table->count && (size_t)(table->end - at) >= table->step; i++) {
        memcpy(&entry, at, sizeof entry);
        at += table->step;
        if (strcmp(string_at(table, entry.name), soname) == 0) {
            int written = snprintf(path, size, "%s", string_at(table, entry.path));
            if (written > 0 && (size_t)written < size && is_usable(path)) {
                return true;
            }
        }
    }
    return false;
}

static bool read_new_table(struct cache_table *table, const char *bytes, const char *end)
{
    struct new_header header;
    if (end < bytes || (size_t)(end - bytes) < sizeof header) {
        return false;
    }
    memcpy(&header, bytes, sizeof header);
    *table = (struct cache_table){bytes + sizeof header, header.entries, sizeof(struct new_entry),
                                  bytes, end};
    return memcmp(header.magic, NEW_MAGIC, sizeof header.magic) == 0;
}

static bool read_table(struct cache_table *table, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    struct old_header header;
    if (read_new_table(table, bytes, end)) {
        return true;
    }
    if (length < sizeof header) {
        return false;
    }
    memcpy(&header, bytes, sizeof header);
    size_t room = (length - sizeof header) / sizeof(struct old_entry);
    if (memcmp(header.magic, OLD_MAGIC, sizeof header.magic) != 0 || header.entries > room) {
        return false;
    }
    size_t used = sizeof header + header.entries * sizeof(struct old_entry);
    size_t aligned = (used + 7) / 8 * 8; /* where the new header lies */
    if (aligned <= length && read_new_table(table, bytes + aligned, end)) {
        return true;
    }
    *table = (struct cache_table){bytes + sizeof header, header.entries, sizeof(struct old_entry),
                                  bytes + used, end};
    return true;
}

static bool find_in_cache(const char *soname, char *path, size_t size)
{
    int file = open(HIPSHIM_LD_SO_CACHE, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    struct stat status;
    bool found = false;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        size_t length = (size_t)status.st_size;
        void *cache = mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0);
        if (cache != MAP_FAILED) {
            struct cache_table table;
            found = read_table(&table, cache, length) && find_in_table(&table, soname, path, size);
            munmap(cache, length);
        }
    }
    close(file);
    return found;
}

bool hs_ld_search_find(const char *soname, char *path, size_t size)
{
    Dl_serinfo *list = search_path();
    unsigned count = list ? list->dls_cnt : 0;
    unsigned before = list ? count_before_system(list) : 0;
    bool found = (list && find_in_directories(list, 0, before, soname, path, size)) ||
                 find_in_cache(soname, path, size) ||
                 (list && find_in_directories(list, before, count, soname, path, size));
    free(list);
    return found;
}
