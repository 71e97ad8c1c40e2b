/* SPDX-License-Identifier: MIT */
#include "elf/file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/dropin_note.h"

/* Far above what linkers write; a file may claim anything. */
enum { TABLE_MOST = 1 << 28, SEGMENTS_MOST = 4096, VERSIONS = 0x8000, CHAIN_MOST = 4096 };

struct version {
    const char *library;
    const char *name;
};

struct reader {
    int file;
    uint64_t length;
    char *reason;
    size_t reason_size;
    Elf64_Ehdr header;
    Elf64_Phdr *segments;
    Elf64_Dyn *dynamic;
    size_t dynamic_count;
    char *strings;
    uint64_t strings_size;
    struct version *versions; /* VERSIONS of them, by index */
};

__attribute__((format(printf, 2, 3))) static int fail(const struct reader *reader,
                                                      const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reader->reason, reader->reason_size, format, arguments);
    va_end(arguments);
    return -1;
}

/* Part of the file in memory of its own, with a NUL behind; NULL if it is not there. */
static void *read_part(const struct reader *reader, uint64_t at, uint64_t size, const char *what)
{
    char *part;
    uint64_t got = 0;

    if (size > reader->length || at > reader->length - size) {
        fail(reader, "the file is cut short: its %s would end at byte %" PRIu64, what, at + size);
        return NULL;
    }
    if (size > TABLE_MOST || !(part = calloc(1, size + 1))) {
        fail(reader, "its %s would take %" PRIu64 " bytes", what, size);
        return NULL;
    }
    while (got < size) {
        ssize_t more = pread(reader->file, part + got, size - got, (off_t)(at + got));

        if (more <= 0) {
            fail(reader, "its %s cannot be read: %s", what,
                 more < 0 ? strerror(errno) : "the file became shorter");
            free(part);
            return NULL;
        }
        got += (uint64_t)more;
    }
    part[size] = '\0';
    return part;
}

static int check_header(const struct reader *reader)
{
    const unsigned char *ident = reader->header.e_ident;

    if (memcmp(ident, ELFMAG, SELFMAG) != 0) {
        return fail(reader, "it is no ELF file");
    }
    if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB) {
        return fail(reader, "it is for %s machines, for which there is no HIP",
                    ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "other");
    }
    if (reader->header.e_type != ET_DYN && reader->header.e_type != ET_EXEC) {
        return fail(reader, "it is an ELF file but no program or library");
    }
    if (reader->header.e_phentsize != sizeof(Elf64_Phdr) || reader->header.e_phnum == 0 ||
        reader->header.e_phnum > SEGMENTS_MOST) {
        return fail(reader, "it is an ELF file with damaged program headers");
    }
    return 0;
}

static int read_header(struct reader *reader)
{
    struct stat status;
    void *part;

    if (fstat(reader->file, &status) != 0 || !S_ISREG(status.st_mode)) {
        return fail(reader, "it is not a regular file");
    }
    reader->length = (uint64_t)status.st_size;
    if (reader->length == 0) {
        return fail(reader, "the file is empty");
    }
    if (reader->length < sizeof reader->header) {
        return fail(reader, "it is no ELF file");
    }
    part = read_part(reader, 0, sizeof reader->header, "header");
    if (!part) {
        return -1;
    }
    memcpy(&reader->header, part, sizeof reader->header);
    free(part);
    if (check_header(reader) != 0) {
        return -1;
    }
    reader->segments = read_part(reader, reader->header.e_phoff,
                                 reader->header.e_phnum * sizeof(Elf64_Phdr), "program headers");
    return reader->segments ? 0 : -1;
}

/* The place in the file of an address, and how far its segment reaches; -1 if nowhere. */
static int find_address(const struct reader *reader, uint64_t address, uint64_t *at, uint64_t *room)
{
    for (unsigned i = 0; i < reader->header.e_phnum; i++) {
        const Elf64_Phdr *segment = &reader->segments[i];

        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_filesz) {
            *at = segment->p_offset + (address - segment->p_vaddr);
            *room = segment->p_filesz - (address - segment->p_vaddr);
            return *at < segment->p_offset ? -1 : 0;
        }
    }
    return -1;
}

