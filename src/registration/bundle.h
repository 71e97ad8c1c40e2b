/* SPDX-License-Identifier: MIT */
/*
 * Fat binaries as clang writes them: code objects for several architectures in an offload bundle,
 * which may be compressed.
 */
#ifndef HIPSHIM_SRC_REGISTRATION_BUNDLE_H
#define HIPSHIM_SRC_REGISTRATION_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>

#include "registration/registration.h"

enum { HS_BUNDLE_REASON = 512 };

/*
 * Whether the runtime can read the fat binary behind the compiler's wrapper for the devices; else
 * false, with the reason.  If the runtime does not read compressed bundles, `*unpacked` becomes a
 * wrapper of the plain bundle, which the caller frees with hs_bundle_free once the runtime has no
 * use for it; otherwise NULL.
 */
bool hs_bundle_check(const void *wrapper, const struct hs_registration_reader *reader,
                     void **unpacked, char reason[HS_BUNDLE_REASON]);

void hs_bundle_free(void *unpacked);

#endif
