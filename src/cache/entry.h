/* SPDX-License-Identifier: MIT */
/*
 * The file of one result in the kernel cache.
 *
 *     0  magic, "HIPSHIMK"
 *     8  format, 32 bits        12  size of the header, 32 bits
 *    16  key, 32 bytes
 *    48  sizes, 64 bits each: code, log, names, meta
 *    80  time when it was made, in seconds since 1970
 *    88  zero
 *    96  checksum of everything after the header
 *   128  SHA-256 of the 128 bytes before
 *   160  code, log, names, meta
 *
 * Numbers are little-endian.  `log` ends in a zero; `names` are pairs of strings,
 * expression and lowered name; `meta` is the strings arch, release, name and
 * compiler.  One of the two sums covers every byte, and the header has the size of
 * the file, so no change of the file goes unnoticed.
 *
 * The checksum guards against damage.  SHA-256 would guard no better, since a
 * program that may write entries may also write their sums, and it would take most
 * of the time of a hit.
 *
 * Format 3 has the same layout as 1 and 2.  Entries of format 1 may hold code of
 * another architecture than they say; keys of format 2 left out variables that
 * change the code.
 */
#ifndef HIPSHIM_SRC_CACHE_ENTRY_H
#define HIPSHIM_SRC_CACHE_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

enum { HS_CACHE_FORMAT = 3, HS_CACHE_HEADER = 160, HS_CACHE_KEY = HS_SHA256_SIZE };

/* The pointers are into memory that the entry does not own. */
struct hs_cache_entry {
    const void *code;
    size_t code_size;
    const char *log;
    const char *names; /* names_size bytes; may be NULL if that is 0 */
    size_t names_size;
    const char *arch, *release, *name, *compiler;
    uint64_t created;
    const unsigned char *key;
};

enum { HS_CACHE_CHECKSUM = 32 };

/* Any change of up to eight adjacent bytes changes the checksum. */
void hs_cache_entry_checksum(const void *data, size_t size, unsigned char sum[HS_CACHE_CHECKSUM]);

/* The bytes of the file, from malloc; NULL without memory.  No string may be NULL. */
void *hs_cache_entry_write(const struct hs_cache_entry *entry, size_t *size);

/*
 * Points `entry` into `data`.  NULL if the bytes are a whole, undamaged entry for
 * `key`, or for any key if that is NULL; else the reason why they are not.
 */
const char *hs_cache_entry_read(const void *data, size_t size, const unsigned char *key,
                                struct hs_cache_entry *entry);

/* The lowered name of an expression, or NULL. */
const char *hs_cache_entry_lowered_name(const struct hs_cache_entry *entry, const char *expression);

#endif