static const Elf64_Phdr *find_segment(const struct reader *reader, uint32_t type)
{
    for (unsigned i = 0; i < reader->header.e_phnum; i++) {
        if (reader->segments[i].p_type == type) {
            return &reader->segments[i];
        }
    }
    return NULL;
}

/* The value of an entry of the dynamic section; 0 if there is none. */
static uint64_t dynamic_value(const struct reader *reader, int64_t tag)
{
    for (size_t i = 0; i < reader->dynamic_count; i++) {
        if (reader->dynamic[i].d_tag == tag) {
            return reader->dynamic[i].d_un.d_val;
        }
    }
    return 0;
}

/* A text of the string table, which ends in a NUL of ours; NULL if it is outside. */
static const char *text_at(const struct reader *reader, uint64_t offset)
{
    return offset < reader->strings_size ? reader->strings + offset : NULL;
}

/* Part of the file that an address names. */
static void *read_address(const struct reader *reader, uint64_t address, uint64_t size,
                          const char *what)
{
    uint64_t at, room;

    if (find_address(reader, address, &at, &room) != 0 || size > room) {
        fail(reader, "its %s lies outside of the file", what);
        return NULL;
    }
    return read_part(reader, at, size, what);
}

static int read_dynamic(struct reader *reader, const Elf64_Phdr *segment)
{
    size_t most = segment->p_filesz / sizeof(Elf64_Dyn);

    reader->dynamic = read_part(reader, segment->p_offset, segment->p_filesz, "dynamic section");
    if (!reader->dynamic) {
        return -1;
    }
    while (reader->dynamic_count < most &&
           reader->dynamic[reader->dynamic_count].d_tag != DT_NULL) {
        reader->dynamic_count++;
    }
    reader->strings_size = dynamic_value(reader, DT_STRSZ);
    reader->strings =
        read_address(reader, dynamic_value(reader, DT_STRTAB), reader->strings_size, "names");
    return reader->strings ? 0 : -1;
}

/* --- versions --- */

static void set_version(const struct reader *reader, unsigned index, const char *library,
                        uint64_t name)
{
    index &= VERSIONS - 1;
    reader->versions[index].library = library;
    reader->versions[index].name = text_at(reader, name);
}

/* The versions that one library is needed in. */
static void read_needed_versions(const struct reader *reader, const char *table, uint64_t size,
                                 uint64_t at, const Elf64_Verneed *need)
{
    const char *library = text_at(reader, need->vn_file);
    Elf64_Vernaux aux;

    at += need->vn_aux;
    for (unsigned i = 0; i < need->vn_cnt && i < CHAIN_MOST && at <= size - sizeof aux; i++) {
        memcpy(&aux, table + at, sizeof aux);
        set_version(reader, aux.vna_other, library, aux.vna_name);
        if (aux.vna_next == 0) {
            return;
        }
        at += aux.vna_next;
    }
}

static int read_needs(const struct reader *reader)
{
    uint64_t address = dynamic_value(reader, DT_VERNEED), at, size, step = 0;
    Elf64_Verneed need;
    char *table;

    if (address == 0) {
        return 0;
    }
    if (find_address(reader, address, &at, &size) != 0 || size < sizeof(Elf64_Vernaux)) {
        return fail(reader, "its needs of versions lie outside of the file");
    }
    table = read_part(reader, at, size, "needs of versions");
    if (!table) {
        return -1;
    }
    for (unsigned i = 0; i < CHAIN_MOST && step <= size - sizeof need; i++) {
        memcpy(&need, table + step, sizeof need);
        read_needed_versions(reader, table, size, step, &need);
        if (need.vn_next == 0) {
            break;
        }
        step += need.vn_next;
    }
    free(table);
    return 0;
}

