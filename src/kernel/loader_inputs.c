/* SPDX-License-Identifier: MIT */
/*
 * What the dynamic linker read to open a library: the files of the library and
 * of all that it needs, and the directories in which it looked for them.
 */
#include "kernel/kernel.h"

#include "base/file_stamp.h"
#include "elf/image.h"

#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 128, NAMES = 512, DIRECTORIES = 64 };

struct needs {
    const char *wanted[NAMES]; /* paths or sonames; they are in objects that stay */
    unsigned char is_found[NAMES];
    unsigned wanted_count;
    const char *files[FILES];
    unsigned file_count, own_count; /* the first of them are libhipshim and what it needs */
    char *directories[DIRECTORIES]; /* from malloc */
    unsigned directory_count;
    int unsure, grew;
    struct timespec before;
    FILE *stream;
};

static void want(struct needs *needs, const char *name)
{
    for (unsigned i = 0; i < needs->wanted_count; i++) {
        if (strcmp(needs->wanted[i], name) == 0) {
            return;
        }
    }
    if (needs->wanted_count == NAMES) {
        needs->unsure = 1;
    } else {
        needs->is_found[needs->wanted_count] = 0;
        needs->wanted[needs->wanted_count++] = name;
    }
}

static void add_directory(struct needs *needs, const char *start, size_t size, const char *rest,
                          size_t rest_size)
{
    char *path = NULL;

    if (asprintf(&path, "%.*s%.*s", (int)size, start, (int)rest_size, rest) < 0 || path[0] != '/' ||
        strchr(path, '$') || needs->directory_count == DIRECTORIES) {
        needs->unsure = 1;
        free(path);
        return;
    }
    for (unsigned i = 0; i < needs->directory_count; i++) {
        if (strcmp(needs->directories[i], path) == 0) {
            free(path);
            return;
        }
    }
    needs->directories[needs->directory_count++] = path;
}

/* A list by colons, as linkers write it into objects. */
static void add_run_path(struct needs *needs, const char *object, const char *list)
{
    static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};

    for (size_t size = 0;; list += size + 1) {
        size_t origin = 0;

        size = strcspn(list, ":");
        for (unsigned i = 0; i < 2; i++) {
            if (strncmp(list, origins[i], strlen(origins[i])) == 0) {
                origin = strlen(origins[i]);
            }
        }
        if (origin > 0 && strchr(object, '/')) {
            add_directory(needs, object, (size_t)(strrchr(object, '/') - object), list + origin,
                          size - origin);
        } else {
            add_directory(needs, list, size, "", 0);
        }
        if (!list[size]) {
            return;
        }
    }
}

static const ElfW(Dyn) * dynamic_of(const struct dl_phdr_info *info)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

            return (const ElfW(Dyn) *)at; /* NOLINT(performance-no-int-to-ptr): the linker's */
        }
    }
    return NULL;
}

static int is_wanted(struct needs *needs, const char *path, const char *soname)
{
    const char *slash = strrchr(path, '/');
    int result = 0;

    for (unsigned i = 0; i < needs->wanted_count; i++) {
        const char *name = needs->wanted[i];

        if (strcmp(name, path) == 0 || (slash && strcmp(name, slash + 1) == 0) ||
            (soname && strcmp(name, soname) == 0)) {
            result = needs->is_found[i] = 1;
        }
    }
    return result;
}

static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct needs *needs = context;
    struct hs_image object;
    int is_self = needs->own_count == 0 && hs_kernel_needs_is_self(info);

    (void)size;
    for (unsigned i = 0; i < needs->file_count; i++) {
        if (needs->files[i] == info->dlpi_name) {
            return 0;
        }
    }
    if (hs_image_view_info(&object, info) != 0 ||
        (!is_wanted(needs, info->dlpi_name, object.soname) && !is_self)) {
        return 0;
    }
    if (needs->file_count == FILES) {
        needs->unsure = 1;
        return 1;
    }
    needs->files[needs->file_count++] = info->dlpi_name;
    needs->grew = 1;
    for (const ElfW(Dyn) *at = dynamic_of(info); at && at->d_tag != DT_NULL; at++) {
        if (at->d_tag == DT_NEEDED) {
            want(needs, object.strings + at->d_un.d_val);
        } else if (at->d_tag == DT_RPATH || at->d_tag == DT_RUNPATH) {
            add_run_path(needs, info->dlpi_name, object.strings + at->d_un.d_val);
        }
    }
    return 0;
}

