/* SPDX-License-Identifier: MIT */
/*
 * Hand-written functions that replace the runtime's.  generator/apis/hip/overrides.toml names
 * them, each with its reason.  They have the type and the contract of the HIP function.
 */
#ifndef HIPSHIM_SRC_DISPATCH_EMULATE_H
#define HIPSHIM_SRC_DISPATCH_EMULATE_H

#include "caller_abi.h"
#include "functions.h"

/* On every release: return hipshim's entry points for the names of HIP functions. */
#ifdef HS_OFFERS_hipGetProcAddress
hipError_t hs_emulate_hipGetProcAddress(const char *symbol, void **pfn, int hipVersion,
                                        uint64_t flags,
                                        hipDriverProcAddressQueryResult *symbolStatus);
#endif
#ifdef HS_OFFERS_hipGetDriverEntryPoint
hipError_t hs_emulate_hipGetDriverEntryPoint(const char *symbol, void **funcPtr,
                                             unsigned long long flags,
                                             hipDriverEntryPointQueryResult *driverStatus);
hipError_t hs_emulate_hipGetDriverEntryPoint_spt(const char *symbol, void **funcPtr,
                                                 unsigned long long flags,
                                                 hipDriverEntryPointQueryResult *status);
#endif

/* Only without a runtime. */
hipError_t hs_emulate_hipGetDeviceCount(int *count);
const char *hs_emulate_hipGetErrorName(hipError_t error);
hipError_t hs_emulate_hipGetLastError(void);
hipError_t hs_emulate_hipPeekAtLastError(void);
const char *hs_emulate_hipGetErrorString(hipError_t error);
const char *hs_emulate_hiprtcGetErrorString(hiprtcResult result);

#endif
