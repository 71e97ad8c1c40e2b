/* SPDX-License-Identifier: MIT */
#include "elf/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/file_reader.h"
#include "elf/notes.h"

/* A linker writes a few notes, each in a segment of its own at most. */
enum { SEGMENT_LIMIT = 4096, NOTE_LIMIT = 64 };

bool hs_elf_may_be_program(const unsigned char bytes[HS_ELF_HEADER_SIZE])
{
    Elf64_Ehdr header;

    _Static_assert(sizeof header == HS_ELF_HEADER_SIZE, "the header of ELFCLASS64");
    memcpy(&header, bytes, sizeof header);
    return memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
           header.e_ident[EI_DATA] == ELFDATA2LSB &&
           (header.e_type == ET_DYN || header.e_type == ET_EXEC) && header.e_machine != EM_AMDGPU &&
           header.e_machine != EM_CUDA;
}

static bool check_header(const struct hs_elf_reader *reader)
{
    const unsigned char *ident = reader->header.e_ident;

    if (memcmp(ident, ELFMAG, SELFMAG) != 0) {
        return hs_elf_reader_fail(reader, "it is not an ELF file");
    }
    if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB) {
        return hs_elf_reader_fail(reader, "it is for %s machines, for which there is no HIP",
                                  ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "other");
    }
    if (reader->header.e_type != ET_DYN && reader->header.e_type != ET_EXEC) {
        return hs_elf_reader_fail(reader, "it is an ELF file but not a program or library");
    }
    if (reader->header.e_phentsize != sizeof(Elf64_Phdr) || reader->header.e_phnum == 0 ||
        reader->header.e_phnum > SEGMENT_LIMIT) {
        return hs_elf_reader_fail(reader, "it is an ELF file with damaged program headers");
    }
    return true;
}

static bool read_header(struct hs_elf_reader *reader)
{
    if (reader->source->length == 0) {
        return hs_elf_reader_fail(reader, "the file is empty");
    }
    if (reader->source->length < sizeof reader->header) {
        return hs_elf_reader_fail(reader, "it is not an ELF file");
    }
    void *part = hs_elf_reader_part(reader, 0, sizeof reader->header, "header");
    if (!part) {
        return false;
    }
    memcpy(&reader->header, part, sizeof reader->header);
    free(part);
    if (!check_header(reader)) {
        return false;
    }
    reader->segments =
        hs_elf_reader_part(reader, reader->header.e_phoff,
                           reader->header.e_phnum * sizeof(Elf64_Phdr), "program headers");
    return reader->segments != NULL;
}

static const Elf64_Phdr *find_segment(const struct hs_elf_reader *reader, uint32_t type)
{
    for (unsigned i = 0; i < reader->header.e_phnum; i++) {
        if (reader->segments[i].p_type == type) {
            return &reader->segments[i];
        }
    }
    return NULL;
}

static bool read_dynamic(struct hs_elf_reader *reader, const Elf64_Phdr *segment)
{
    size_t most = segment->p_filesz / sizeof(Elf64_Dyn);

    reader->dynamic =
        hs_elf_reader_part(reader, segment->p_offset, segment->p_filesz, "dynamic section");
    if (!reader->dynamic) {
        return false;
    }
    while (reader->dynamic_count < most &&
           reader->dynamic[reader->dynamic_count].d_tag != DT_NULL) {
        reader->dynamic_count++;
    }
    reader->strings_size = hs_elf_reader_dynamic(reader, DT_STRSZ);
    reader->strings = hs_elf_reader_address(reader, hs_elf_reader_dynamic(reader, DT_STRTAB),
                                            reader->strings_size, "names");
    return reader->strings != NULL;
}

