/* SPDX-License-Identifier: MIT */
#include "loader/loaded_runtimes.h"

#include "elf/dropin_note.h"
#include "elf/image.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct walk {
    struct hs_loaded_runtime *list;
    unsigned count;
    int in_program;
    uintptr_t global; /* what a plain lookup of hipRuntimeGetVersion gives */
};

static int is_named(const struct hs_image *object, const char *path)
{
    static const char stem[] = "libamdhip64";
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;

    return strncmp(file, stem, sizeof stem - 1) == 0 ||
           (object->soname && strncmp(object->soname, stem, sizeof stem - 1) == 0);
}

static int contains(const struct dl_phdr_info *info, uintptr_t address)
{
    unsigned i;

    for (i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_LOAD && address >= start && address - start < segment->p_memsz) {
            return 1;
        }
    }
    return 0;
}

/*
 * Reads the object's own symbol table.  dlsym on its handle would also answer
 * for the libraries it depends on, and must not be called from in here.
 */
static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct walk *walk = context;
    struct hs_image object;
    struct hs_loaded_runtime *mapped = &walk->list[walk->count];

    (void)size;
    if (hs_image_view_info(&object, info) != 0 ||
        !hs_image_defines(&object, "hipRuntimeGetVersion") ||
        hs_image_defines(&object, "hipshim_abi_version") || hs_dropin_note_of_object(info, NULL) != 0) {
        return 0;
    }
    if (!info->dlpi_name || !*info->dlpi_name) {
        walk->in_program = 1;
        return 0;
    }
    mapped->named = is_named(&object, info->dlpi_name);
    if (!mapped->named && !hs_image_defines(&object, "hipMalloc")) {
        return 0;
    }
    if (strlen(info->dlpi_name) >= sizeof mapped->path) {
        return 0;
    }
    memcpy(mapped->path, info->dlpi_name, strlen(info->dlpi_name) + 1);
    mapped->global = walk->global && contains(info, walk->global);
    walk->count++;
    return walk->count == HS_LOADED_RUNTIMES_ROOM;
}

static int rank(const struct hs_loaded_runtime *mapped)
{
    return (mapped->named && mapped->global) * 2 + mapped->named;
}

unsigned hs_loaded_runtimes_find(struct hs_loaded_runtime list[HS_LOADED_RUNTIMES_ROOM], int *in_program)
{
    struct walk walk = {.list = list};
    unsigned i, best = 0;

    dl_iterate_phdr(visit, &walk);
    if (walk.count > 1) { /* which of them global look-ups reach decides */
        void *global = dlsym(RTLD_DEFAULT, "hipRuntimeGetVersion");

        walk = (struct walk){.list = list, .global = (uintptr_t)global};
        dl_iterate_phdr(visit, &walk);
    }
    for (i = 1; i < walk.count; i++) {
        if (rank(&list[i]) > rank(&list[best])) {
            best = i;
        }
    }
    if (best != 0) {
        struct hs_loaded_runtime first = list[best];

        memmove(&list[1], &list[0], best * sizeof list[0]);
        list[0] = first;
    }
    *in_program = walk.in_program;
    return walk.count;
}
