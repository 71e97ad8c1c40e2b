/* SPDX-License-Identifier: MIT */
/*
 * Hand-written functions that replace the runtime's.  generator/apis/hip/overrides.toml names
 * them, each with its reason.  They have the type and the contract of the HIP function.
 */
#ifndef HIPSHIM_SRC_HIP_EMULATE_H
#define HIPSHIM_SRC_HIP_EMULATE_H

#include "caller_abi.h"
#include "functions.h"

/* On every release: return hipshim's entry points for the names of HIP functions. */
#ifdef HS_OFFERS_hipGetProcAddress
hipError_t hs_emulate_hipGetProcAddress(const char *symbol, void **pfn, int hipVersion,
                                        uint64_t flags,
                                        hipDriverProcAddressQueryResult *symbolStatus);
#endif
#ifdef HS_OFFERS_hipGetProcAddress_spt
hipError_t hs_emulate_hipGetProcAddress_spt(const char *symbol, void **pfn, int hipVersion,
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

/* Where a runtime lacks the function; see emulate_older.c. */
#ifdef HS_OFFERS_hipDrvGetErrorName
hipError_t hs_emulate_hipDrvGetErrorName(hipError_t hipError, const char **errorString);
#endif
#ifdef HS_OFFERS_hipDrvGetErrorString
hipError_t hs_emulate_hipDrvGetErrorString(hipError_t hipError, const char **errorString);
#endif
#ifdef HS_OFFERS_hipExtGetLastError
hipError_t hs_emulate_hipExtGetLastError(void);
#endif
#ifdef HS_OFFERS_hipLaunchHostFunc
hipError_t hs_emulate_hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void *userData);
#endif
#ifdef HS_OFFERS_hipStreamGetDevice
hipError_t hs_emulate_hipStreamGetDevice(hipStream_t stream, hipDevice_t *device);
#endif
#ifdef HS_OFFERS_hipEventRecordWithFlags
hipError_t hs_emulate_hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags);
#endif
#ifdef HS_OFFERS_hipMemAdvise_v2
hipError_t hs_emulate_hipMemAdvise_v2(const void *dev_ptr, size_t count, hipMemoryAdvise advice,
                                      hipMemLocation location);
hipError_t hs_emulate_hipMemPrefetchAsync_v2(const void *dev_ptr, size_t count,
                                             hipMemLocation location, unsigned flags,
                                             hipStream_t stream);
#endif
#ifdef HS_OFFERS_hipMemsetD2D8
hipError_t hs_emulate_hipMemsetD2D8(hipDeviceptr_t dst, size_t dstPitch, unsigned char value,
                                    size_t width, size_t height);
hipError_t hs_emulate_hipMemsetD2D8Async(hipDeviceptr_t dst, size_t dstPitch, unsigned char value,
                                         size_t width, size_t height, hipStream_t stream);
#endif
#ifdef HS_OFFERS_hipLaunchKernelExC
hipError_t hs_emulate_hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *fPtr,
                                         void **args);
hipError_t hs_emulate_hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *config, hipFunction_t f,
                                           void **params, void **extra);
#endif

/* The enumerator of an error, or NULL if the number is none; static storage. */
const char *hs_names_hipError_t(int error);
const char *hs_names_hiprtcResult(int error);

/* Only without a runtime. */
hipError_t hs_emulate_hipGetDeviceCount(int *count);
const char *hs_emulate_hipGetErrorName(hipError_t error);
hipError_t hs_emulate_hipGetLastError(void);
hipError_t hs_emulate_hipPeekAtLastError(void);
const char *hs_emulate_hipGetErrorString(hipError_t error);
const char *hs_emulate_hiprtcGetErrorString(hiprtcResult result);

#endif
