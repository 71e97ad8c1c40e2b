/* SPDX-License-Identifier: MIT */
/*
 * elf_mutations SOURCE TARGET COUNT: reads COUNT damaged copies of an ELF file or package, and
 * every text that was found in them; made for a build with sanitizers.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/file.h"
#include "tool/dropins.h"
#include "tool/scan/code.h"
#include "tool/scan/package.h"

const char *const tool_dropins_stems[TOOL_DROPINS_STEMS] = {"libamdhip64", "libhiprtc"};

static uint64_t state = 88172645463325252u;

static uint64_t chance(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static unsigned char *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc(1 << 24);

    if (!file || !bytes) {
        perror(path);
        exit(2);
    }
    *size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    return bytes;
}

static void store(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

static unsigned length_of(const char *text)
{
    return text ? (unsigned)strlen(text) : 0;
}

static unsigned walk(const struct hs_elf_symbol *symbols, size_t count)
{
    unsigned sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += length_of(symbols[i].name) + length_of(symbols[i].version) +
               length_of(symbols[i].library);
    }
    return sum;
}

static void check_reason(const char *reason)
{
    if (!*reason || strchr(reason, '\n')) {
        printf("not one line: \"%s\"\n", reason);
        exit(1);
    }
}

static int take(struct hs_elf_file *elf)
{
    unsigned sum = walk(elf->imports, elf->import_count) + walk(elf->exports, elf->export_count) +
                   length_of(elf->soname) + length_of(elf->rpath) + length_of(elf->runpath);

    for (size_t i = 0; i < elf->needed_count; i++) {
        sum += length_of(elf->needed[i]);
    }
    hs_elf_file_free(elf);
    return sum > 0;
}

static int read_code(const struct hs_elf_source *source)
{
    static struct tool_scan_code code;
    const char *failure = tool_scan_code_read(source, &code);

    if (failure) {
        check_reason(failure);
    }
    return failure == NULL;
}

static int read_package(const char *path)
{
    struct hs_elf_file elf;
    char reason[256] = "";
    struct tool_package *package = tool_package_open(path, reason, sizeof reason);
    int more = package ? 1 : -1, good = 0;

    while (more > 0) {
        more = tool_package_next(package, reason, sizeof reason);
        if (more > 0 && !read_code(tool_package_source(package))) {
            continue;
        }
        if (more > 0 &&
            hs_elf_file_read_source(tool_package_source(package), &elf, reason, sizeof reason)) {
            good += take(&elf);
        } else if (more != 0) {
            check_reason(reason);
        }
    }
    tool_package_close(package);
    return good > 0;
}

static int read_one(const char *path, bool is_package)
{
    struct hs_elf_source source;
    struct hs_elf_file elf;
    char reason[256] = "";

    if (is_package) {
        return read_package(path);
    }
    if (hs_elf_source_open(path, &source, reason, sizeof reason)) {
        read_code(&source);
        hs_elf_source_close(&source);
    }
    if (!hs_elf_file_read(path, &elf, reason, sizeof reason)) {
        check_reason(reason);
        return 0;
    }
    return take(&elf);
}

/* Numbers that are likely to overflow something, where numbers are likely to be. */
static void damage(unsigned char *bytes, size_t size)
{
    static const uint64_t numbers[] = {0,          1,          0xff,       0xffff,  0x7fffffff,
                                       0xffffffff, 1ull << 32, 1ull << 63, ~0ull,   ~0ull - 7,
                                       0x1000,     8,          0x10000,    1u << 28};
    const size_t widths[] = {1, 2, 4, 8};
    uint64_t hits = 1 + chance(4);

    while (hits--) {
        /* Headers are what is read most. */
        size_t reach = chance(2) ? 64 + 13 * 56 : size;
        size_t at = chance(reach < size ? reach : size), width = widths[chance(4)];
        uint64_t number =
            chance(3) ? numbers[chance(sizeof numbers / sizeof numbers[0])] : chance(~0ull);

        if (at + width <= size) {
            memcpy(bytes + at, &number, width);
        }
    }
}

/* Where the linker put the tables that are followed by numbers within them. */
static void damage_dynamic(unsigned char *bytes, size_t size)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;

    memcpy(&header, bytes, sizeof header);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        size_t at = header.e_phoff + i * sizeof segment;

        if (at + sizeof segment > size) {
            return;
        }
        memcpy(&segment, bytes + at, sizeof segment);
        if (segment.p_type == PT_DYNAMIC && segment.p_offset < size && segment.p_filesz >= 16 &&
            segment.p_filesz <= size - segment.p_offset) {
            damage(bytes + segment.p_offset, segment.p_filesz);
        }
    }
}

int main(int count, char **arguments)
{
    size_t size, good = 0, rounds;
    unsigned char *bytes, *copy;

    if (count != 4) {
        return 2;
    }
    rounds = strtoul(arguments[3], NULL, 10);
    bytes = load(arguments[1], &size);
    copy = malloc(size);
    bool is_package = memcmp(bytes, ELFMAG, SELFMAG) != 0;
    for (size_t i = 0; copy && i < rounds; i++) {
        size_t length = chance(8) ? size : chance(size + 1);

        memcpy(copy, bytes, size);
        if (!is_package && chance(2)) {
            damage_dynamic(copy, size);
        } else {
            damage(copy, size);
        }
        store(arguments[2], copy, length);
        good += (size_t)read_one(arguments[2], is_package);
    }
    for (size_t length = 0; length < size && length < 2000; length += 7) {
        store(arguments[2], bytes, length);
        good += (size_t)read_one(arguments[2], is_package);
    }
    printf("%zu damaged files, %zu read all the same\n", rounds, good);
    free(copy);
    free(bytes);
    return 0;
}