static bool read_names(const struct hs_elf_reader *reader, struct hs_elf_file *elf)
{
    elf->needed = calloc(reader->dynamic_count + 1, sizeof *elf->needed);
    for (size_t i = 0; elf->needed && i < reader->dynamic_count; i++) {
        const char *text = hs_elf_reader_text(reader, reader->dynamic[i].d_un.d_val);
        switch (reader->dynamic[i].d_tag) {
        case DT_NEEDED:
            if (!text) {
                return hs_elf_reader_fail(reader, "the name of a library that it needs lies "
                                                  "outside of the file");
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
    return elf->needed || hs_elf_reader_fail(reader, "out of memory");
}

static bool read_all(struct hs_elf_reader *reader, struct hs_elf_file *elf)
{
    if (!read_header(reader)) {
        return false;
    }
    const Elf64_Phdr *segment = find_segment(reader, PT_DYNAMIC);
    if (!segment || segment->p_filesz == 0) {
        elf->is_static = true;
        return true;
    }
    if (!read_dynamic(reader, segment) || !read_names(reader, elf) ||
        !hs_elf_reader_symbols(reader, elf)) {
        return false;
    }
    /* A static-pie program has a dynamic section and no interpreter. */
    elf->is_static = elf->needed_count == 0 && !elf->soname && !find_segment(reader, PT_INTERP) &&
                     reader->header.e_entry != 0;
    return true;
}

/* Notes say nothing that a file cannot be read without, so damaged ones count as absent. */
static void read_notes(const struct hs_elf_reader *reader, struct hs_elf_file *elf)
{
    char ignored[128];
    struct hs_elf_reader quiet = *reader;
    quiet.reason = ignored;
    quiet.reason_size = sizeof ignored;
    for (unsigned i = 0, count = 0; i < reader->header.e_phnum && count < NOTE_LIMIT; i++) {
        const Elf64_Phdr *segment = &reader->segments[i];
        size_t size = segment->p_filesz < HS_NOTES_ROOM ? segment->p_filesz : HS_NOTES_ROOM;
        count += segment->p_type == PT_NOTE;
        void *notes = segment->p_type == PT_NOTE
                          ? hs_elf_reader_part(&quiet, segment->p_offset, size, "notes")
                          : NULL;
        if (notes) {
            size_t content;
            elf->is_drop_in |= hs_dropin_in(notes, size, NULL);
            elf->has_libhipshim |=
                hs_notes_find(notes, size, HS_NOTE_OWNER, HS_LIBRARY_NOTE_TYPE, &content) != NULL;
            free(notes);
        }
    }
}

bool hs_elf_file_read_source(const struct hs_elf_source *source, struct hs_elf_file *elf,
                             char *reason, size_t size)
{
    struct hs_elf_reader reader = {.source = source, .reason = reason, .reason_size = size};

    memset(elf, 0, sizeof *elf);
    bool whole = read_all(&reader, elf);
    if (whole) {
        read_notes(&reader, elf);
    }
    free(reader.segments);
    free(reader.dynamic);
    elf->strings = reader.strings;
    elf->versions = reader.versions;
    if (!whole) {
        hs_elf_file_free(elf);
    }
    return whole;
}

static const char *read_open_file(void *context, void *to, uint64_t size, uint64_t at)
{
    const struct hs_elf_source *source = context;
    uint64_t done = 0;
    while (done < size) {
        ssize_t more = pread(source->file, (char *)to + done, size - done, (off_t)(at + done));
        if (more <= 0) {
            return more < 0 ? strerror(errno) : "the file became shorter";
        }
        done += (uint64_t)more;
    }
    return NULL;
}

bool hs_elf_source_open(const char *path, struct hs_elf_source *source, char *reason, size_t size)
{
    /* O_NONBLOCK, so that opening a FIFO does not wait for a writer. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;

    if (file < 0) {
        snprintf(reason, size, "%s", strerror(errno));
        return false;
    }
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        snprintf(reason, size, "it is not a regular file");
        close(file);
        return false;
    }
    *source = (struct hs_elf_source){(uint64_t)status.st_size, read_open_file, source, file};
    return true;
}

void hs_elf_source_close(struct hs_elf_source *source)
{
    close(source->file);
}

bool hs_elf_file_read(const char *path, struct hs_elf_file *elf, char *reason, size_t size)
{
    struct hs_elf_source source;

    memset(elf, 0, sizeof *elf);
    if (!hs_elf_source_open(path, &source, reason, size)) {
        return false;
    }
    bool whole = hs_elf_file_read_source(&source, elf, reason, size);
    hs_elf_source_close(&source);
    return whole;
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
    char *end;
    long major = strtol(name + 1, &end, 10);
    return (*end == '\0' || *end == '.') && major < 1000 ? (int)major : 0;
}
