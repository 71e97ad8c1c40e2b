/* SPDX-License-Identifier: MIT */
/*
 * What an ELF file of a program or library says of what it needs, read from the
 * file itself: nothing in it is run or mapped.
 *
 * Files may be of any content, cut short or changing while they are read; a
 * number in them is believed only as far as the file reaches.
 */
#ifndef HIPSHIM_SRC_ELF_FILE_H
#define HIPSHIM_SRC_ELF_FILE_H

#include <stddef.h>

/* A symbol with the version that it is needed, or given, in. */
struct hs_elf_symbol {
    const char *name;    /* as it stands: C++ names are mangled */
    const char *version; /* such as "hip_4.2", or NULL */
    const char *library; /* whose version that is; NULL: unknown, or this very file's */
    int weak;
};

struct hs_elf_file {
    int is_static;       /* it loads no libraries: all below is empty */
    const char *soname;  /* NULL if it has none */
    const char *rpath;   /* DT_RPATH, which comes before LD_LIBRARY_PATH; or NULL */
    const char *runpath; /* DT_RUNPATH, which comes behind it and makes an rpath void; or NULL */
    const char **needed; /* names of libraries, in their order */
    size_t needed_count;
    struct hs_elf_symbol *imports; /* functions and variables it does not define */
    size_t import_count;
    struct hs_elf_symbol *exports; /* and those it does, default versions only */
    size_t export_count;
    unsigned drop_in; /* the major of HIP it stands in for as one of hipshim's, or 0 */
    char *strings;    /* what all of the above point into */
    void *versions;
};

/*
 * Reads a file; 0, or -1 with one line in `reason` that says what is wrong with
 * it.  Free the result with hs_elf_file_free after 0 only.
 */
int hs_elf_file_read(const char *path, struct hs_elf_file *elf, char *reason, size_t size);

void hs_elf_file_free(struct hs_elf_file *elf);

/*
 * The major of a library's name: 6 for "libamdhip64.so.6" and a stem of
 * "libamdhip64"; 0 for another library, -1 for the stem without a number.
 */
int hs_elf_file_major(const char *name, const char *stem);

#endif
