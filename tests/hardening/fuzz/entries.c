/* SPDX-License-Identifier: MIT */
/*
 * A libFuzzer target: any bytes as a file of the kernel cache (cache/entry.h),
 * as they are and with sums that fit, since no fuzzer finds those.  They lie in a
 * heap block of just their size, so that AddressSanitizer sees a byte beside it;
 * what is accepted is read to its end.
 */
#include "cache/entry.h"

#include <endian.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t sink; /* what is read is wanted */
static unsigned long accepted;

/* A run that accepts nothing would test the refusal of headers alone. */
__attribute__((destructor)) static void report(void)
{
    fprintf(stderr, "accepted: %lu\n", accepted);
}

static void read_all(const unsigned char *bytes, size_t size)
{
    struct hs_cache_entry entry;

    if (hs_cache_entry_read(bytes, size, NULL, &entry)) {
        return;
    }
    accepted++;
    for (size_t i = 0; i < entry.code_size; i++) {
        sink += ((const unsigned char *)entry.code)[i];
    }
    sink += strlen(entry.log) + strlen(entry.arch) + strlen(entry.release) + strlen(entry.name) +
            strlen(entry.compiler);
    sink += hs_cache_entry_lowered_name(&entry, "f<int>") != NULL;
}

static void seal(unsigned char *bytes, size_t size)
{
    const uint32_t numbers[2] = {htole32(HS_CACHE_FORMAT), htole32(HS_CACHE_HEADER)};

    memcpy(bytes, "HIPSHIMK", 8);
    memcpy(bytes + 8, numbers, sizeof numbers);
    memset(bytes + 88, 0, 8);
    hs_cache_entry_checksum(bytes + HS_CACHE_HEADER, size - HS_CACHE_HEADER, bytes + 96);
    hs_sha256_of(bytes, 128, bytes + 128);
}

/* Makes `count` strings of the bytes. */
static void split(unsigned char *bytes, size_t size, size_t count)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = bytes[i] ? bytes[i] : 'x';
    }
    for (size_t i = 1; i <= count && size >= count; i++) {
        bytes[size * i / count - 1] = '\0';
    }
}

/* Sizes of the four parts that fit the file, and strings in them as an entry has them. */
static void fit(unsigned char *bytes, size_t size)
{
    static const size_t counts[4] = {0, 1, 2, 4};
    unsigned char *at = bytes + HS_CACHE_HEADER;
    uint64_t left = size - HS_CACHE_HEADER;

    for (unsigned i = 0; i < 4; i++) {
        uint64_t part = i < 3 && left ? bytes[80 + i] % left : left, number = htole64(part);

        memcpy(bytes + 48 + 8 * i, &number, sizeof number);
        if (counts[i] && bytes[83] % 4) {
            split(at, part, counts[i]);
        }
        at += part;
        left -= part;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes = malloc(size ? size : 1);

    if (!bytes) {
        return 0;
    }
    memcpy(bytes, data, size);
    read_all(bytes, size);
    if (size >= HS_CACHE_HEADER) {
        /* Sizes of one byte each, in the place of their low ones: others never fit. */
        for (unsigned i = 48; i < 80; i++) {
            bytes[i] = i % 8 ? (bytes[87] & 1 ? bytes[i] : 0) : bytes[i];
        }
        seal(bytes, size);
        read_all(bytes, size);
        fit(bytes, size);
        seal(bytes, size);
        read_all(bytes, size);
    }
    free(bytes);
    return 0;
}
