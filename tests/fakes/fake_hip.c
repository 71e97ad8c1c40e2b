/* SPDX-License-Identifier: MIT */
/* See fake_hip.h.  Compile with -DFAKE_BINDINGS='"bindings_<patch>.h"'. */
#include FAKE_BINDINGS

#include <stdio.h>
#include <string.h>

#include "fake_hip.h"

#define CHECK(what, holds)                                                                     \
    if (!(holds)) {                                                                            \
        fprintf(stderr, "fake HIP %d.%d: %s: %s is wrong\n", HIP_VERSION_MAJOR,                \
                HIP_VERSION_MINOR, __func__, what);                                            \
        bad = 1;                                                                               \
    }
#define WANT(member, number) CHECK(#member, in->member == (number))
#define SET(member, number) out->member = (number);

hipError_t hipRuntimeGetVersion(int *version)
{
    *version = HIP_VERSION;
    return hipSuccess;
}

#if HIP_VERSION_MAJOR < 6
typedef hipDeviceProp_t properties;
#define GET_PROPERTIES hipGetDeviceProperties
#define CHOOSE hipChooseDevice
#else
typedef hipDeviceProp_tR0600 properties;
#define GET_PROPERTIES hipGetDevicePropertiesR0600
#define CHOOSE hipChooseDeviceR0600
#undef hipGetDeviceProperties

/* In every real library the bare name keeps the layout of 5.x: a trap. */
hipError_t hipGetDeviceProperties(void *prop, int device);
hipError_t hipGetDeviceProperties(void *prop, int device)
{
    (void)device;
    memset(prop, 0x5a, 792);
    return hipSuccess;
}
#endif

hipError_t GET_PROPERTIES(properties *out, int device)
{
    if (device != 0) {
        return hipErrorInvalidDevice;
    }
    memset(out, FAKE_POISON, sizeof *out);
    strcpy(out->name, FAKE_NAME);
    strcpy(out->gcnArchName, FAKE_ARCH);
    FAKE_PROPS(SET)
    return hipSuccess;
}

hipError_t CHOOSE(int *device, const properties *in)
{
    int bad = 0;
    CHECK("name", strcmp(in->name, FAKE_NAME) == 0)
    CHECK("gcnArchName", strcmp(in->gcnArchName, FAKE_ARCH) == 0)
    FAKE_PROPS(WANT)
    *device = 3;
    return bad ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *in)
{
    int bad = 0;
    FAKE_COPY3D(WANT)
    WANT(srcMemoryType, hipMemoryTypeHost)
    WANT(dstMemoryType, hipMemoryTypeDevice)
    WANT(srcHost, FAKE_POINTER(1))
    WANT(srcDevice, FAKE_POINTER(2))
    WANT(srcArray, FAKE_POINTER(3))
    WANT(dstHost, FAKE_POINTER(4))
    WANT(dstDevice, FAKE_POINTER(5))
    WANT(dstArray, FAKE_POINTER(6))
    return bad ? hipErrorInvalidValue : hipSuccess;
}

static hipMemoryType type_of(const void *pointer)
{
    switch ((uintptr_t)pointer / 0x1000) {
    case FAKE_HOST: return hipMemoryTypeHost;
    case FAKE_DEVICE: return hipMemoryTypeDevice;
    case FAKE_ARRAY: return hipMemoryTypeArray;
#if HIP_VERSION_MAJOR > 5 || HIP_VERSION_MINOR > 2
    case FAKE_MANAGED: return hipMemoryTypeManaged;
#endif
    default: return hipMemoryTypeUnified;
    }
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *out, const void *pointer)
{
    if (!pointer) {
        return hipErrorInvalidValue;
    }
    memset(out, FAKE_POISON, sizeof *out);
#if HIP_VERSION_MAJOR < 6
    out->memoryType = type_of(pointer);
#else
    out->type = type_of(pointer);
#endif
    SET(device, 7)
    SET(devicePointer, FAKE_POINTER(8))
    SET(hostPointer, FAKE_POINTER(9))
    SET(isManaged, 10)
    SET(allocationFlags, 11)
    return hipSuccess;
}

hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute,
                                  hipDeviceptr_t pointer)
{
    if (attribute != HIP_POINTER_ATTRIBUTE_MEMORY_TYPE) {
        *(int *)data = 1; /* must come through as it is */
        return hipSuccess;
    }
    *(int *)data = type_of(pointer);
    return hipSuccess;
}

hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t *semaphores,
                                            const hipExternalSemaphoreSignalParams *list,
                                            unsigned int count, hipStream_t stream)
{
    int bad = 0;
    for (unsigned i = 0; i < count; i++) {
        const hipExternalSemaphoreSignalParams *in = &list[i];
        WANT(params.fence.value, i + 1)
        WANT(params.keyedMutex.key, i + 2)
        WANT(flags, i + 3)
    }
    CHECK("stream", stream == FAKE_POINTER(9))
    CHECK("semaphores", semaphores == FAKE_POINTER(8))
    return bad ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *out,
                                                   hipMemGenericAllocationHandle_t handle)
{
    (void)handle;
    memset(out, FAKE_POISON, sizeof *out);
    out->type = hipMemAllocationTypePinned;
    out->location.type = hipMemLocationTypeDevice;
    out->location.id = 5;
    out->requestedHandleType = hipMemHandleTypePosixFileDescriptor;
    out->win32HandleMetaData = FAKE_POINTER(6);
    return hipSuccess;
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *out)
{
    *out = node == FAKE_POINTER(1) ? hipGraphNodeTypeKernel : hipGraphNodeTypeEventRecord;
    return hipSuccess;
}

