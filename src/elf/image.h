/* SPDX-License-Identifier: MIT */
/*
 * What the loader must know of ELF: whether a file can be a library for this
 * process, and which functions an object in memory defines.
 */
#ifndef HIPSHIM_SRC_ELF_IMAGE_H
#define HIPSHIM_SRC_ELF_IMAGE_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Looks at a file before dlopen does.  dlopen's own words ("wrong ELF class:
 * ELFCLASS32", "invalid ELF header") help few people, and a file cut short
 * behind its headers makes it die of SIGBUS.
 *
 * Returns 0, or -1 with one line in `reason`.  `absent` is set when there is
 * no such file at all, as opposed to one that cannot be used.
 */
int hs_elf_file_check(const char *path, char *reason, size_t size, int *absent);

/* The dynamic section of an object that is mapped into this process. */
struct hs_image {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash;      /* NULL if the object has none */
    const ElfW(Word) * sysv_hash;  /* NULL if the object has none */
    const ElfW(Versym) * versions; /* NULL if its symbols have none */
    const char *soname;            /* NULL if the object has none */
};

/* Returns 0, or -1 if the object has no usable dynamic section. */
int hs_image_view(struct hs_image *object, uintptr_t base, const ElfW(Dyn) * dynamic);

/* The same of an object given by dl_iterate_phdr. */
int hs_image_view_info(struct hs_image *object, const struct dl_phdr_info *info);

/*
 * True if this very object, not one it depends on, defines the name as a
 * function.  Data does not count: some programs keep function pointers in
 * variables with the names of HIP's functions.
 */
int hs_image_defines(const struct hs_image *object, const char *name);

/*
 * The address of a function that this very object defines, in its default
 * version; NULL if it does not.  What dlsym would say, at a fifth of its time:
 * hundreds of names are looked up at the first call of a program, and those
 * that are not there would be looked for in every library it depends on.
 *
 * `unsure` is set, and NULL returned, where only dlsym can tell: the object has
 * no GNU hash table, or the function is chosen at run time (IFUNC).
 */
void *hs_image_function(const struct hs_image *object, const char *name, int *unsure);

#endif
