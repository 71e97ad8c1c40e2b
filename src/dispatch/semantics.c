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
    /* With both arguments there, 5.x refuses nothing but a pointer it does not know. */
    if (result != hipErrorInvalidValue || !attributes || !ptr) {
        return result;
    }
    HS_SLOT(hipGetLastError)(); /* 5.x remembers it; a success would have cleared it there */
    memset(attributes, 0, sizeof *attributes);
    attributes->type = hipMemoryTypeUnregistered;
    attributes->device = -2; /* what 6.0 and later say of no device */
    return hipSuccess;
}
#endif

#ifdef HS_SEMANTICS_older_hipPointerGetAttributes
hipError_t hs_semantics_older_hipPointerGetAttributes(hs_semantics_pointer_next next,
                                                   hipPointerAttribute_t *attributes,
                                                   const void *ptr)
{
    hipError_t result = next(attributes, ptr);
    /* The one type that 5.x has no value for, and the conversion refused. */
    return result == hipErrorNotSupported ? hipErrorInvalidValue : result;
}
#endif

#ifdef HS_SEMANTICS_older_hipGetLastError
hipError_t hs_semantics_older_hipGetLastError(hipError_t (*next)(void))
{
    /* 7.x keeps what it meant before under another name. */
    hipError_t (*result_of_last_call)(void) =
        (hipError_t(*)(void))hs_dispatch_named("hipExtGetLastError");
    return result_of_last_call ? result_of_last_call() : next();
}
#endif

#ifdef HS_SEMANTICS_newer_hipMemImportFromShareableHandle
hipError_t hs_semantics_newer_hipMemImportFromShareableHandle(hs_semantics_import_next next,
                                                           hipMemGenericAllocationHandle_t *handle,
                                                           void *osHandle,
                                                           hipMemAllocationHandleType type)
{
    int file = (int)(intptr_t)osHandle;
    bool is_file = type == hipMemHandleTypePosixFileDescriptor;
    return next(handle, is_file ? &file : osHandle, type);
}
#endif

#ifdef HS_SEMANTICS_older_hipMemImportFromShareableHandle
hipError_t hs_semantics_older_hipMemImportFromShareableHandle(hs_semantics_import_next next,
                                                           hipMemGenericAllocationHandle_t *handle,
                                                           void *osHandle,
                                                           hipMemAllocationHandleType type)
{
    if (type != hipMemHandleTypePosixFileDescriptor || !osHandle) {
        return next(handle, osHandle, type);
    }
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): a number in a pointer's place, as 7.0 has it */
    return next(handle, (void *)(intptr_t) * (const int *)osHandle, type);
}
#endif
