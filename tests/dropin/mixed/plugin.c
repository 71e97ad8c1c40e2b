/* SPDX-License-Identifier: MIT */
/*
 * A plugin that was built for one major of HIP: its layouts and values, linked
 * to that major's library.  Compiled against each Debian tree by
 * dropin_mixed.t.
 */
#include <hip/hip_runtime_api.h>

#include <string.h>

#include "mixed.h"

/* The member has another name before 6.0, and starts the struct in all. */
static int type_of(const hipPointerAttribute_t *attributes)
{
    int type;
    memcpy(&type, attributes, sizeof type);
    return type;
}

/* Of memory that HIP allocated; what it says of anything else is another test. */
static int sees_device(const void *device)
{
    hipPointerAttribute_t attributes;
    memset(&attributes, 0x7f, sizeof attributes);
    hipError_t error = hipPointerGetAttributes(&attributes, device);
    if (error != hipSuccess) {
        return -(int)error;
    }
    return type_of(&attributes) == hipMemoryTypeDevice && attributes.device == 0;
}

/* The stream is the caller's, and HIP_MEMCPY3D's layout is this major's. */
static int copies_in(void *device, const void *host, size_t size, void *stream)
{
    HIP_MEMCPY3D copy;
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = hipMemoryTypeHost;
    copy.srcHost = host;
    copy.srcPitch = size;
    copy.dstMemoryType = hipMemoryTypeDevice;
    copy.dstDevice = device;
    copy.dstPitch = size;
    copy.WidthInBytes = size;
    copy.Height = 1;
    copy.Depth = 1;
    hipError_t error = hipDrvMemcpy3DAsync(&copy, stream);
    return error == hipSuccess ? hipStreamSynchronize(stream) == hipSuccess : -(int)error;
}

static int sees_properties(void)
{
    hipDeviceProp_t properties;
    memset(&properties, 0x7f, sizeof properties);
    hipError_t error = hipGetDeviceProperties(&properties, 0);
    if (error != hipSuccess) {
        return -(int)error;
    }
    return properties.warpSize == 64 && strncmp(properties.gcnArchName, "gfx90a", 6) == 0;
}

const struct plugin plugin = {HIP_VERSION_MAJOR, sees_device, copies_in, sees_properties};
