/* SPDX-License-Identifier: MIT */
/* Calls of a program that asks hipshim's header for inline ones. */
#define HIPSHIM_INLINE
#include <hip/hip_runtime_api.h>

#include "call.h"

CALL_LOOPS(call_shim_inline, hipCtxDestroy, hipGetErrorName, hipRuntimeGetVersion);
