/* SPDX-License-Identifier: MIT */
#include "loader/ld_search.h"

#include "elf/dropin_note.h"
#include "elf/image.h"

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

/* The tests put a file of their own here. */
#ifndef HIPSHIM_LD_SO_CACHE
#define HIPSHIM_LD_SO_CACHE "/etc/ld.so.cache"
#endif

/* The cache of glibc since 2.32, in the byte order of the machine. */
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

struct cache_header {
    char magic[sizeof CACHE_MAGIC - 1];
    uint32_t entries;
    uint32_t strings_size;
    uint32_t unused[5];
};

struct cache_entry {
    int32_t flags;
    uint32_t name; /* both from the start of the file */
    uint32_t path;
    uint32_t unused;
    uint64_t hardware;
};

static int usable(const char *path)
{
    char reason[256];
    int absent;

    return hs_elf_file_check(path, reason, sizeof reason, &absent) == 0 &&
           hs_dropin_note_of_file(path) == 0;
}

static int find_on_path(const char *soname, char *path, size_t size)
{
    void *program = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    Dl_serinfo room, *list = NULL;
    int found = -1;
    unsigned i;

    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &room) == 0 &&
        (list = malloc(room.dls_size)) != NULL) {
        memcpy(list, &room, sizeof room < room.dls_size ? sizeof room : room.dls_size);
        if (dlinfo(program, RTLD_DI_SERINFO, list) == 0) {
            for (i = 0; i < list->dls_cnt && found != 0; i++) {
                int length = snprintf(path, size, "%s/%s", list->dls_serpath[i].dls_name, soname);

                found = length > 0 && (size_t)length < size && usable(path) ? 0 : -1;
            }
        }
    }
    free(list);
    if (program) {
        dlclose(program);
    }
    return found;
}

static const char *string_at(const char *cache, size_t length, uint32_t at)
{
    return at < length && memchr(cache + at, '\0', length - at) ? cache + at : "";
}

static int find_in(const char *cache, size_t length, const char *soname, char *path, size_t size)
{
    struct cache_header header;
    struct cache_entry entry;
    size_t i, at = sizeof header;

    if (length < sizeof header) {
        return -1;
    }
    memcpy(&header, cache, sizeof header);
    if (memcmp(header.magic, CACHE_MAGIC, sizeof header.magic) != 0) {
        return -1; /* older than the releases of HIP that hipshim knows */
    }
    for (i = 0; i < header.entries && length - at >= sizeof entry; i++, at += sizeof entry) {
        memcpy(&entry, cache + at, sizeof entry);
        if (strcmp(string_at(cache, length, entry.name), soname) == 0) {
            int written = snprintf(path, size, "%s", string_at(cache, length, entry.path));

            if (written > 0 && (size_t)written < size && usable(path)) {
                return 0;
            }
        }
    }
    return -1;
}

static int find_in_cache(const char *soname, char *path, size_t size)
{
    int file = open(HIPSHIM_LD_SO_CACHE, O_RDONLY | O_CLOEXEC);
    struct stat status;
    int found = -1;

    if (file < 0) {
        return -1;
    }
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        size_t length = (size_t)status.st_size;
        void *cache = mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0);

        if (cache != MAP_FAILED) {
            found = find_in(cache, length, soname, path, size);
            munmap(cache, length);
        }
    }
    close(file);
    return found;
}

int hs_ld_search_find(const char *soname, char *path, size_t size)
{
    return find_on_path(soname, path, size) == 0 ? 0 : find_in_cache(soname, path, size);
}
