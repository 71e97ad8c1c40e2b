/* SPDX-License-Identifier: MIT */
/*
 * Functions that older runtimes lack, made of what those have.  Each does exactly what HIP's own
 * function does, or refuses the argument for which that is impossible.
 */
#include "hip/emulate.h"

#include <stdint.h>
#include <stdlib.h>

#include "engine/dispatch.h"
#include "functions.h"
#include "hip/last_error.h"

#define REFUSE(function, argument)                                                                 \
    (hs_dispatch_unrepresentable(HS_FN_##function, argument), hipErrorNotSupported)

#ifdef HS_OFFERS_hipDrvGetErrorName
hipError_t hs_emulate_hipDrvGetErrorName(hipError_t hipError, const char **errorString)
{
    if (!errorString || !hs_names_hipError_t((int)hipError)) {
        return hs_last_error_set(hipErrorInvalidValue);
    }
    *errorString = HS_SLOT(hipGetErrorName)(hipError);
    return hs_last_error_result(hipSuccess);
}
#endif

#ifdef HS_OFFERS_hipDrvGetErrorString
hipError_t hs_emulate_hipDrvGetErrorString(hipError_t hipError, const char **errorString)
{
    if (!errorString || !hs_names_hipError_t((int)hipError)) {
        return hs_last_error_set(hipErrorInvalidValue);
    }
    *errorString = HS_SLOT(hipGetErrorString)(hipError);
    return hs_last_error_result(hipSuccess);
}
#endif

#ifdef HS_OFFERS_hipExtGetLastError
hipError_t hs_emulate_hipExtGetLastError(void)
{
    return HS_SLOT(hipGetLastError)();
}
#endif

#ifdef HS_OFFERS_hipLaunchHostFunc
struct host_call {
    hipHostFn_t function;
    void *data;
};

static void call_host(hipStream_t stream, hipError_t status, void *context)
{
    struct host_call call = *(struct host_call *)context;
    (void)stream;
    (void)status;
    free(context);
    call.function(call.data);
}

hipError_t hs_emulate_hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void *userData)
{
    if (!fn) {
        return hs_last_error_set(hipErrorInvalidValue);
    }
    struct host_call *call = malloc(sizeof *call);
    if (!call) {
        hs_dispatch_no_memory(HS_FN_hipLaunchHostFunc);
        return hipErrorOutOfMemory;
    }
    *call = (struct host_call){fn, userData};
    hipError_t result = HS_SLOT(hipStreamAddCallback)(stream, call_host, call, 0);
    if (result != hipSuccess) {
        free(call);
    }
    return result;
}
#endif

#ifdef HS_OFFERS_hipStreamGetDevice
hipError_t hs_emulate_hipStreamGetDevice(hipStream_t stream, hipDevice_t *device)
{
    if (!device) {
        return hs_last_error_set(hipErrorInvalidValue);
    }
    *device = HS_SLOT(hipGetStreamDeviceId)(stream);
    return hs_last_error_result(hipSuccess);
}
#endif

#ifdef HS_OFFERS_hipEventRecordWithFlags
hipError_t hs_emulate_hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags)
{
    if (flags != hipEventRecordDefault) {
        return REFUSE(hipEventRecordWithFlags, "flags");
    }
    return HS_SLOT(hipEventRecord)(event, stream);
}
#endif

#ifdef HS_OFFERS_hipMemAdvise_v2
/* The device ordinal of a location; false if it is neither a device nor the host. */
static bool find_ordinal(hipMemLocation location, int *device)
{
    *device = location.type == hipMemLocationTypeHost ? hipCpuDeviceId : location.id;
    return location.type == hipMemLocationTypeHost || location.type == hipMemLocationTypeDevice;
}

hipError_t hs_emulate_hipMemAdvise_v2(const void *dev_ptr, size_t count, hipMemoryAdvise advice,
                                      hipMemLocation location)
{
    int device;
    if (!find_ordinal(location, &device)) {
        return REFUSE(hipMemAdvise_v2, "location.type");
    }
    return HS_SLOT(hipMemAdvise)(dev_ptr, count, advice, device);
}

