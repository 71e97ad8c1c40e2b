/* SPDX-License-Identifier: MIT */
#include "elf/file_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool hs_elf_reader_fail(const struct hs_elf_reader *reader, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reader->reason, reader->reason_size, format, arguments);
    va_end(arguments);
    return false;
}

void *hs_elf_reader_part(const struct hs_elf_reader *reader, uint64_t at, uint64_t size,
                         const char *what)
{
    if (size > reader->source->length || at > reader->source->length - size) {
        hs_elf_reader_fail(reader, "the file is cut short: its %s would end at byte %" PRIu64, what,
                           at + size);
        return NULL;
    }
    char *part = size <= HS_ELF_TABLE_LIMIT ? calloc(1, size + 1) : NULL;
    if (!part) {
        hs_elf_reader_fail(reader, "its %s would take %" PRIu64 " bytes", what, size);
        return NULL;
    }
    const char *failure = reader->source->read(reader->source->context, part, size, at);
    if (failure) {
        hs_elf_reader_fail(reader, "its %s cannot be read: %s", what, failure);
        free(part);
        return NULL;
    }
    return part;
}

/* A table may go on in the segments behind: patchelf divides them so. */
static void add_adjoining(const struct hs_elf_reader *reader, unsigned first, uint64_t *room)
{
    const Elf64_Phdr *last = &reader->segments[first];

    for (unsigned i = first + 1; i < reader->header.e_phnum; i++) {
        const Elf64_Phdr *next = &reader->segments[i];

        if (next->p_type == PT_LOAD && next->p_vaddr == last->p_vaddr + last->p_filesz &&
            next->p_offset == last->p_offset + last->p_filesz && *room + next->p_filesz > *room) {
            *room += next->p_filesz;
            last = next;
        }
    }
}

bool hs_elf_reader_find(const struct hs_elf_reader *reader, uint64_t address, uint64_t *at,
                        uint64_t *room)
{
    for (unsigned i = 0; i < reader->header.e_phnum; i++) {
        const Elf64_Phdr *segment = &reader->segments[i];
        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_filesz) {
            *at = segment->p_offset + (address - segment->p_vaddr);
            *room = segment->p_filesz - (address - segment->p_vaddr);
            add_adjoining(reader, i, room);
            return *at >= segment->p_offset; /* else the sum overflowed */
        }
    }
    return false;
}

uint64_t hs_elf_reader_dynamic(const struct hs_elf_reader *reader, int64_t tag)
{
    for (size_t i = 0; i < reader->dynamic_count; i++) {
        if (reader->dynamic[i].d_tag == tag) {
            return reader->dynamic[i].d_un.d_val;
        }
    }
    return 0;
}

const char *hs_elf_reader_text(const struct hs_elf_reader *reader, uint64_t offset)
{
    return offset < reader->strings_size ? reader->strings + offset : NULL;
}

void *hs_elf_reader_address(const struct hs_elf_reader *reader, uint64_t address, uint64_t size,
                            const char *what)
{
    uint64_t at, room;
    if (!hs_elf_reader_find(reader, address, &at, &room) || size > room) {
        hs_elf_reader_fail(reader, "its %s lies outside of the file", what);
        return NULL;
    }
    return hs_elf_reader_part(reader, at, size, what);
}
