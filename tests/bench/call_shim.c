/* SPDX-License-Identifier: MIT */
/* Calls through hipshim, as a program that uses its header makes them. */
#include <hip/hip_runtime_api.h>

#include "call.h"

CALL_LOOPS(call_shim, hipCtxDestroy, hipGetErrorName, hipRuntimeGetVersion);

/* The same symbols without the header's attribute: calls through the PLT. */
hipError_t hipshim_hipCtxDestroy(hipCtx_t ctx);
const char *hipshim_hipGetErrorName(hipError_t hip_error);
hipError_t hipshim_hipRuntimeGetVersion(int *runtimeVersion);
CALL_LOOPS(call_shim_plt, hipshim_hipCtxDestroy, hipshim_hipGetErrorName,
           hipshim_hipRuntimeGetVersion);
