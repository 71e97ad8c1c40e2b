/* SPDX-License-Identifier: MIT */
/*
 * Calls that mean something else since some release, with the same types:
 * generator/apis/hip/overrides.toml names them (`behaves').
 *
 * "newer" serves a caller that expects what the call has meant since then, over
 * a runtime from before; "older" the reverse.  `next` is the call with all its
 * types converted; the other parameters, the result and the contract are those
 * of the HIP function.
 */
#ifndef HIPSHIM_SRC_DISPATCH_SEMANTICS_H
#define HIPSHIM_SRC_DISPATCH_SEMANTICS_H

#include "front.h"
#include "functions.h"

/* HIP 6.0: a pointer it does not know has a type; before, it was an error. */
typedef hipError_t (*hs_semantics_pointer_next)(hipPointerAttribute_t *attributes, const void *ptr);
hipError_t hs_semantics_newer_hipPointerGetAttributes(hs_semantics_pointer_next next,
                                                   hipPointerAttribute_t *attributes,
                                                   const void *ptr);
hipError_t hs_semantics_older_hipPointerGetAttributes(hs_semantics_pointer_next next,
                                                   hipPointerAttribute_t *attributes,
                                                   const void *ptr);

/* HIP 7.0: hipGetLastError gives the last error; before, what the last call returned. */
hipError_t hs_semantics_older_hipGetLastError(hipError_t (*next)(void));

/* HIP 7.0: osHandle is a file descriptor; before, it was the address of one. */
typedef hipError_t (*hs_semantics_import_next)(hipMemGenericAllocationHandle_t *handle, void *osHandle,
                                            hipMemAllocationHandleType type);
hipError_t hs_semantics_newer_hipMemImportFromShareableHandle(hs_semantics_import_next next,
                                                           hipMemGenericAllocationHandle_t *handle,
                                                           void *osHandle,
                                                           hipMemAllocationHandleType type);
hipError_t hs_semantics_older_hipMemImportFromShareableHandle(hs_semantics_import_next next,
                                                           hipMemGenericAllocationHandle_t *handle,
                                                           void *osHandle,
                                                           hipMemAllocationHandleType type);

#endif