/* Adds what the objects need that are wanted so far. */
static void close_over(struct needs *needs)
{
    do {
        needs->grew = 0;
        dl_iterate_phdr(visit, needs);
    } while (needs->grew && !needs->unsure);
}

int hs_kernel_needs_is_self(const struct dl_phdr_info *info)
{
    uintptr_t here = (uintptr_t)&hs_kernel_needs_is_self;

    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        if (part->p_type == PT_LOAD && here - info->dlpi_addr - part->p_vaddr < part->p_memsz) {
            return 1;
        }
    }
    return 0;
}

int hs_kernel_needs_path(void (*visit_directory)(void *context, const char *path), void *context)
{
    void *program = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    Dl_serinfo room, *list = NULL;
    int result = -1;

    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &room) == 0 &&
        (list = malloc(room.dls_size)) != NULL) {
        memcpy(list, &room, sizeof room < room.dls_size ? sizeof room : room.dls_size);
        result = dlinfo(program, RTLD_DI_SERINFO, list) == 0 ? 0 : -1;
        for (unsigned i = 0; result == 0 && i < list->dls_cnt; i++) {
            visit_directory(context, list->dls_serpath[i].dls_name);
        }
    }
    free(list);
    if (program) {
        dlclose(program);
    }
    return result;
}

static void add_search_directory(void *context, const char *path)
{
    add_directory(context, path, strlen(path), "", 0);
}

/* Where the path leads now, unless it changed since the library was opened. */
static void print(struct needs *needs, const char *path, int may_be_absent)
{
    char line[HS_FILE_STAMP_ROOM];
    struct timespec changed;

    if (hs_file_stamp_line(path, &changed, line, sizeof line) < 0 ||
        !hs_file_stamp_is_before(&changed, &needs->before) ||
        (changed.tv_sec == 0 && !may_be_absent)) {
        needs->unsure = 1;
    } else {
        fputs(line, needs->stream);
    }
}

static void join(struct needs *needs, char path[HS_FILE_STAMP_ROOM], const char *directory,
                 const char *name)
{
    int length = snprintf(path, HS_FILE_STAMP_ROOM, "%s/%s", directory, name);

    needs->unsure |= length < 0 || length >= HS_FILE_STAMP_ROOM;
}

static void print_below(struct needs *needs, const char *parent)
{
    DIR *directory = opendir(parent);
    const struct dirent *entry;
    char path[HS_FILE_STAMP_ROOM];

    print(needs, parent, 1);
    while (directory && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] != '.') {
            join(needs, path, parent, entry->d_name);
            print(needs, path, 0);
        }
    }
    if (directory) {
        closedir(directory);
    }
}

/*
 * A file that comes or goes changes its directory.  The linker also looks into
 * some directories below, by the kind of processor.
 */
static void print_directory(struct needs *needs, const char *directory)
{
    static const char *const below[] = {"tls",     "haswell", "xeon_phi", "x86_64",
                                        "atomics", "power8",  "power9",   "power10"};
    char path[HS_FILE_STAMP_ROOM];

    print(needs, directory, 1);
    for (unsigned i = 0; i < sizeof below / sizeof below[0]; i++) {
        join(needs, path, directory, below[i]);
        needs->unsure |= access(path, F_OK) == 0;
    }
    join(needs, path, directory, "glibc-hwcaps");
    if (access(path, F_OK) == 0) {
        print_below(needs, path);
    }
}

int hs_kernel_needs_print(const struct hs_runtime *runtime, FILE *stream)
{
    struct needs *needs = calloc(1, sizeof *needs);
    int result;

    if (!needs) {
        return -1;
    }
    needs->stream = stream;
    needs->before = runtime->begun;
    close_over(needs);
    needs->own_count = needs->file_count;
    want(needs, runtime->path);
    close_over(needs);
    for (unsigned i = 0; i < needs->wanted_count; i++) {
        needs->unsure |= !needs->is_found[i];
    }
    needs->unsure |= hs_kernel_needs_path(add_search_directory, needs) != 0;
    /* Who uses libhipshim has mapped it, and what it needs, already. */
    for (unsigned i = needs->own_count; i < needs->file_count && !needs->unsure; i++) {
        print(needs, needs->files[i], 0);
    }
    for (unsigned i = 0; i < needs->directory_count; i++) {
        if (!needs->unsure) {
            print_directory(needs, needs->directories[i]);
        }
        free(needs->directories[i]);
    }
    /* Not /etc/ld.so.cache, which is among the files of the compiler. */
    result = needs->unsure ? -1 : 0;
    free(needs);
    return result;
}
