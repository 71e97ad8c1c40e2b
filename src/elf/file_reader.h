/* SPDX-License-Identifier: MIT */
/* Parts of a file, for file.c, which reads its header, and file_symbols.c. */
#ifndef HIPSHIM_SRC_ELF_FILE_READER_H
#define HIPSHIM_SRC_ELF_FILE_READER_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#include "elf/file.h"

/* Far above the sizes that linkers write, because a damaged file may claim any size. */
enum { HS_ELF_TABLE_LIMIT = 1 << 28 };

struct hs_elf_version {
    const char *library;
    const char *name;
};

struct hs_elf_reader {
    const struct hs_elf_source *source;
    char *reason;
    size_t reason_size;
    Elf64_Ehdr header;
    Elf64_Phdr *segments;
    Elf64_Dyn *dynamic;
    size_t dynamic_count;
    char *strings;
    uint64_t strings_size;
    struct hs_elf_version *versions; /* by index */
};

/* Writes the reason and returns false. */
__attribute__((format(printf, 2, 3))) bool hs_elf_reader_fail(const struct hs_elf_reader *reader,
                                                              const char *format, ...);

/* Part of the file, from malloc, with a null byte behind it; NULL with a reason. */
void *hs_elf_reader_part(const struct hs_elf_reader *reader, uint64_t at, uint64_t size,
                         const char *what);

/* The same for an address. */
void *hs_elf_reader_address(const struct hs_elf_reader *reader, uint64_t address, uint64_t size,
                            const char *what);

/* Finds the offset in the file of an address, and the bytes that follow in its segment. */
bool hs_elf_reader_find(const struct hs_elf_reader *reader, uint64_t address, uint64_t *at,
                        uint64_t *room);

/* The value of an entry of the dynamic section; 0 if there is none. */
uint64_t hs_elf_reader_dynamic(const struct hs_elf_reader *reader, int64_t tag);

/* A text of the string table; NULL if the offset lies outside of it. */
const char *hs_elf_reader_text(const struct hs_elf_reader *reader, uint64_t offset);

/* Reads the versions and the symbols. */
bool hs_elf_reader_symbols(struct hs_elf_reader *reader, struct hs_elf_file *elf);

#endif