hipError_t hs_emulate_hipMemPrefetchAsync_v2(const void *dev_ptr, size_t count,
                                             hipMemLocation location, unsigned flags,
                                             hipStream_t stream)
{
    int device;
    if (!find_ordinal(location, &device)) {
        return REFUSE(hipMemPrefetchAsync_v2, "location.type");
    }
    if (flags != 0) {
        return REFUSE(hipMemPrefetchAsync_v2, "flags");
    }
    return HS_SLOT(hipMemPrefetchAsync)(dev_ptr, count, device, stream);
}
#endif

#ifdef HS_OFFERS_hipMemsetD2D8
hipError_t hs_emulate_hipMemsetD2D8(hipDeviceptr_t dst, size_t dstPitch, unsigned char value,
                                    size_t width, size_t height)
{
    return HS_SLOT(hipMemset2D)(dst, dstPitch, value, width, height);
}

hipError_t hs_emulate_hipMemsetD2D8Async(hipDeviceptr_t dst, size_t dstPitch, unsigned char value,
                                         size_t width, size_t height, hipStream_t stream)
{
    return HS_SLOT(hipMemset2DAsync)(dst, dstPitch, value, width, height, stream);
}
#endif

#ifdef HS_OFFERS_hipLaunchKernelExC
enum { MOST_THREADS = 1024 }; /* in a block, on every GPU of AMD */

/* The answers of 7.2, which has no other attribute either. */
static hipError_t refuse_launch(const hipLaunchAttribute *attributes, unsigned count, dim3 grid,
                                dim3 block)
{
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    bool is_bad = !grid.x || !grid.y || !grid.z || threads == 0 || threads > MOST_THREADS;

    for (unsigned i = 0; i < count; i++) {
        is_bad |= attributes[i].id != hipLaunchAttributeCooperative ||
                  attributes[i].value.cooperative == 0;
    }
    return is_bad ? hs_last_error_set(hipErrorInvalidConfiguration) : hipSuccess;
}

hipError_t hs_emulate_hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *fPtr,
                                         void **args)
{
    if (!config) {
        return hs_last_error_set(hipErrorInvalidConfiguration);
    }
    hipError_t refusal =
        refuse_launch(config->attrs, config->numAttrs, config->gridDim, config->blockDim);
    if (refusal != hipSuccess) {
        return refusal;
    }
    return config->numAttrs == 0
               ? HS_SLOT(hipLaunchKernel)(fPtr, config->gridDim, config->blockDim, args,
                                          config->dynamicSmemBytes, config->stream)
               : HS_SLOT(hipLaunchCooperativeKernel)(fPtr, config->gridDim, config->blockDim, args,
                                                     (unsigned)config->dynamicSmemBytes,
                                                     config->stream);
}

hipError_t hs_emulate_hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *config, hipFunction_t f,
                                           void **params, void **extra)
{
    if (!config) {
        return hs_last_error_set(hipErrorInvalidValue);
    }
    dim3 grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
    dim3 block = {config->blockDimX, config->blockDimY, config->blockDimZ};
    hipError_t refusal = refuse_launch(config->attrs, config->numAttrs, grid, block);
    if (refusal != hipSuccess) {
        return refusal;
    }
    if (config->numAttrs == 0) {
        return HS_SLOT(hipModuleLaunchKernel)(f, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                              config->sharedMemBytes, config->hStream, params,
                                              extra);
    }
    if (!extra) {
        return HS_SLOT(hipModuleLaunchCooperativeKernel)(f, grid.x, grid.y, grid.z, block.x,
                                                         block.y, block.z, config->sharedMemBytes,
                                                         config->hStream, params);
    }
    return REFUSE(hipDrvLaunchKernelEx, "extra");
}
#endif