/* The versions that the file itself gives to what it defines. */
static int read_definitions(const struct reader *reader)
{
    uint64_t address = dynamic_value(reader, DT_VERDEF), at, size, step = 0;
    Elf64_Verdef definition;
    Elf64_Verdaux aux;
    char *table;

    if (address == 0) {
        return 0;
    }
    if (find_address(reader, address, &at, &size) != 0 || size < sizeof definition + sizeof aux) {
        return fail(reader, "its versions lie outside of the file");
    }
    table = read_part(reader, at, size, "versions");
    if (!table) {
        return -1;
    }
    for (unsigned i = 0; i < CHAIN_MOST && step <= size - sizeof definition; i++) {
        memcpy(&definition, table + step, sizeof definition);
        if (definition.vd_aux <= size - sizeof aux &&
            step <= size - sizeof aux - definition.vd_aux &&
            !(definition.vd_flags & VER_FLG_BASE)) {
            memcpy(&aux, table + step + definition.vd_aux, sizeof aux);
            set_version(reader, definition.vd_ndx, NULL, aux.vda_name);
        }
        if (definition.vd_next == 0) {
            break;
        }
        step += definition.vd_next;
    }
    free(table);
    return 0;
}

/* --- symbols --- */

/* What the section headers say, which a stripped file may lack. */
static uint64_t count_by_sections(const struct reader *reader, uint64_t address)
{
    const Elf64_Ehdr *header = &reader->header;
    uint64_t count = 0, size = (uint64_t)header->e_shnum * sizeof(Elf64_Shdr);
    Elf64_Shdr *sections;
    char ignored[128];
    struct reader quiet = *reader;

    if (header->e_shnum == 0 || header->e_shentsize != sizeof(Elf64_Shdr)) {
        return 0;
    }
    quiet.reason = ignored;
    quiet.reason_size = sizeof ignored;
    sections = read_part(&quiet, header->e_shoff, size, "section headers");
    for (unsigned i = 0; sections && i < header->e_shnum; i++) {
        if (sections[i].sh_type == SHT_DYNSYM && sections[i].sh_addr == address) {
            count = sections[i].sh_size / sizeof(Elf64_Sym);
        }
    }
    free(sections);
    return count;
}

/* The dynamic section does not say how many symbols there are. */
static uint64_t count_symbols(const struct reader *reader, uint64_t address)
{
    uint64_t count = count_by_sections(reader, address), hash = dynamic_value(reader, DT_HASH);
    uint64_t strings = dynamic_value(reader, DT_STRTAB);
    uint32_t *counts;

    if (count == 0 && hash != 0 &&
        (counts = read_address(reader, hash, 2 * sizeof *counts, "hash table")) != NULL) {
        count = counts[1];
        free(counts);
    }
    /* Every linker puts the names right behind the symbols. */
    if (count == 0 && strings > address) {
        count = (strings - address) / sizeof(Elf64_Sym);
    }
    return count;
}

static const uint16_t *read_indices(const struct reader *reader, uint64_t count)
{
    uint64_t address = dynamic_value(reader, DT_VERSYM);

    return address ? read_address(reader, address, count * sizeof(uint16_t), "indices of versions")
                   : calloc(count + 1, sizeof(uint16_t));
}

static void take_symbol(const struct reader *reader, struct hs_elf_file *elf, const Elf64_Sym *symbol,
                        unsigned index)
{
    const struct version *version = &reader->versions[index & (VERSIONS - 1)];
    unsigned binding = symbol->st_info >> 4;
    const char *name = text_at(reader, symbol->st_name);
    struct hs_elf_symbol found = {name, version->name, version->library, binding == STB_WEAK};

    if (!name || !*name || binding == STB_LOCAL) {
        return;
    }
    if (symbol->st_shndx == SHN_UNDEF) {
        elf->imports[elf->import_count++] = found;
    } else if (!(index & VERSIONS) && symbol->st_shndx != SHN_ABS) {
        elf->exports[elf->export_count++] = found;
    }
}

