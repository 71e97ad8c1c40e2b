/* SPDX-License-Identifier: MIT */
#include "loader/ld_search.h"

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

/* The format of the cache that glibc writes since 2.32, in the byte order of the machine. */
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

struct cache_header {
    char magic[sizeof CACHE_MAGIC - 1];
    uint32_t entries;
    uint32_t strings_size;
    uint32_t unused[5];
};

struct cache_entry {
    int32_t flags;
    uint32_t name; /* offsets from the start of the file */
    uint32_t path;
    uint32_t unused;
    uint64_t hardware;
};

static bool is_usable(const char *path)
{
    char reason[256];
    bool absent;
    return hs_elf_check(path, reason, sizeof reason, &absent) && hs_dropin_note_of_file(path) == 0;
}

static bool find_in_list(const Dl_serinfo *list, const char *soname, char *path, size_t size)
{
    for (unsigned i = 0; i < list->dls_cnt; i++) {
        int length = snprintf(path, size, "%s/%s", list->dls_serpath[i].dls_name, soname);
        if (length > 0 && (size_t)length < size && is_usable(path)) {
            return true;
        }
    }
    return false;
}

static bool find_on_path(const char *soname, char *path, size_t size)
{
    void *program = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    Dl_serinfo room, *list = NULL;
    bool found = false;

    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &room) == 0 &&
        (list = malloc(room.dls_size)) != NULL) {
        memcpy(list, &room, sizeof room < room.dls_size ? sizeof room : room.dls_size);
        found =
            dlinfo(program, RTLD_DI_SERINFO, list) == 0 && find_in_list(list, soname, path, size);
    }
    free(list);
    if (program) {
        dlclose(program);
    }
    return found;
}

/* A string of the cache; "" if the offset or the string's end lies outside of the file. */
static const char *string_at(const char *cache, size_t length, uint32_t at)
{
    return at < length && memchr(cache + at, '\0', length - at) ? cache + at : "";
}

static bool find_in_bytes(const char *cache, size_t length, const char *soname, char *path,
                          size_t size)
{
    struct cache_header header;
    if (length < sizeof header) {
        return false;
    }
    memcpy(&header, cache, sizeof header);
    if (memcmp(header.magic, CACHE_MAGIC, sizeof header.magic) != 0) {
        return false;
    }
    struct cache_entry entry;
    size_t at = sizeof header;
    for (size_t i = 0; i < header.entries && length - at >= sizeof entry; i++, at += sizeof entry) {
        memcpy(&entry, cache + at, sizeof entry);
        if (strcmp(string_at(cache, length, entry.name), soname) == 0) {
            int written = snprintf(path, size, "%s", string_at(cache, length, entry.path));
            if (written > 0 && (size_t)written < size && is_usable(path)) {
                return true;
            }
        }
    }
    return false;
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
            found = find_in_bytes(cache, length, soname, path, size);
            munmap(cache, length);
        }
    }
    close(file);
    return found;
}

bool hs_ld_search_find(const char *soname, char *path, size_t size)
{
    return find_on_path(soname, path, size) || find_in_cache(soname, path, size);
}
