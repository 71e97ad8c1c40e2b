/* SPDX-License-Identifier: MIT */
/*
 * The file of one result in the kernel cache.
 *
 *     0  magic, "HIPSHIMK"
 *     8  format, 32 bits        12  size of the header, 32 bits
 *    16  key, 32 bytes
 *    48  sizes, 64 bits each: code, log, names, meta
 *    80  when it was made, in seconds since 1970
 *    88  zero
 *    96  SHA-256 of all that follows the header
 *   128  SHA-256 of the 128 bytes before
 *   160  code, log, names, meta
 *
 * Numbers are little-endian.  `log` ends in a null; `names` are pairs of strings,
 * expression and lowered name; `meta` is the strings arch, release, name and
 * identity.  Every byte is under one of the two sums, and the file is as long as
 * the header says: no change of it goes unseen.
 *
 * The format is 2 though nothing else differs from 1: entries of that may hold
 * code of another architecture than they say, by a fault since mended.
 */
#ifndef HIPSHIM_SRC_CACHE_ENTRY_H
#define HIPSHIM_SRC_CACHE_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

enum { HS_CACHE_FORMAT = 2, HS_CACHE_HEADER = 160, HS_CACHE_KEY = HS_SHA256_SIZE };

/* All pointers are into memory of somebody else. */
struct hs_cache_entry {
    const void *code;
    size_t code_size;
    const char *log;
    const char *names; /* names_size bytes; NULL-safe only if that is 0 */
    size_t names_size;
    const char *arch, *release, *name, *identity;
    uint64_t created;
    const unsigned char *key;
};

/*
 * The file's bytes, from malloc, or NULL without memory.  All strings of the
 * entry must be set.
 */
void *hs_cache_entry_write(const struct hs_cache_entry *entry, size_t *size);

/*
 * Sets the entry's pointers into `data`.  NULL if the bytes are a whole,
 * undamaged entry for `key` (any key if that is NULL), else the reason.
 */
const char *hs_cache_entry_read(const void *data, size_t size, const unsigned char *key,
                                struct hs_cache_entry *entry);

/* The lowered name of an expression, or NULL. */
const char *hs_cache_entry_lowered_name(const struct hs_cache_entry *entry, const char *expression);

#endif
