/* SPDX-License-Identifier: MIT */
/* The table of functions that libhipshim-rocm jumps through (src/rocm/forward.S). */
#include "forward.h"

#include "dispatch/dispatch.h"

extern const hs_function *const HS_FORWARD_TABLE;

HS_PUBLIC const hs_function *const HS_FORWARD_TABLE = hs_entries;
