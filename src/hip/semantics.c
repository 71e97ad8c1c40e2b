/* SPDX-License-Identifier: MIT */
#include "hip/semantics.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/variable.h"
#include "engine/dispatch.h"
#include "functions.h"
#include "hip/compiler_targets.h"
#include "hip/last_error.h"
#include "hip/registration_calls.h"

enum { KNOWN_TARGETS = 600 }; /* bytes */

#ifdef HS_SEMANTICS_dropin_hipRuntimeGetVersion
static hipError_t answer_version(hipError_t (*next)(int *), int *version)
{
    hipError_t result = next(version);
    const char *wanted = secure_getenv("HIPSHIM_DROPIN_VERSION");
    if (wanted && strcmp(wanted, "installed") == 0) {
        return result;
    }
    if (wanted && *wanted) {
        hs_variable_refuse("HIPSHIM_DROPIN_VERSION", wanted, "`installed`; it counts as not set");
    }
    if (result == hipSuccess) {
        *version = HIP_VERSION;
    }
    return result;
}

hipError_t hs_semantics_dropin_hipRuntimeGetVersion(hipError_t (*next)(int *), int *runtimeVersion)
{
    return answer_version(next, runtimeVersion);
}

hipError_t hs_semantics_dropin_hipDriverGetVersion(hipError_t (*next)(int *), int *driverVersion)
{
    return answer_version(next, driverVersion);
}
#endif

#ifdef HS_SEMANTICS_newer_hipDeviceGetAttribute
static int has_priorities(void)
{
    int least = 0, greatest = 0;

    return HS_SLOT(hipDeviceGetStreamPriorityRange)(&least, &greatest) == hipSuccess &&
           least != greatest;
}

/*
 * The answer to a question that the runtime does not know: 0 for what came later than the runtime,
 * 1 for what every release does and only newer ones can be asked about; -1 if hipshim does not know
 * either.
 */
static int answer_for_older(hipDeviceAttribute_t attribute)
{
    switch (attribute) {
    case hipDeviceAttributeStreamPrioritiesSupported:
        return has_priorities();
    case hipDeviceAttributeMemoryPoolsSupported:
    case hipDeviceAttributeVirtualMemoryManagementSupported:
#ifdef HS_OFFERS_hipGetProcAddress_spt /* callers since 7.14 */
    case hipDeviceAttributeExpertSchedMode:
    case hipDeviceAttributeHandleTypeFabricSupported:
    case hipDeviceAttributeMaxDynDataPrefetchRegions: /* 0 if there are none */
#endif
        return 0;
#ifdef HS_OFFERS_hipGetProcAddress /* callers since 6.0 */
    case hipDeviceAttributeHostRegisterSupported:
        return 1;
#endif
    default:
        return -1;
    }
}

hipError_t hs_semantics_newer_hipDeviceGetAttribute(hs_semantics_attribute_next next, int *pi,
                                                    hipDeviceAttribute_t attr, int deviceId)
{
    hipError_t result = next(pi, attr, deviceId);
    int answer = result == hipErrorInvalidValue && pi ? answer_for_older(attr) : -1;
    if (answer < 0) {
        return result;
    }
    hs_last_error_clear();
    *pi = answer;
    return hipSuccess;
}
#endif

#ifdef HS_SEMANTICS_newer_hipGetDevicePropertiesR0600
/* The members that the structure of 5.x lacks and 5.x answers as attributes. */
#define MEMBER(attribute, member)                                                                  \
    {                                                                                              \
        hipDeviceAttribute##attribute, offsetof(hipDeviceProp_tR0600, member),                     \
            sizeof((hipDeviceProp_tR0600 *)0)->member                                              \
    }
