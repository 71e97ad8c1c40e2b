/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), for keys and checksums of the kernel cache.
 *
 * libhipshim-kernel needs nothing but libc and HIP at run time.  libc offers no
 * digest but crypt(3), and the kernel's (AF_ALG) is not on every machine, so the
 * project has its own, checked with the vectors of the standard
 * (tests/cache/sums_are_sha256_t.c).  No secrets are hashed, so constant-time code
 * is not needed.
 */
#ifndef HIPSHIM_SRC_BASE_SHA256_H
#define HIPSHIM_SRC_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { HS_SHA256_SIZE = 32, HS_SHA256_BLOCK = 64 };

struct hs_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes added so far */
    unsigned char block[HS_SHA256_BLOCK];
};

void hs_sha256_begin(struct hs_sha256 *sum);
void hs_sha256_add(struct hs_sha256 *sum, const void *data, size_t size);

/* With its length before it, so that no two lists of pieces give the same bytes. */
void hs_sha256_add_piece(struct hs_sha256 *sum, const void *data, size_t size);
void hs_sha256_add_text(struct hs_sha256 *sum, const char *text);

/* `sum` needs hs_sha256_begin before it is used again. */
void hs_sha256_end(struct hs_sha256 *sum, unsigned char digest[HS_SHA256_SIZE]);

/* The digest of one piece. */
void hs_sha256_of(const void *data, size_t size, unsigned char digest[HS_SHA256_SIZE]);

#endif
