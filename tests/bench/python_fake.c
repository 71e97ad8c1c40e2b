/* SPDX-License-Identifier: MIT */
/* A HIP 6.4 whose functions do almost nothing: the cost of a call from Python is that of the way to
 * it. */
#include <stddef.h>

#define DOES_NOTHING(name)                                                                         \
    int name(void);                                                                                \
    int name(void)                                                                                 \
    {                                                                                              \
        return 0;                                                                                  \
    }

DOES_NOTHING(hipFree)
DOES_NOTHING(hipGetDevice)
DOES_NOTHING(hipGetDevicePropertiesR0600)
DOES_NOTHING(hipMemcpyAsync)
DOES_NOTHING(hipModuleLaunchKernel)
DOES_NOTHING(hipSetDevice)

int hipRuntimeGetVersion(int *version);
int hipRuntimeGetVersion(int *version)
{
    *version = 60443484;
    return 0;
}

int hipMalloc(void **memory, size_t size);
int hipMalloc(void **memory, size_t size)
{
    static char room[16];

    (void)size;
    *memory = room;
    return 0;
}
