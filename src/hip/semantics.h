/* SPDX-License-Identifier: MIT */
/*
 * Functions whose meaning changed in some release while their types did not.
 * generator/apis/hip/overrides.toml names them.
 *
 * "newer" serves a caller that expects the meaning since that release, over a runtime from
 * before; "older" serves the reverse.  `next` is the call with all its types converted.  The other
 * parameters, the result and the contract are those of the HIP function.
 */
#ifndef HIPSHIM_SRC_HIP_SEMANTICS_H
#define HIPSHIM_SRC_HIP_SEMANTICS_H

#include "caller_abi.h"
#include "functions.h"

/* A runtime refuses a question for an attribute that it does not know. */
typedef hipError_t (*hs_semantics_attribute_next)(int *pi, hipDeviceAttribute_t attr, int deviceId);
hipError_t hs_semantics_newer_hipDeviceGetAttribute(hs_semantics_attribute_next next, int *pi,
                                                    hipDeviceAttribute_t attr, int deviceId);

/*
 * Over another major, a drop-in answers the release of its own ABI, because programs choose the
 * names of libraries and the format of code by the number, or refuse one that they do not know.
 */
hipError_t hs_semantics_dropin_hipRuntimeGetVersion(hipError_t (*next)(int *), int *runtimeVersion);
hipError_t hs_semantics_dropin_hipDriverGetVersion(hipError_t (*next)(int *), int *driverVersion);

#ifdef HS_SEMANTICS_newer_hipGetDevicePropertiesR0600
/* Since HIP 6.0 the structure has the uuid. */
typedef hipError_t (*hs_semantics_properties_next)(hipDeviceProp_tR0600 *prop, int deviceId);
hipError_t hs_semantics_newer_hipGetDevicePropertiesR0600(hs_semantics_properties_next next,
                                                          hipDeviceProp_tR0600 *prop, int deviceId);
#endif

/* Since HIP 6.0 a pointer that HIP does not know has a type; before, it was an error. */
typedef hipError_t (*hs_semantics_pointer_next)(hipPointerAttribute_t *attributes, const void *ptr);
hipError_t hs_semantics_newer_hipPointerGetAttributes(hs_semantics_pointer_next next,
                                                      hipPointerAttribute_t *attributes,
                                                      const void *ptr);
hipError_t hs_semantics_older_hipPointerGetAttributes(hs_semantics_pointer_next next,
                                                      hipPointerAttribute_t *attributes,
                                                      const void *ptr);

/* The same change for a list of attributes, where the type 0 is Host before and Unregistered since.
 */
typedef hipError_t (*hs_semantics_pointer_list_next)(unsigned count,
                                                     hipPointer_attribute *attributes, void **data,
                                                     hipDeviceptr_t ptr);
hipError_t hs_semantics_newer_hipDrvPointerGetAttributes(hs_semantics_pointer_list_next next,
                                                         unsigned count,
                                                         hipPointer_attribute *attributes,
                                                         void **data, hipDeviceptr_t ptr);
hipError_t hs_semantics_older_hipDrvPointerGetAttributes(hs_semantics_pointer_list_next next,
                                                         unsigned count,
                                                         hipPointer_attribute *attributes,
                                                         void **data, hipDeviceptr_t ptr);

/* Since HIP 7.0 they return the last error; before, they returned the result of the last call. */
hipError_t hs_semantics_older_hipGetLastError(hipError_t (*next)(void));
hipError_t hs_semantics_older_hipPeekAtLastError(hipError_t (*next)(void));

/* Since HIP 7.0 osHandle is a file descriptor; before, it was the address of one. */
typedef hipError_t (*hs_semantics_import_next)(hipMemGenericAllocationHandle_t *handle,
                                               void *osHandle, hipMemAllocationHandleType type);
hipError_t
hs_semantics_newer_hipMemImportFromShareableHandle(hs_semantics_import_next next,
                                                   hipMemGenericAllocationHandle_t *handle,
                                                   void *osHandle, hipMemAllocationHandleType type);
hipError_t
hs_semantics_older_hipMemImportFromShareableHandle(hs_semantics_import_next next,
                                                   hipMemGenericAllocationHandle_t *handle,
                                                   void *osHandle, hipMemAllocationHandleType type);

/* Since HIP 7.0 hiprtc declares the integers of a fixed size in a namespace of its own only. */
typedef hiprtcResult (*hs_semantics_program_next)(hiprtcProgram *prog, const char *src,
                                                  const char *name, int numHeaders,
                                                  const char **headers, const char **includeNames);
hiprtcResult hs_semantics_older_hiprtcCreateProgram(hs_semantics_program_next next,
                                                    hiprtcProgram *prog, const char *src,
                                                    const char *name, int numHeaders,
                                                    const char **headers,
                                                    const char **includeNames);

/* Since HIP 7.0 an architecture that the compiler does not know is an error. */
typedef hiprtcResult (*hs_semantics_compile_next)(hiprtcProgram prog, int numOptions,
                                                  const char *const *options);
hiprtcResult hs_semantics_newer_hiprtcCompileProgram(hs_semantics_compile_next next,
                                                     hiprtcProgram prog, int numOptions,
                                                     const char *const *options);

#endif
