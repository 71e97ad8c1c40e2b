/* SPDX-License-Identifier: MIT */
/*
 * A libFuzzer target: any bytes as a file of the kernel cache (cache_entry.h),
 * as they are and with sums that fit, since no fuzzer finds those.  They lie in a
 * heap block of just their size, so that AddressSanitizer sees a byte beside it;
 * what is accepted is read to its end.
 */
#include "cache/entry.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t sink; /* what is read is wanted */

static void read_all(const unsigned char *bytes, size_t size)
{
    struct hs_cache_entry entry;

    if (hs_cache_entry_read(bytes, size, NULL, &entry)) {
        return;
    }
    for (size_t i = 0; i < entry.code_size; i++) {
        sink += ((const unsigned char *)entry.code)[i];
    }
    sink += strlen(entry.log) + strlen(entry.arch) + strlen(entry.release) + strlen(entry.name) +
            strlen(entry.identity);
    sink += hs_cache_entry_lowered_name(&entry, "f<int>") != NULL;
}

static void seal(unsigned char *bytes, size_t size)
{
    static const unsigned char start[16] = "HIPSHIMK\1\0\0\0\240\0\0";

    memcpy(bytes, start, sizeof start);
    memset(bytes + 88, 0, 8);
    hs_cache_entry_checksum(bytes + HS_CACHE_HEADER, size - HS_CACHE_HEADER, bytes + 96);
    hs_sha256_of(bytes, 128, bytes + 128);
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
        /* And with sizes that do fit. */
        memset(bytes + 48, 0, 32);
        for (unsigned i = 0, left = (unsigned)(size - HS_CACHE_HEADER); i < 4; i++) {
            uint64_t part = i < 3 && left ? bytes[80 + i] % left : left;

            memcpy(bytes + 48 + 8 * i, &part, sizeof part);
            left -= (unsigned)part;
        }
        seal(bytes, size);
        read_all(bytes, size);
    }
    free(bytes);
    return 0;
}
