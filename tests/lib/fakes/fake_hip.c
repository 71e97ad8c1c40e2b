/* SPDX-License-Identifier: MIT */
/* See fake_hip.h.  Compile with -DFAKE_BINDINGS='"bindings_<patch>.h"'. */
#include FAKE_BINDINGS

#include <stdio.h>
#include <string.h>

#include "fake_hip.h"

#define SINCE(major, minor)                                                                        \
    (HIP_VERSION_MAJOR > (major) || (HIP_VERSION_MAJOR == (major) && HIP_VERSION_MINOR >= (minor)))
#define CHECK(what, holds)                                                                         \
    if (!(holds)) {                                                                                \
        fprintf(stderr, "fake HIP %d.%d: %s: %s is wrong\n", HIP_VERSION_MAJOR, HIP_VERSION_MINOR, \
                __func__, what);                                                                   \
        bad = 1;                                                                                   \
    }
#define WANT(member, number) CHECK(#member, in->member == (number))
#define SET(member, number)  out->member = (number);

hipError_t hipRuntimeGetVersion(int *version)
{
    *version = HIP_VERSION;
    return hipSuccess;
}

#if HIP_VERSION_MAJOR < 6
typedef hipDeviceProp_t properties;
#define GET_PROPERTIES hipGetDeviceProperties
#define CHOOSE         hipChooseDevice
#else
typedef hipDeviceProp_tR0600 properties;
#define GET_PROPERTIES hipGetDevicePropertiesR0600
#define CHOOSE         hipChooseDeviceR0600
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
    if (!out) {
        return hipErrorInvalidValue; /* NULL arrived as NULL */
    }
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
    case FAKE_HOST:
        return hipMemoryTypeHost;
    case FAKE_DEVICE:
        return hipMemoryTypeDevice;
    case FAKE_ARRAY:
        return hipMemoryTypeArray;
#if SINCE(5, 3)
    case FAKE_MANAGED:
        return hipMemoryTypeManaged;
#endif
    default:
        return hipMemoryTypeUnified;
    }
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *out, const void *pointer)
{
    if (!pointer || !out) {
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

#if SINCE(5, 2)
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
#endif

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *out)
{
    static const hipGraphNodeType types[] = {
        hipGraphNodeTypeKernel,
        hipGraphNodeTypeMemcpy,
        hipGraphNodeTypeMemset,
        hipGraphNodeTypeHost,
        hipGraphNodeTypeGraph,
        hipGraphNodeTypeEmpty,
        hipGraphNodeTypeWaitEvent,
        hipGraphNodeTypeEventRecord,
        hipGraphNodeTypeMemcpyFromSymbol,
        hipGraphNodeTypeMemcpyToSymbol,
    };
    *out = types[(uintptr_t)node / 0x1000 - 1];
    return hipSuccess;
}

/* --- every other function that some release needs an adapter for --- */

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *in, hipStream_t stream)
{
    /* Its own answer tells it from hipDrvMemcpy3D. */
    return stream == FAKE_POINTER(9) && hipDrvMemcpy3D(in) == hipSuccess ? hipErrorNotReady
                                                                         : hipErrorInvalidValue;
}

static hipError_t check_copy2d(const hip_Memcpy2D *in)
{
    int bad = 0;
    if (!in) {
        return hipErrorInvalidPitchValue; /* NULL arrived as NULL */
    }
    FAKE_COPY2D(WANT)
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

hipError_t hipMemcpyParam2D(const hip_Memcpy2D *in)
{
    return check_copy2d(in);
}
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *in)
{
    return check_copy2d(in);
}
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *in, hipStream_t stream)
{
    return stream == FAKE_POINTER(9) ? check_copy2d(in) : hipErrorInvalidHandle;
}

hipError_t hipDrvPointerGetAttributes(unsigned int count, hipPointer_attribute *attributes,
                                      void **data, hipDeviceptr_t pointer)
{
    for (unsigned i = 0; i < count; i++) {
        hipPointerGetAttribute(data[i], attributes[i], pointer);
    }
    return hipSuccess;
}

