/* SPDX-License-Identifier: MIT */
/*
 * A plugin that is built for one major of HIP, linked to its library, and
 * shares streams and memory with plugins that were built for others.
 */
#include <string.h>

#include <hip/hip_runtime_api.h>

#include "plugin.h"

#if HIP_VERSION_MAJOR >= 6
#define TYPE_OF(attributes) ((attributes).type)
#else
#define TYPE_OF(attributes) ((attributes).memoryType)
#endif

static void *make(void **stream, size_t size)
{
    void *memory = NULL;

    if (hipStreamCreateWithFlags((hipStream_t *)stream, hipStreamNonBlocking) != hipSuccess ||
        hipMalloc(&memory, size) != hipSuccess) {
        return NULL;
    }
    return memory;
}

/* In the numbers of this plugin's headers, which are not those of another's. */
static const char *check_pointer(const void *memory)
{
    struct {
        hipPointerAttribute_t attributes;
        unsigned char behind[64];
    } got;

    memset(&got, 0x5d, sizeof got);
    if (hipPointerGetAttributes(&got.attributes, memory) != hipSuccess) {
        return "the pointer is not known";
    }
    if (TYPE_OF(got.attributes) != hipMemoryTypeDevice) {
        return "the pointer is of another type";
    }
    if (got.attributes.devicePointer != memory || got.behind[0] != 0x5d) {
        return "the attributes of the pointer are laid out otherwise";
    }
    return NULL;
}

static const char *check_properties(void)
{
    struct {
        hipDeviceProp_t properties;
        unsigned char behind[2048];
    } got;
    int count = 0;

    memset(&got, 0x5d, sizeof got);
    if (hipGetDeviceProperties(&got.properties, 0) != hipSuccess ||
        hipDeviceGetAttribute(&count, hipDeviceAttributeMultiprocessorCount, 0) != hipSuccess) {
        return "there are no properties";
    }
    if (strncmp(got.properties.gcnArchName, "gfx90a", 6) != 0 ||
        got.properties.multiProcessorCount != count || got.properties.warpSize != 64) {
        return "the properties are laid out otherwise";
    }
    for (size_t i = 0; i < sizeof got.behind; i++) {
        if (got.behind[i] != 0x5d) {
            return "something was written behind the properties";
        }
    }
    return NULL;
}

/* By a structure whose numbers of memory types changed. */
static const char *copy_out(void *stream, const void *memory, void *host, size_t size)
{
    hip_Memcpy2D copy;

    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = hipMemoryTypeDevice;
    copy.srcDevice = (hipDeviceptr_t)memory;
    copy.srcPitch = size;
    copy.dstMemoryType = hipMemoryTypeHost;
    copy.dstHost = host;
    copy.dstPitch = size;
    copy.WidthInBytes = size;
    copy.Height = 1;
    if (hipMemcpyParam2DAsync(&copy, stream) != hipSuccess ||
        hipStreamSynchronize(stream) != hipSuccess) {
        return "the copy was refused";
    }
    return NULL;
}

static const char *fill(void *stream, void *memory, int value, size_t size)
{
    return hipMemsetAsync(memory, value, size, stream) == hipSuccess ? NULL
                                                                     : "the fill was refused";
}

static const char *end(void *stream, void *memory)
{
    return hipFree(memory) == hipSuccess && hipStreamDestroy(stream) == hipSuccess
               ? NULL
               : "the other's stream or memory cannot be given back";
}

const struct plugin plugin = {HIP_VERSION_MAJOR, make, check_pointer, check_properties, fill,
                              copy_out,          end};
