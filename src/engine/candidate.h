/* SPDX-License-Identifier: MIT */
/* The steps of the search log about candidates that cannot be used. */
#ifndef HIPSHIM_SRC_ENGINE_CANDIDATE_H
#define HIPSHIM_SRC_ENGINE_CANDIDATE_H

#include "engine/search.h"

/* Records that `path`, the candidate's file, was rejected. */
void hs_candidate_reject(const struct hs_candidate *candidate, const char *path,
                         const char *reason);

/*
 * Records that dlopen could not open the candidate, with what would help; `message` is that of
 * dlerror.  A soname that the dynamic linker does not know is absent, not rejected.
 */
void hs_candidate_reject_dlopen(const struct hs_candidate *candidate, const char *message);

#endif
