/* SPDX-License-Identifier: MIT */
#include "dispatch/semantics.h"

#include <stdint.h>
#include <string.h>

#include "dispatch/dispatch.h"

#ifdef HS_SEMANTICS_newer_hipPointerGetAttributes
hipError_t hs_semantics_newer_hipPointerGetAttributes(hs_semantics_pointer_next next,
                                                      hipPointerAttribute_t *attributes,
                                                      const void *ptr)
{
    hipError_t result = next(attributes, ptr);
    /* With both arguments valid, 5.x refuses only a pointer that it does not know. */
    if (result != hipErrorInvalidValue || !attributes || !ptr) {
        return result;
    }
    HS_SLOT(hipGetLastError)(); /* 5.x keeps the error, which a success would have cleared */
    memset(attributes, 0, sizeof *attributes);
    attributes->type = hipMemoryTypeUnregistered;
    attributes->device = -2; /* the device that 6.0 and later report for such a pointer */
    return hipSuccess;
}
#endif

#ifdef HS_SEMANTICS_older_hipPointerGetAttributes
hipError_t hs_semantics_older_hipPointerGetAttributes(hs_semantics_pointer_next next,
                                                      hipPointerAttribute_t *attributes,
                                                      const void *ptr)
{
    hipError_t result = next(attributes, ptr);
    /* The conversion refuses one type only, for which 5.x has no value: Unregistered. */
    return result == hipErrorNotSupported ? hipErrorInvalidValue : result;
}
#endif

#ifdef HS_SEMANTICS_older_hipGetLastError
hipError_t hs_semantics_older_hipGetLastError(hipError_t (*next)(void))
{
    /* 7.x has the former meaning under another name. */
    hipError_t (*result_of_last_call)(void) =
        (hipError_t(*)(void))hs_dispatch_runtime_symbol("hipExtGetLastError");
    return result_of_last_call ? result_of_last_call() : next();
}
#endif

#ifdef HS_SEMANTICS_newer_hipMemImportFromShareableHandle
hipError_t
hs_semantics_newer_hipMemImportFromShareableHandle(hs_semantics_import_next next,
                                                   hipMemGenericAllocationHandle_t *handle,
                                                   void *osHandle, hipMemAllocationHandleType type)
{
    int file = (int)(intptr_t)osHandle;
    bool is_file = type == hipMemHandleTypePosixFileDescriptor;
    return next(handle, is_file ? &file : osHandle, type);
}
#endif

#ifdef HS_SEMANTICS_older_hipMemImportFromShareableHandle
hipError_t
hs_semantics_older_hipMemImportFromShareableHandle(hs_semantics_import_next next,
                                                   hipMemGenericAllocationHandle_t *handle,
                                                   void *osHandle, hipMemAllocationHandleType type)
{
    if (type != hipMemHandleTypePosixFileDescriptor || !osHandle) {
        return next(handle, osHandle, type);
    }
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): 7.0 passes the number as a pointer */
    return next(handle, (void *)(intptr_t) * (const int *)osHandle, type);
}
#endif
