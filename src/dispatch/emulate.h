/* SPDX-License-Identifier: MIT */
/*
 * Hand-written functions that stand in for the runtime's: named in
 * generator/apis/hip/overrides.toml, where each has its reason.  They have the types
 * and the contract of the HIP function of that name.
 */
#ifndef HIPSHIM_SRC_DISPATCH_EMULATE_H
#define HIPSHIM_SRC_DISPATCH_EMULATE_H

#include "front.h"
#include "functions.h"

/* Every release: hand out hipshim's entry points for names of HIP functions. */
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

/* Without a runtime. */
hipError_t hs_emulate_hipGetDeviceCount(int *count);
const char *hs_emulate_hipGetErrorName(hipError_t error);
const char *hs_emulate_hipGetErrorString(hipError_t error);
const char *hs_emulate_hiprtcGetErrorString(hiprtcResult result);

#endif