#if SINCE(5, 2)
static hipError_t check_allocation(const hipMemAllocationProp *in)
{
    int bad = 0;
    WANT(type, hipMemAllocationTypePinned)
    WANT(requestedHandleType, hipMemHandleTypePosixFileDescriptor)
    WANT(location.type, hipMemLocationTypeDevice)
    WANT(location.id, 5)
    WANT(win32HandleMetaData, FAKE_POINTER(6))
#if SINCE(5, 3)
    WANT(allocFlags.compressionType, 7)
    WANT(allocFlags.usage, 8)
#else
    WANT(compressionType, 7)
    WANT(usage, 8)
#endif
    return bad ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                        const hipMemAllocationProp *in, unsigned long long flags)
{
    *handle = FAKE_POINTER(1);
    return size == 64 && flags == 2 ? check_allocation(in) : hipErrorInvalidHandle;
}

hipError_t hipMemGetAllocationGranularity(size_t *granularity, const hipMemAllocationProp *in,
                                          hipMemAllocationGranularity_flags option)
{
    *granularity = 4096;
    return option == hipMemAllocationGranularityRecommended ? check_allocation(in)
                                                            : hipErrorInvalidHandle;
}

static int bad_pool(const hipMemPoolProps *in)
{
    int bad = 0;
    WANT(allocType, hipMemAllocationTypePinned)
    WANT(handleTypes, hipMemHandleTypePosixFileDescriptor)
    WANT(location.id, 5)
    WANT(win32SecurityAttributes, FAKE_POINTER(6))
    return bad;
}

hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *in)
{
    *pool = FAKE_POINTER(1);
    return bad_pool(in) ? hipErrorInvalidValue : hipSuccess;
}

#endif

#if SINCE(5, 5)
hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *node, hipGraph_t graph,
                                   const hipGraphNode_t *before, size_t count,
                                   hipMemAllocNodeParams *in)
{
    int bad = bad_pool(&in->poolProps);
    (void)graph, (void)before, (void)count;
    WANT(accessDescs, FAKE_POINTER(3))
    WANT(accessDescCount, 1)
    WANT(bytesize, 2)
    *node = FAKE_POINTER(1);
    in->dptr = FAKE_POINTER(4);
    return bad ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *out)
{
    (void)node;
    memset(out, FAKE_POISON, sizeof *out);
    SET(poolProps.location.id, 5)
    SET(accessDescs, FAKE_POINTER(3))
    SET(accessDescCount, 1)
    SET(bytesize, 2)
    SET(dptr, FAKE_POINTER(4))
    return hipSuccess;
}
#endif

hipError_t hipExternalMemoryGetMappedBuffer(void **out, hipExternalMemory_t memory,
                                            const hipExternalMemoryBufferDesc *in)
{
    int bad = 0;
    (void)memory;
    WANT(offset, 1)
    WANT(size, 2)
    WANT(flags, 3)
    *out = FAKE_POINTER(1);
    return bad ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipImportExternalMemory(hipExternalMemory_t *out, const hipExternalMemoryHandleDesc *in)
{
    int bad = 0;
    WANT(type, hipExternalMemoryHandleTypeOpaqueWin32)
    WANT(handle.win32.handle, FAKE_POINTER(1))
    WANT(handle.win32.name, FAKE_POINTER(2))
    WANT(size, 3)
    WANT(flags, 4)
    *out = FAKE_POINTER(1);
    return bad ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t *out,
                                      const hipExternalSemaphoreHandleDesc *in)
{
    int bad = 0;
    WANT(type, hipExternalSemaphoreHandleTypeOpaqueWin32)
    WANT(handle.win32.handle, FAKE_POINTER(1))
    WANT(handle.win32.name, FAKE_POINTER(2))
    WANT(flags, 4)
    *out = FAKE_POINTER(1);
    return bad ? hipErrorInvalidValue : hipSuccess;
}

static int bad_wait(const hipExternalSemaphoreWaitParams *list, unsigned int count)
{
    int bad = 0;
    for (unsigned i = 0; i < count; i++) {
        const hipExternalSemaphoreWaitParams *in = &list[i];
        WANT(params.fence.value, i + 1)
        WANT(params.keyedMutex.key, i + 2)
        WANT(params.keyedMutex.timeoutMs, i + 3)
        WANT(flags, i + 4)
    }
    return bad;
}

hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t *semaphores,
                                          const hipExternalSemaphoreWaitParams *list,
                                          unsigned int count, hipStream_t stream)
{
    (void)semaphores, (void)stream;
    return bad_wait(list, count) ? hipErrorInvalidValue : hipSuccess;
}