static const struct {
    hipDeviceAttribute_t attribute;
    size_t offset, size;
} members[] = {
    MEMBER(AccessPolicyMaxWindowSize, accessPolicyMaxWindowSize),
    MEMBER(AsyncEngineCount, asyncEngineCount),
    MEMBER(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    MEMBER(ComputePreemptionSupported, computePreemptionSupported),
    MEMBER(DeviceOverlap, deviceOverlap),
    MEMBER(GlobalL1CacheSupported, globalL1CacheSupported),
    MEMBER(HostNativeAtomicSupported, hostNativeAtomicSupported),
    MEMBER(LocalL1CacheSupported, localL1CacheSupported),
    MEMBER(LuidDeviceNodeMask, luidDeviceNodeMask),
    MEMBER(MaxBlocksPerMultiProcessor, maxBlocksPerMultiProcessor),
    MEMBER(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    MEMBER(MaxSurface1D, maxSurface1D),
    MEMBER(MaxSurfaceCubemap, maxSurfaceCubemap),
    MEMBER(MaxTexture1DMipmap, maxTexture1DMipmap),
    MEMBER(MaxTextureCubemap, maxTextureCubemap),
    MEMBER(MemoryPoolsSupported, memoryPoolsSupported),
    MEMBER(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    MEMBER(PersistingL2CacheMaxSize, persistingL2CacheMaxSize),
    MEMBER(ReservedSharedMemPerBlock, reservedSharedMemPerBlock),
    /* Of these two 5.x answers the first only; where both have an answer, the second holds. */
    MEMBER(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    MEMBER(SharedMemPerMultiprocessor, sharedMemPerMultiprocessor),
    MEMBER(SharedMemPerBlockOptin, sharedMemPerBlockOptin),
    MEMBER(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    MEMBER(StreamPrioritiesSupported, streamPrioritiesSupported),
    MEMBER(SurfaceAlignment, surfaceAlignment),
    MEMBER(UnifiedAddressing, unifiedAddressing),
#ifdef HS_OFFERS_hipGetProcAddress /* callers since 6.0 */
    MEMBER(HostRegisterSupported, hostRegisterSupported),
    MEMBER(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
#endif
};
#undef MEMBER

static void fill_from_attributes(hipDeviceProp_tR0600 *prop, int device)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        char *member = (char *)prop + members[i].offset;
        int value = 0;

        if (HS_SLOT(hipDeviceGetAttribute)(&value, members[i].attribute, device) == hipSuccess) {
            /* Little-endian, as every host of ROCm. */
            memset(member, 0, members[i].size);
            memcpy(member, &value, sizeof value);
        }
    }
}

hipError_t hs_semantics_newer_hipGetDevicePropertiesR0600(hs_semantics_properties_next next,
                                                          hipDeviceProp_tR0600 *prop, int deviceId)
{
    hipError_t result = next(prop, deviceId);
    if (result != hipSuccess) {
        return result;
    }
    fill_from_attributes(prop, deviceId);
    prop->ipcEventSupported = 1; /* every release has hipIpcGetEventHandle, and 6.0 says 1 */
    /* The structure of 5.x has no uuid; with all zero, all devices would look alike. */
    if (HS_SLOT(hipDeviceGetUuid)(&prop->uuid, deviceId) != hipSuccess) {
        memset(&prop->uuid, 0, sizeof prop->uuid);
    }
    hs_last_error_clear(); /* of the questions that had no answer */
    return hipSuccess;
}
#endif

#ifdef HS_SEMANTICS_newer_hipPointerGetAttributes
hipError_t hs_semantics_newer_hipPointerGetAttributes(hs_semantics_pointer_next next,
                                                      hipPointerAttribute_t *attributes,
                                                      const void *ptr)
{
    hipError_t result = next(attributes, ptr);
    if (result == hipSuccess && attributes->isManaged == 1 &&
        attributes->type == hipMemoryTypeHost) {
        attributes->type = hipMemoryTypeManaged; /* before 5.3 there was no such type */
    }
    /* With both arguments valid, 5.x refuses only a pointer that it does not know. */
    if (result != hipErrorInvalidValue || !attributes || !ptr) {
        return result;
    }
    hs_last_error_clear(); /* 5.x keeps the error, which a success would have cleared */
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
    return result == hipErrorNotSupported ? hs_last_error_set(hipErrorInvalidValue) : result;
}
#endif

#if defined(HS_SEMANTICS_newer_hipDrvPointerGetAttributes) ||                                      \
    defined(HS_SEMANTICS_older_hipDrvPointerGetAttributes)
/*
 * Of a pointer that HIP does not know, the runtime returns default values.  The default type, 0, is
 * the right one for every caller, so it must not be converted.
 */
static hipError_t convert_known_pointers(hs_semantics_pointer_list_next next, unsigned count,
                                         hipPointer_attribute *attributes, void **data,
                                         hipDeviceptr_t ptr)
{
    __typeof__(&hipDrvPointerGetAttributes) runtime_function =
        (__typeof__(&hipDrvPointerGetAttributes))
            hs_runtime_functions[HS_FN_hipDrvPointerGetAttributes];
    hipPointer_attribute asked[] = {HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                    HIP_POINTER_ATTRIBUTE_MEMORY_TYPE};
    int ordinal = 0, type = 0;
    void *answers[] = {&ordinal, &type};
    bool is_unknown =
        runtime_function(2, asked, answers, ptr) == hipSuccess && ordinal == -2 && type == 0;
    return is_unknown ? runtime_function(count, attributes, data, ptr)
                      : next(count, attributes, data, ptr);
}
#endif

#ifdef HS_SEMANTICS_newer_hipDrvPointerGetAttributes
hipError_t hs_semantics_newer_hipDrvPointerGetAttributes(hs_semantics_pointer_list_next next,
                                                         unsigned count,
                                                         hipPointer_attribute *attributes,
                                                         void **data, hipDeviceptr_t ptr)
{
    return convert_known_pointers(next, count, attributes, data, ptr);
}
#endif

#ifdef HS_SEMANTICS_older_hipDrvPointerGetAttributes
hipError_t hs_semantics_older_hipDrvPointerGetAttributes(hs_semantics_pointer_list_next next,
                                                         unsigned count,
                                                         hipPointer_attribute *attributes,
                                                         void **data, hipDeviceptr_t ptr)
{
    return convert_known_pointers(next, count, attributes, data, ptr);
}
#endif

#ifdef HS_SEMANTICS_older_hipGetLastError
/* 7.x has the former meaning of hipGetLastError under another name: hipExtGetLastError. */
hipError_t hs_semantics_older_hipGetLastError(hipError_t (*next)(void))
{
    hs_last_error_function result_of_last_call = hs_last_error_of_last_call();
    if (!result_of_last_call) {
        return next();
    }
    hipError_t error = result_of_last_call();
    next();                /* clears the error that hipPeekAtLastError of 7.x would return again */
    result_of_last_call(); /* clears the result of that call */
    return error;
}

hipError_t hs_semantics_older_hipPeekAtLastError(hipError_t (*next)(void))
{
    hs_last_error_function result_of_last_call = hs_last_error_of_last_call();
    if (!result_of_last_call) {
        return next();
    }
    hipError_t error = result_of_last_call();
    if (error != hipSuccess) {
        next(); /* its result is the same error, which thus becomes the result of the last call */
    }
    return error;
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

#ifdef HS_SEMANTICS_older_hiprtcCreateProgram
/*
 * The types that hiprtc of 5.x and 6.x declares, as it declares them: a source may repeat an equal
 * typedef.  The line after them is again the first of the source, for messages and __LINE__.
 */
hiprtcResult hs_semantics_older_hiprtcCreateProgram(hs_semantics_program_next next,
                                                    hiprtcProgram *prog, const char *src,
                                                    const char *name, int numHeaders,
                                                    const char **headers, const char **includeNames)
{
    static const char types[] = "typedef int int32_t; typedef unsigned int uint32_t;\n"
                                "typedef long long int64_t; typedef unsigned long long uint64_t;\n"
                                "#line 1\n";
    char *whole = NULL;
    if (src && asprintf(&whole, "%s%s", types, src) < 0) {
        return HIPRTC_ERROR_OUT_OF_MEMORY;
    }
    hiprtcResult result = next(prog, whole, name, numHeaders, headers, includeNames);
    free(whole);
    return result;
}
#endif

#ifdef HS_SEMANTICS_newer_hiprtcCompileProgram
hiprtcResult hs_semantics_newer_hiprtcCompileProgram(hs_semantics_compile_next next,
                                                     hiprtcProgram prog, int numOptions,
                                                     const char *const *options)
{
    static const char *const prefixes[] = {"--offload-arch=", "--gpu-architecture="};
    char known[KNOWN_TARGETS];

    for (int i = 0; options && i < numOptions * 2; i++) {
        const char *option = options[i / 2], *prefix = prefixes[i % 2];
        size_t length = strlen(prefix);

        if (option && strncmp(option, prefix, length) == 0 &&
            !hs_compiler_targets_know(hs_dispatch_runtime(), option + length, known,
                                      sizeof known)) {
            hs_error_set("hiprtcCompileProgram: this HIP compiles for %s, and not for \"%.40s\"",
                         known, option + length);
            hs_registered_report();
            return HIPRTC_ERROR_INVALID_OPTION;
        }
    }
    return next(prog, numOptions, options);
}
#endif
