/* SPDX-License-Identifier: MIT */
/*
 * What an ELF file of a program or library needs and offers, read from its bytes: nothing in it is
 * executed or mapped.
 *
 * Files may have any content, be cut short, or change while they are read.  A number in a file is
 * used only as far as the file reaches.
 */
#ifndef HIPSHIM_SRC_ELF_FILE_H
#define HIPSHIM_SRC_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a file, which may be a member of a package. */
struct hs_elf_source {
    uint64_t length;
    /* Copies bytes that lie within the length; NULL, or why it cannot, until the next call. */
    const char *(*read)(void *context, void *to, uint64_t size, uint64_t at);
    void *context;
    int file; /* of hs_elf_source_open, whose source must not be copied */
};

/* Opens a regular file for reading; false with the reason.  Close it after true only. */
bool hs_elf_source_open(const char *path, struct hs_elf_source *source, char *reason, size_t size);
void hs_elf_source_close(struct hs_elf_source *source);

/* The first bytes of a file, by which hs_elf_may_be_program knows it. */
enum { HS_ELF_HEADER_SIZE = 64 };

/* A symbol with the version in which it is needed or defined. */
struct hs_elf_symbol {
    const char *name;    /* as in the file: C++ names are mangled */
    const char *version; /* such as "hip_4.2", or NULL */
    const char *library; /* the library of that version; NULL if unknown or this file */
    bool weak;
};

struct hs_elf_file {
    bool is_static;      /* it loads no libraries; all members below are empty */
    const char *soname;  /* or NULL */
    const char *rpath;   /* DT_RPATH, which comes before LD_LIBRARY_PATH; or NULL */
    const char *runpath; /* DT_RUNPATH, which comes behind it and disables an rpath; or NULL */
    const char **needed; /* names of libraries, in their order */
    size_t needed_count;
    struct hs_elf_symbol *imports; /* functions and variables that it does not define */
    size_t import_count;
    struct hs_elf_symbol *exports; /* those that it defines, default versions only */
    size_t export_count;
    bool is_drop_in;     /* it is one of hipshim's drop-ins */
    bool has_libhipshim; /* it is libhipshim, or the static library was linked into it */
    char *strings;       /* all texts above point into these two */
    void *versions;
};

/*
 * True for the header of a program or library of a machine that HIP has.  Object files, 32-bit
 * files and code for GPUs are none.
 */
bool hs_elf_may_be_program(const unsigned char header[HS_ELF_HEADER_SIZE]);

/*
 * Reads a file.  False with the reason, one line, in `reason`.  The caller frees
 * the result with hs_elf_file_free after true only.
 */
bool hs_elf_file_read(const char *path, struct hs_elf_file *elf, char *reason, size_t size);

/* The same from a source. */
bool hs_elf_file_read_source(const struct hs_elf_source *source, struct hs_elf_file *elf,
                             char *reason, size_t size);

void hs_elf_file_free(struct hs_elf_file *elf);

/*
 * The major of a library's name: 6 for "libamdhip64.so.6" and the stem "libamdhip64"; 0 for
 * another library, -1 for the stem without a number.
 */
int hs_elf_file_major(const char *name, const char *stem);

#endif
