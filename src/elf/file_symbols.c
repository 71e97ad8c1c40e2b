/* SPDX-License-Identifier: MIT */
/* The second half of file.h: versions and symbols. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf/file_reader.h"

/* Version indices have 15 bits; a chain that is longer than the limit is a loop. */
enum { VERSION_COUNT = 0x8000, CHAIN_LIMIT = 4096 };

/* Ten times as many as the largest libraries of ROCm and PyTorch have. */
enum { SYMBOL_LIMIT = 1 << 20 };

/* A segment may go on for gigabytes of GPU code behind a table of versions, which is small. */
enum { VERSIONS_SIZE_LIMIT = 1 << 20 };

static void set_version(const struct hs_elf_reader *reader, unsigned index, const char *library,
                        uint64_t name)
{
    index &= VERSION_COUNT - 1;
    reader->versions[index].library = library;
    reader->versions[index].name = hs_elf_reader_text(reader, name);
}

/* The versions in which one library is needed. */
static void read_needed_versions(const struct hs_elf_reader *reader, const char *table,
                                 uint64_t size, uint64_t at, const Elf64_Verneed *need)
{
    const char *library = hs_elf_reader_text(reader, need->vn_file);
    Elf64_Vernaux aux;

    at += need->vn_aux;
    for (unsigned i = 0; i < need->vn_cnt && i < CHAIN_LIMIT && at <= size - sizeof aux; i++) {
        memcpy(&aux, table + at, sizeof aux);
        set_version(reader, aux.vna_other, library, aux.vna_name);
        if (aux.vna_next == 0) {
            return;
        }
        at += aux.vna_next;
    }
}

/*
 * Reads the table of versions that a dynamic entry points to.  The file does not tell its size, so
 * it is read up to the end of its segment or the limit.  False with a reason; *table is NULL if
 * there is no such entry.
 */
static bool read_table(const struct hs_elf_reader *reader, int64_t tag, uint64_t least,
                       const char *what, char **table, uint64_t *size)
{
    uint64_t address = hs_elf_reader_dynamic(reader, tag), at;

    *table = NULL;
    if (address == 0) {
        return true;
    }
    if (!hs_elf_reader_find(reader, address, &at, size) || *size < least) {
        return hs_elf_reader_fail(reader, "its %s lie outside of the file", what);
    }
    *size = *size < VERSIONS_SIZE_LIMIT ? *size : VERSIONS_SIZE_LIMIT;
    *table = hs_elf_reader_part(reader, at, *size, what);
    return *table != NULL;
}

static bool read_needs(const struct hs_elf_reader *reader)
{
    Elf64_Verneed need;
    char *table;
    uint64_t size, at = 0;

    if (!read_table(reader, DT_VERNEED, sizeof(Elf64_Vernaux), "version requirements", &table,
                    &size)) {
        return false;
    }
    for (unsigned i = 0; table && i < CHAIN_LIMIT && at <= size - sizeof need; i++) {
        memcpy(&need, table + at, sizeof need);
        read_needed_versions(reader, table, size, at, &need);
        if (need.vn_next == 0) {
            break;
        }
        at += need.vn_next;
    }
    free(table);
    return true;
}

/* The versions that the file gives to its own symbols. */
static bool read_definitions(const struct hs_elf_reader *reader)
{
    Elf64_Verdef definition;
    Elf64_Verdaux aux;
    char *table;
    uint64_t size, at = 0;

    if (!read_table(reader, DT_VERDEF, sizeof definition + sizeof aux, "versions", &table, &size)) {
        return false;
    }
    for (unsigned i = 0; table && i < CHAIN_LIMIT && at <= size - sizeof definition; i++) {
        memcpy(&definition, table + at, sizeof definition);
        if (definition.vd_aux <= size - sizeof aux && at <= size - sizeof aux - definition.vd_aux &&
            !(definition.vd_flags & VER_FLG_BASE)) {
            memcpy(&aux, table + at + definition.vd_aux, sizeof aux);
            set_version(reader, definition.vd_ndx, NULL, aux.vda_name);
        }
        if (definition.vd_next == 0) {
            break;
        }
        at += definition.vd_next;
    }
    free(table);
    return true;
}

