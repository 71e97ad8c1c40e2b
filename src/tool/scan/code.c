/* SPDX-License-Identifier: MIT */
#include "tool/scan/code.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/zstd.h"
#include "tool/dropins.h"

const char *const tool_scan_code_readers[TOOL_CODE_NEWEST + 1] = {[5] = "5.3", [6] = "6.2"};
const char *const tool_scan_code_unpackers[TOOL_CODE_FORMATS + 1] = {
    [1] = "6.2", [2] = "6.2", [3] = "7.0"};

/* EF_AMDGPU_MACH: the lowest byte of e_flags, from FIRST_MACHINE on, without "gfx". */
enum { FIRST_MACHINE = 0x20 };
static const char machines[] =
    "600 601 700 701 702 703 704 - 801 802 803 810 900 902 904 906 908 909 90c 1010 "
    "1011 1012 1030 1031 1032 1033 602 705 805 1035 1034 90a 940 1100 1013 1150 1103 "
    "1036 1101 1102 1200 1250 1151 941 942 - 1201 950 - 9-generic 10-1-generic "
    "10-3-generic 11-generic 1152 - - 1153 12-generic 1251 12-5-generic - - - "
    "9-4-generic";

const char *tool_scan_code_gpu(unsigned machine, char room[TOOL_CODE_GPU])
{
    const char *name = machine < FIRST_MACHINE ? NULL : machines;

    for (unsigned i = FIRST_MACHINE; name && i < machine; i++) {
        name = strchr(name, ' ');
        name = name ? name + 1 : NULL;
    }
    if (name && *name != '-') {
        snprintf(room, TOOL_CODE_GPU, "gfx%.*s", (int)strcspn(name, " "), name);
    } else {
        snprintf(room, TOOL_CODE_GPU, "machine 0x%x", machine);
    }
    return room;
}

bool tool_scan_code_has(const struct tool_scan_code *code, unsigned version)
{
    for (unsigned v = 1; v <= TOOL_CODE_NEWEST; v++) {
        if ((version == 0 || version == v) &&
            memchr(code->has[v], 1, sizeof code->has[v]) != NULL) {
            return true;
        }
    }
    return false;
}

/* --- the search --- */

/*
 * A piece of the file.  What begins in its first `size - AHEAD` bytes can be read on for AHEAD
 * bytes, which is more than a block of zstd and the head of a bundle.
 */
enum { PIECE = 1 << 21, AHEAD = 1 << 18 };

/* A file of many small bundles would take long, and those of one file were compiled alike. */
enum { MOST_UNPACKED = 64, START = 16384, ZSTD = 1 };

struct search {
    struct tool_scan_code *code;
    unsigned unpacked;
};

static void take_object(struct tool_scan_code *code, const unsigned char *at, size_t room)
{
    Elf64_Ehdr header;

    if (room >= sizeof header) {
        memcpy(&header, at, sizeof header);
        unsigned version = header.e_ident[EI_ABIVERSION] + 2u;

        if (header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_AMDGPU) {
            version = version < TOOL_CODE_NEWEST ? version : TOOL_CODE_NEWEST;
            code->has[version][header.e_flags % TOOL_CODE_MACHINES] = true;
        }
    }
}

/* Looks at the first code object of a bundle, which is at the same place in all of them. */
static void take_bundle(struct search *search, const unsigned char *at, size_t room)
{
    uint16_t version, method;
    uint64_t plain = 0;
    char reason[HS_ZSTD_REASON];
    size_t head;

    if (room < 32) {
        return;
    }
    memcpy(&version, at + 4, 2);
    memcpy(&method, at + 6, 2);
    head = version == 3 ? 32 : version == 2 ? 24 : 20;
    memcpy(&plain, at + (version == 3 ? 16 : version == 2 ? 12 : 8), version == 3 ? 8 : 4);
    if (version == 0 || version > TOOL_CODE_FORMATS || method > ZSTD || plain < EI_NIDENT) {
        return; /* a word that is no bundle */
    }
    search->code->is_packed[version] = true;
    plain = plain < START ? plain : START;
    unsigned char *start = method == ZSTD && search->unpacked++ < MOST_UNPACKED
                               ? hs_zstd_unpack_start(at + head, room - head, plain, reason)
                               : NULL;
    for (size_t i = 0; start && i + SELFMAG <= plain; i += 4) {
        if (memcmp(start + i, ELFMAG, SELFMAG) == 0) {
            take_object(search->code, start + i, plain - i);
        }
    }
    free(start);
}

/* Compilers align both to at least four bytes. */
static void look_at_words(struct search *search, const unsigned char *bytes, size_t size,
                          size_t room)
{
    uint32_t object, bundle, word;

    memcpy(&object, ELFMAG, sizeof object);
    memcpy(&bundle, "CCOB", sizeof bundle);
    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        if (word == object) {
            take_object(search->code, bytes + at, room - at);
        } else if (word == bundle) {
            take_bundle(search, bytes + at, room - at);
        }
    }
}

/* Takes a name with its number, as far as there is one. */
static void take_name(struct tool_scan_code *code, const char *at, size_t stem, size_t room)
{
    char name[TOOL_CODE_NAME];
    size_t length = stem;

    while (length < room && length < sizeof name - 1 && at[length] &&
           strchr(".0123456789", at[length])) {
        length++;
    }
    while (at[length - 1] == '.') {
        length--;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    for (unsigned i = 0; i < TOOL_CODE_NAMES; i++) {
        if (!*code->names[i]) {
            memcpy(code->names[i], name, sizeof name);
        }
        if (strcmp(code->names[i], name) == 0) {
            return;
        }
    }
}

static void look_for_names(struct search *search, const unsigned char *bytes, size_t size,
                           size_t room)
{
    for (unsigned i = 0; i < TOOL_DROPINS_STEMS; i++) {
        char stem[TOOL_CODE_NAME];
        size_t length = (size_t)snprintf(stem, sizeof stem, "%s.so", tool_dropins_stems[i]);
        const unsigned char *at = bytes, *end = bytes + size;

        while (at < end && (at = memmem(at, room - (size_t)(at - bytes), stem, length)) &&
               at < end) {
            take_name(search->code, (const char *)at, length, room - (size_t)(at - bytes));
            at += length;
        }
    }
}

const char *tool_scan_code_read(const struct hs_elf_source *source, struct tool_scan_code *code)
{
    struct search search = {.code = code};
    unsigned char *bytes = malloc(PIECE);
    size_t held = 0, room = PIECE;
    uint64_t position = 0;
    const char *failure = bytes ? NULL : "out of memory";

    while (!failure && (held > 0 || position < source->length)) {
        uint64_t rest = source->length - position;
        size_t more = rest < room - held ? (size_t)rest : room - held;

        failure = more > 0 ? source->read(source->context, bytes + held, more, position) : NULL;
        held += more;
        position += more;
        size_t done = position < source->length ? held - AHEAD : held;

        if (!failure) {
            look_at_words(&search, bytes, done, held);
            look_for_names(&search, bytes, done, held);
            held -= done;
            memmove(bytes, bytes + done, held);
        }
    }
    free(bytes);
    return failure;
}
