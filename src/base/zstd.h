/* SPDX-License-Identifier: MIT */
/*
 * Compresses and decompresses by libzstd.  The library is opened by each call and
 * closed again, so that programs whose kernels are not compressed do not need it.
 * Any thread.
 */
#ifndef HIPSHIM_SRC_BASE_ZSTD_H
#define HIPSHIM_SRC_BASE_ZSTD_H

#include <stddef.h>

enum { HS_ZSTD_REASON = 256 };

/* ZSTD_VERSION_NUMBER of the library, 10504 for 1.5.4; 0 if there is none. */
unsigned hs_zstd_version(void);

/* One frame, from malloc; NULL with the reason. */
void *hs_zstd_pack(const void *data, size_t size, size_t *packed, char reason[HS_ZSTD_REASON]);

/*
 * Decompresses to exactly `plain` bytes, aligned to a page as code objects are;
 * from aligned_alloc.  NULL with the reason, also if the frame has another size.
 */
void *hs_zstd_unpack(const void *data, size_t size, size_t plain, char reason[HS_ZSTD_REASON]);

/*
 * The first `plain` bytes of a frame that may contain more, and that ends somewhere in the `most`
 * bytes at `data`; from aligned_alloc, aligned to a page.  NULL with the reason.
 */
void *hs_zstd_unpack_start(const void *data, size_t most, size_t plain,
                           char reason[HS_ZSTD_REASON]);

#endif