/* The count that the section headers give, which a stripped file may lack. */
static uint64_t count_by_sections(const struct hs_elf_reader *reader, uint64_t address)
{
    const Elf64_Ehdr *header = &reader->header;
    if (header->e_shnum == 0 || header->e_shentsize != sizeof(Elf64_Shdr)) {
        return 0;
    }
    char ignored[128];
    struct hs_elf_reader quiet = *reader;
    quiet.reason = ignored;
    quiet.reason_size = sizeof ignored;
    Elf64_Shdr *sections = hs_elf_reader_part(
        &quiet, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections, "section headers");
    uint64_t count = 0;
    for (unsigned i = 0; sections && i < header->e_shnum; i++) {
        if (sections[i].sh_type == SHT_DYNSYM && sections[i].sh_addr == address) {
            count = sections[i].sh_size / sizeof(Elf64_Sym);
        }
    }
    free(sections);
    return count;
}

/* The dynamic section does not say how many symbols there are. */
static uint64_t count_symbols(const struct hs_elf_reader *reader, uint64_t address)
{
    uint64_t hash = hs_elf_reader_dynamic(reader, DT_HASH);
    uint64_t strings = hs_elf_reader_dynamic(reader, DT_STRTAB);
    uint64_t count = count_by_sections(reader, address);

    if (count == 0 && hash != 0) {
        uint32_t *counts = hs_elf_reader_address(reader, hash, 2 * sizeof *counts, "hash table");
        count = counts ? counts[1] : 0;
        free(counts);
    }
    if (count == 0 && strings > address) { /* every linker puts the names right behind them */
        count = (strings - address) / sizeof(Elf64_Sym);
    }
    return count;
}

static uint16_t *read_indices(const struct hs_elf_reader *reader, uint64_t count)
{
    uint64_t address = hs_elf_reader_dynamic(reader, DT_VERSYM);
    return address
               ? hs_elf_reader_address(reader, address, count * sizeof(uint16_t), "version indices")
               : calloc(count + 1, sizeof(uint16_t));
}

static void add_symbol(const struct hs_elf_reader *reader, struct hs_elf_file *elf,
                       const Elf64_Sym *symbol, unsigned index)
{
    const struct hs_elf_version *version = &reader->versions[index & (VERSION_COUNT - 1)];
    unsigned binding = symbol->st_info >> 4;
    const char *name = hs_elf_reader_text(reader, symbol->st_name);
    struct hs_elf_symbol found = {name, version->name, version->library, binding == STB_WEAK};

    if (!name || !*name || binding == STB_LOCAL) {
        return;
    }
    if (symbol->st_shndx == SHN_UNDEF) {
        elf->imports[elf->import_count++] = found;
    } else if (!(index & VERSION_COUNT) && symbol->st_shndx != SHN_ABS) {
        elf->exports[elf->export_count++] = found;
    }
}

static bool read_symbols(const struct hs_elf_reader *reader, struct hs_elf_file *elf)
{
    uint64_t address = hs_elf_reader_dynamic(reader, DT_SYMTAB);
    uint64_t count = count_symbols(reader, address);
    if (count > SYMBOL_LIMIT) {
        return hs_elf_reader_fail(reader, "it would have %" PRIu64 " symbols, and the limit is %d",
                                  count, SYMBOL_LIMIT);
    }
    Elf64_Sym *symbols = hs_elf_reader_address(reader, address, count * sizeof *symbols, "symbols");
    uint16_t *indices = symbols ? read_indices(reader, count) : NULL;
    elf->imports = calloc(count + 1, sizeof *elf->imports);
    elf->exports = calloc(count + 1, sizeof *elf->exports);
    bool whole = symbols && indices && elf->imports && elf->exports;
    for (uint64_t i = 1; whole && i < count; i++) {
        add_symbol(reader, elf, &symbols[i], indices[i]);
    }
    if (symbols && indices && !whole) {
        hs_elf_reader_fail(reader, "out of memory");
    }
    free(symbols);
    free(indices);
    return whole;
}

bool hs_elf_reader_symbols(struct hs_elf_reader *reader, struct hs_elf_file *elf)
{
    reader->versions = calloc(VERSION_COUNT, sizeof *reader->versions);
    if (!reader->versions) {
        return hs_elf_reader_fail(reader, "out of memory");
    }
    return read_needs(reader) && read_definitions(reader) && read_symbols(reader, elf);
}
