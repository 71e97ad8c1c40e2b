/* SPDX-License-Identifier: MIT */
/* The layer itself: linked to the libamdhip64 of one release, as those of vendors are. */
#include "layer.h"

#include <string.h>

#include <hip/hip_runtime_api.h>

/* The member's name changed with its numbers. */
#if HIP_VERSION_MAJOR >= 6
#define TYPE_OF(attributes) ((attributes).type)
#else
#define TYPE_OF(attributes) ((attributes).memoryType)
#endif

const char *layer_kind(const void *memory)
{
    hipPointerAttribute_t attributes;
    memset(&attributes, 0, sizeof attributes);
    if (hipPointerGetAttributes(&attributes, memory) != hipSuccess) {
        (void)hipGetLastError();
        return "ordinary";
    }
    if (attributes.isManaged) {
        return "managed";
    }
    switch (TYPE_OF(attributes)) {
    case hipMemoryTypeDevice:
        return "device";
    case hipMemoryTypeHost:
        return "pinned";
#if HIP_VERSION_MAJOR >= 6
    case hipMemoryTypeUnregistered:
        return "ordinary";
#endif
    default:
        return "unknown";
    }
}

int layer_export(void *memory, unsigned char handle[LAYER_HANDLE])
{
    hipIpcMemHandle_t made;
    _Static_assert(sizeof made == LAYER_HANDLE, "handles have one size in all releases");
    int error = hipIpcGetMemHandle(&made, memory);
    memcpy(handle, &made, sizeof made);
    return error;
}

int layer_import(const unsigned char handle[LAYER_HANDLE], void **memory)
{
    hipIpcMemHandle_t given;
    memcpy(&given, handle, sizeof given);
    return hipIpcOpenMemHandle(memory, given, hipIpcMemLazyEnablePeerAccess);
}

int layer_release(void *memory)
{
    return hipIpcCloseMemHandle(memory);
}