static int read_symbols(const struct reader *reader, struct hs_elf_file *elf)
{
    uint64_t address = dynamic_value(reader, DT_SYMTAB), count = count_symbols(reader, address);
    Elf64_Sym *symbols;
    const uint16_t *indices = NULL;

    if (count > TABLE_MOST / sizeof *symbols) {
        return fail(reader, "it would have %" PRIu64 " symbols", count);
    }
    symbols = read_address(reader, address, count * sizeof *symbols, "symbols");
    if (symbols) {
        indices = read_indices(reader, count);
    }
    elf->imports = calloc(count + 1, sizeof *elf->imports);
    elf->exports = calloc(count + 1, sizeof *elf->exports);
    if (symbols && indices && elf->imports && elf->exports) {
        for (uint64_t i = 1; i < count; i++) {
            take_symbol(reader, elf, &symbols[i], indices[i]);
        }
    }
    free(symbols);
    free((void *)indices);
    return symbols && indices ? 0 : -1;
}

/* --- all of it --- */

static int read_names(const struct reader *reader, struct hs_elf_file *elf)
{
    elf->needed = calloc(reader->dynamic_count + 1, sizeof *elf->needed);
    for (size_t i = 0; elf->needed && i < reader->dynamic_count; i++) {
        const char *text = text_at(reader, reader->dynamic[i].d_un.d_val);

        switch (reader->dynamic[i].d_tag) {
        case DT_NEEDED:
            if (!text) {
                return fail(reader, "a name of what it needs lies outside of the file");
            }
            elf->needed[elf->needed_count++] = text;
            break;
        case DT_SONAME:
            elf->soname = text;
            break;
        case DT_RPATH:
            elf->rpath = text;
            break;
        case DT_RUNPATH:
            elf->runpath = text;
            break;
        default:
            break;
        }
    }
    return elf->needed ? 0 : fail(reader, "out of memory");
}

static int read_all(struct reader *reader, struct hs_elf_file *elf)
{
    const Elf64_Phdr *segment;

    if (read_header(reader) != 0) {
        return -1;
    }
    segment = find_segment(reader, PT_DYNAMIC);
    /* A static-pie program has a dynamic section and no interpreter. */
    if (!segment || segment->p_filesz == 0) {
        elf->is_static = 1;
        return 0;
    }
    reader->versions = calloc(VERSIONS, sizeof *reader->versions);
    if (!reader->versions) {
        return fail(reader, "out of memory");
    }
    if (read_dynamic(reader, segment) != 0 || read_names(reader, elf) != 0 ||
        read_needs(reader) != 0 || read_definitions(reader) != 0 ||
        read_symbols(reader, elf) != 0) {
        return -1;
    }
    elf->is_static = elf->needed_count == 0 && !elf->soname && !find_segment(reader, PT_INTERP) &&
                     reader->header.e_entry != 0;
    return 0;
}

int hs_elf_file_read(const char *path, struct hs_elf_file *elf, char *reason, size_t size)
{
    struct reader reader = {.reason = reason, .reason_size = size};
    int result;

    memset(elf, 0, sizeof *elf);
    /* O_NONBLOCK: a FIFO must not keep this waiting for a writer. */
    reader.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (reader.file < 0) {
        return fail(&reader, "%s", strerror(errno));
    }
    result = read_all(&reader, elf);
    close(reader.file);
    free(reader.segments);
    free(reader.dynamic);
    elf->strings = reader.strings;
    elf->versions = reader.versions;
    if (result != 0) {
        hs_elf_file_free(elf);
        return -1;
    }
    elf->drop_in = hs_dropin_note_of_file(path);
    return 0;
}

void hs_elf_file_free(struct hs_elf_file *elf)
{
    free(elf->needed);
    free(elf->imports);
    free(elf->exports);
    free(elf->strings);
    free(elf->versions);
    memset(elf, 0, sizeof *elf);
}

int hs_elf_file_major(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    char *end;
    long major;

    if (strncmp(name, stem, length) != 0 || strncmp(name + length, ".so", 3) != 0) {
        return 0;
    }
    name += length + 3;
    if (*name == '\0') {
        return -1;
    }
    if (name[0] != '.' || name[1] < '1' || name[1] > '9') {
        return 0;
    }
    major = strtol(name + 1, &end, 10);
    return (*end == '\0' || *end == '.') && major < 1000 ? (int)major : 0;
}
