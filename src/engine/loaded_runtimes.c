/* SPDX-License-Identifier: MIT */
#include "engine/loaded_runtimes.h"

#include <dlfcn.h>
#include <string.h>

#include "elf/image.h"
#include "elf/notes.h"
#include "engine/api.h"

struct walk {
    const struct hs_library *library;
    struct hs_loaded_runtime *list;
    unsigned count;
    bool in_program;
    uintptr_t global; /* the address that a plain lookup of the probe gives */
};

static bool is_named(const char *stem, const struct hs_image *image, const char *path)
{
    size_t length = strlen(stem);
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    return strncmp(file, stem, length) == 0 ||
           (image->soname && strncmp(image->soname, stem, length) == 0);
}

static bool contains(const struct dl_phdr_info *info, uintptr_t address)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && address >= start && address - start < segment->p_memsz) {
            return true;
        }
    }
    return false;
}

/*
 * Reads the object's own symbol table.  dlsym on its handle would also answer for the libraries
 * that the object needs, and must not be called from within dl_iterate_phdr.
 */
static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct walk *walk = context;
    const struct hs_library *library = walk->library;
    struct hs_image image;

    (void)size;
    if (!hs_image_view_info(&image, info) || !hs_image_defines(&image, library->probe) ||
        hs_image_defines(&image, "hipshim_abi_version") || hs_dropin_of_object(info, NULL)) {
        return 0;
    }
    if (!info->dlpi_name || !*info->dlpi_name) {
        walk->in_program = true;
        return 0;
    }
    struct hs_loaded_runtime *found = &walk->list[walk->count];
    found->is_named = is_named(library->stem, &image, info->dlpi_name);
    if ((!found->is_named && !hs_image_defines(&image, library->second_probe)) ||
        strlen(info->dlpi_name) >= sizeof found->path) {
        return 0;
    }
    memcpy(found->path, info->dlpi_name, strlen(info->dlpi_name) + 1);
    found->is_global = walk->global && contains(info, walk->global);
    walk->count++;
    return walk->count == HS_LOADED_RUNTIMES_ROOM;
}

static int rank_of(const struct hs_loaded_runtime *it)
{
    return (it->is_global && (it->is_named || !hs_api.version_function)) * 2 + it->is_named;
}

/* Without a copy, which the stack of a small thread has no room for. */
static void swap(struct hs_loaded_runtime *a, struct hs_loaded_runtime *b)
{
    unsigned char *left = (unsigned char *)a, *right = (unsigned char *)b;
    for (size_t i = 0; i < sizeof *a; i++) {
        unsigned char byte = left[i];
        left[i] = right[i];
        right[i] = byte;
    }
}

unsigned hs_loaded_runtimes_find(const struct hs_library *library,
                                 struct hs_loaded_runtime list[HS_LOADED_RUNTIMES_ROOM],
                                 bool *in_program)
{
    struct walk walk = {.library = library, .list = list};

    dl_iterate_phdr(visit, &walk);
    if (walk.count > 1) { /* the global scope decides between them */
        void *global = dlsym(RTLD_DEFAULT, library->probe);
        walk = (struct walk){library, list, .global = (uintptr_t)global};
        dl_iterate_phdr(visit, &walk);
    }
    unsigned best = 0;
    for (unsigned i = 1; i < walk.count; i++) {
        if (rank_of(&list[i]) > rank_of(&list[best])) {
            best = i;
        }
    }
    for (unsigned i = best; i > 0; i--) {
        swap(&list[i], &list[i - 1]);
    }
    *in_program = walk.in_program;
    return walk.count;
}
