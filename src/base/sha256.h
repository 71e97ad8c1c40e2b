/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), for keys and checksums of the kernel cache.
 *
 * Our own, though others have better ones: libhipshim needs nothing but libc
 * and HIP at run time, libc offers no digest that is not crypt(3), and the
 * kernel's (AF_ALG) is neither everywhere nor quick for a few bytes.  Ninety
 * lines that the standard's own vectors check (tests/cache_sha256_t.c) are less
 * than a dependency.  Nothing secret is hashed: time may tell what it likes.
 */
#ifndef HIPSHIM_SRC_BASE_SHA256_H
#define HIPSHIM_SRC_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { HS_SHA256_SIZE = 32, HS_SHA256_BLOCK = 64 };

struct hs_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[HS_SHA256_BLOCK];
};

void hs_sha256_begin(struct hs_sha256 *sum);
void hs_sha256_add(struct hs_sha256 *sum, const void *data, size_t size);

/* Ends it: `sum` needs hs_sha256_begin before it is used again. */
void hs_sha256_end(struct hs_sha256 *sum, unsigned char digest[HS_SHA256_SIZE]);

/* All three for one piece. */
void hs_sha256_of(const void *data, size_t size, unsigned char digest[HS_SHA256_SIZE]);

#endif
