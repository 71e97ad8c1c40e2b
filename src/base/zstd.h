/* SPDX-License-Identifier: MIT */
/*
 * libzstd, opened when something is compressed or not plain, and then only: it
 * is no dependency of a program whose kernels are not compressed.
 *
 * Nothing is kept between calls; any thread.
 */
#ifndef HIPSHIM_SRC_BASE_ZSTD_H
#define HIPSHIM_SRC_BASE_ZSTD_H

#include <stddef.h>

enum { HS_ZSTD_REASON = 256 };

/* ZSTD_VERSION_NUMBER of the library that is found, 10504 for 1.5.4; 0: none. */
unsigned hs_zstd_version(void);

/* As one frame, from malloc; NULL with a reason in words. */
void *hs_zstd_pack(const void *data, size_t size, size_t *packed, char reason[HS_ZSTD_REASON]);

/*
 * Into `plain' bytes that lie on a page's boundary, as code objects do; from
 * aligned_alloc, NULL with a reason.  It is one if there are fewer or more.
 */
void *hs_zstd_unpack(const void *data, size_t size, size_t plain, char reason[HS_ZSTD_REASON]);

#endif
