/* SPDX-License-Identifier: MIT */
/*
 * Fat binaries as clang writes them: code objects for several architectures in an offload bundle,
 * which may be compressed.
 */
#ifndef HIPSHIM_SRC_HIP_REGISTRATION_BUNDLE_H
#define HIPSHIM_SRC_HIP_REGISTRATION_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>

#include "hip/registration.h"

/*
 * As hs_bundle_adapt, for the compiler's wrapper of a fat binary.  `*unpacked` is then a wrapper,
 * too, which the caller frees with hs_bundle_free once the runtime has no use for it.
 */
bool hs_bundle_check(const void *wrapper, const struct hs_registration_reader *reader,
                     void **unpacked, char reason[HS_BUNDLE_REASON]);

void hs_bundle_free(void *unpacked);

#endif