#if SINCE(6, 1) || (HIP_VERSION_MAJOR == 5 && SINCE(5, 7))
hipError_t hipGraphAddExternalSemaphoresWaitNode(hipGraphNode_t *node, hipGraph_t graph,
                                                 const hipGraphNode_t *before, size_t count,
                                                 const hipExternalSemaphoreWaitNodeParams *in)
{
    int bad = bad_wait(in->paramsArray, in->numExtSems);
    (void)graph, (void)before, (void)count;
    WANT(numExtSems, 40)
    WANT(extSemArray, FAKE_POINTER(8))
    *node = FAKE_POINTER(1);
    return bad ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipGraphAddExternalSemaphoresSignalNode(hipGraphNode_t *node, hipGraph_t graph,
                                                   const hipGraphNode_t *before, size_t count,
                                                   const hipExternalSemaphoreSignalNodeParams *in)
{
    (void)graph, (void)before, (void)count;
    *node = FAKE_POINTER(1);
    return hipSignalExternalSemaphoresAsync(in->extSemArray, in->paramsArray, in->numExtSems,
                                            FAKE_POINTER(9));
}
#endif

#if SINCE(6, 2)
typedef hipLaunchAttributeID attribute_id;
typedef hipLaunchAttributeValue attribute_value;
#elif SINCE(5, 2)
typedef hipKernelNodeAttrID attribute_id;
typedef hipKernelNodeAttrValue attribute_value;
#endif

#if SINCE(5, 2)
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, attribute_id id,
                                          const attribute_value *in)
{
    int bad = 0;
    (void)node;
    CHECK("attribute", id == 1)
    WANT(accessPolicyWindow.base_ptr, FAKE_POINTER(1))
    WANT(accessPolicyWindow.num_bytes, 99)
    return bad ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, attribute_id id,
                                          attribute_value *out)
{
    (void)node, (void)id;
    memset(out, FAKE_POISON, sizeof *out);
    SET(accessPolicyWindow.base_ptr, FAKE_POINTER(1))
    SET(accessPolicyWindow.num_bytes, 99)
    return hipSuccess;
}
#endif

#if SINCE(7, 0)
typedef hipMemsetParams memset_params;
#elif SINCE(6, 1)
typedef HIP_MEMSET_NODE_PARAMS memset_params;
#endif
#if SINCE(6, 1)
hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph,
                                    const hipGraphNode_t *before, size_t count,
                                    const memset_params *in, hipCtx_t context)
{
    int bad = 0;
    (void)graph, (void)before, (void)count, (void)context;
    WANT(dst, FAKE_POINTER(1))
    WANT(elementSize, 2)
    WANT(height, 3)
    WANT(pitch, 4)
    WANT(value, 5)
    WANT(width, 6)
    *node = FAKE_POINTER(1);
    return bad ? hipErrorInvalidValue : hipSuccess;
}
#endif

/* Traps: hipshim must never call these, nor hand out their addresses. */
#if SINCE(6, 2)
hipError_t hipGetProcAddress(const char *symbol, void **out, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult *status)
{
    (void)symbol, (void)version, (void)flags, (void)status;
    *out = FAKE_POINTER(15);
    return hipSuccess;
}
#endif

hipError_t hipIpcOpenMemHandle(void **out, hipIpcMemHandle_t handle, unsigned int flags)
{
    (void)handle;
    *out = FAKE_POINTER(1);
    return flags == hipIpcMemLazyEnablePeerAccess ? hipSuccess : hipErrorInvalidValue;
}

#if HIP_VERSION_MAJOR < 6 /* later runtimes have hiprtc in a library of its own */
hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *source, const char *name,
                                 int count, const char **headers, const char **names)
{
    (void)program, (void)source, (void)name, (void)count, (void)headers, (void)names;
    return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

const char *hiprtcGetErrorString(hiprtcResult error)
{
    return error == HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID ? "good" : "wrong";
}
#endif
