/* SPDX-License-Identifier: MIT */
#include "hip/emulate.h"

#include "base/error.h"
#include "engine/dispatch.h"
#include "hip/last_error.h"

hipError_t hs_emulate_hipGetDeviceCount(int *count)
{
    if (!count) {
        return hs_last_error_set(hipErrorInvalidValue);
    }
    *count = 0;
    hs_error_set("hipGetDeviceCount: %s", hs_dispatch_runtime()->reason);
    return hs_last_error_set(hipErrorInsufficientDriver);
}

const char *hs_emulate_hipGetErrorName(hipError_t error)
{
    const char *name = hs_names_hipError_t((int)error);
    return name ? name : "hipErrorUnknown";
}

const char *hs_emulate_hipGetErrorString(hipError_t error)
{
    /* Every other call returns this error now, so its text gives the reason. */
    if (error == hipErrorInsufficientDriver) {
        return "no HIP runtime (libamdhip64) was found";
    }
    return hs_emulate_hipGetErrorName(error);
}

const char *hs_emulate_hiprtcGetErrorString(hiprtcResult result)
{
    const char *name = hs_names_hiprtcResult((int)result);
    return name ? name : "Invalid HIPRTC error code";
}
