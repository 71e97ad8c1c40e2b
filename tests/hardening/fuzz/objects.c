/* SPDX-License-Identifier: MIT */
/*
 * objects [COUNT [SEED]]: gives hs_elf_check, which looks at a library before
 * dlopen does, damaged ones: a real library cut off after every 64 bytes of its
 * first pages, COUNT copies (2000) with random damage to the headers, and each
 * field of the headers at its extremes.  Whatever it takes for a library is
 * checked here again, in another way; whatever it refuses must have a reason of
 * one line.  Build it with AddressSanitizer.
 */
#include "elf/check.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { IMAGE_MAX = 1 << 20, HEADERS = 2048, STEP = 64 };

static unsigned char original[IMAGE_MAX], image[IMAGE_MAX];
static size_t original_size;
static uint64_t state;
static unsigned long tried, taken, bad;

/* xorshift: the same numbers on every machine. */
static uint64_t random_next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static const char *fault(size_t size)
{
    ElfW(Ehdr) header;
    ElfW(Phdr) segment;
    if (size < sizeof header) {
        return "no header";
    }
    memcpy(&header, image, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_DYN) {
        return "no library";
    }
    for (unsigned i = 0; i < header.e_phnum; i++) {
        unsigned __int128 at = (unsigned __int128)header.e_phoff + (uint64_t)i * sizeof segment;
        if (at + sizeof segment > size) {
            return "program headers outside";
        }
        memcpy(&segment, image + (size_t)at, sizeof segment);
        if (segment.p_type == PT_LOAD &&
            (unsigned __int128)segment.p_offset + segment.p_filesz > size) {
            return "segment outside";
        }
    }
    return NULL;
}

static void complain(const char *what, const char *text)
{
    printf("after %lu images: %s: %s\n", tried, what, text);
    bad++;
}

static void try(size_t size)
{
    char path[64], reason[200];
    bool absent = false;
    int file = memfd_create("image", 0);
    if (file < 0 || write(file, image, size) != (ssize_t)size) {
        perror("memfd");
        exit(99);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    memset(reason, 'x', sizeof reason);
    bool usable = hs_elf_check(path, reason, sizeof reason, &absent);
    tried++;
    if (usable) {
        const char *wrong = fault(size);
        taken++;
        if (wrong) {
            complain("taken for a library", wrong);
        }
    } else if (!memchr(reason, '\0', sizeof reason)) {
        complain("refused", "the reason has no end");
    } else if (!*reason || strchr(reason, '\n') || absent) {
        complain("refused, but the reason is no reason", reason);
    }
    close(file);
}

static void read_original(const char *path)
{
    int file = open(path, O_RDONLY);
    ssize_t size = file < 0 ? -1 : read(file, original, sizeof original);
    if (size < HEADERS) {
        perror(path);
        exit(99);
    }
    original_size = (size_t)size;
    close(file);
}

static void cut(void)
{
    memcpy(image, original, original_size);
    for (size_t size = 0; size < original_size && size < STEP * 512; size += STEP) {
        try(size);
        try(size + 1);
    }
    try(original_size - 1);
}

static void extremes(void)
{
    static const uint64_t values[] = {0,
                                      1,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x7fff,
                                      0x8000,
                                      0xffff,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      0xfffffffffffffff0,
                                      0xffffffffffffffff};
    for (size_t at = 0; at < sizeof(ElfW(Ehdr)) + 4 * sizeof(ElfW(Phdr)); at++) {
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            for (size_t width = 2; width <= 8; width *= 2) {
                memcpy(image, original, original_size);
                memcpy(image + at, &values[i], width);
                try(original_size);
            }
        }
    }
}

static void damage(void)
{
    memcpy(image, original, original_size);
    for (uint64_t n = random_next() % 8 + 1; n > 0; n--) {
        size_t room = random_next() % 4 ? sizeof(ElfW(Ehdr)) : HEADERS;
        size_t at = random_next() % room;
        image[at] = random_next() % 2 ? (unsigned char)random_next()
                                      : image[at] ^ (unsigned char)(1 << random_next() % 8);
    }
    try(random_next() % 4 ? original_size : random_next() % original_size);
}

int main(int count, char **arguments)
{
    unsigned long times = count > 1 ? strtoul(arguments[1], NULL, 10) : 2000;
    state = (count > 2 ? strtoull(arguments[2], NULL, 10) : 1) * 0x9e3779b97f4a7c15u | 1;
    read_original("/proc/self/exe"); /* with -pie, what dlopen would open */
    memcpy(image, original, original_size);
    try(original_size);
    if (!taken) {
        complain("refused", "the undamaged file");
    }
    cut();
    extremes();
    for (unsigned long i = 0; i < times; i++) {
        damage();
    }
    printf("%lu images, %lu taken for libraries, %lu wrongly treated\n", tried, taken, bad);
    return bad != 0;
}
