/* SPDX-License-Identifier: MIT */
/* Objects that are loaded into this process, read through their dynamic sections. */
#ifndef HIPSHIM_SRC_ELF_IMAGE_H
#define HIPSHIM_SRC_ELF_IMAGE_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct hs_image {
    uintptr_t base;
    const ElfW(Dyn) * dynamic;
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash;              /* NULL if the object has none */
    const ElfW(Word) * sysv_hash;          /* NULL if the object has none */
    const ElfW(Versym) * versions;         /* NULL if its symbols have none */
    const char *soname;                    /* NULL if the object has none */
    const ElfW(Verneed) * needed_versions; /* NULL if it needs symbols of no version */
};

/* False if the object has no usable dynamic section. */
bool hs_image_view(struct hs_image *image, uintptr_t base, const ElfW(Dyn) * dynamic);

/* The same for an object that dl_iterate_phdr gives. */
bool hs_image_view_info(struct hs_image *image, const struct dl_phdr_info *info);

/* Like hs_image_view, but sets only what hs_image_needed reads, which takes less time. */
bool hs_image_view_needed(struct hs_image *image, uintptr_t base, const ElfW(Dyn) * dynamic);

/*
 * The next name of a library that the object needs.  `at` is NULL before the first call; it is
 * NULL again, and the result is NULL, after the last.
 */
const char *hs_image_needed(const struct hs_image *image, const ElfW(Dyn) * *at);

/*
 * Calls `visit` with each version of symbols that the object needs from the library of this
 * soname.
 */
void hs_image_visit_versions(const struct hs_image *image, const char *soname,
                             void (*visit)(const char *version, void *context), void *context);

/*
 * True if this very object, not one that it depends on, defines the name as a function.  Data
 * does not count: some programs keep function pointers in variables with the names of HIP's
 * functions.
 */
bool hs_image_defines(const struct hs_image *image, const char *name);

/*
 * The address of a function that this very object defines in its default version; NULL if it does
 * not.  The answer is that of dlsym, in a fifth of the time: the first call of a program looks up
 * hundreds of names, and dlsym would look for absent ones in every library that the object needs.
 * Unlike dlsym it does not take the dynamic linker's lock.
 */
void *hs_image_function(const struct hs_image *image, const char *name);

#endif
