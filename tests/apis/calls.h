/* SPDX-License-Identifier: MIT */
/*
 * For programs that print what an API computes.  A program includes the API's headers first, and
 * with HIP's it has those functions, too, that copy from and to the device.
 */
#include <stdio.h>

/* Of every API, the status of success is 0. */
static inline void tell_failure(const char *call, int status)
{
    if (status) {
        printf("%s: %d\n", call, status);
    }
}

#define OK(call) tell_failure(#call, (int)(call))

#ifdef HIP_VERSION

static inline void show(const char *name, const float *device, int count)
{
    float host[16];
    OK(hipMemcpy(host, device, sizeof *host * (size_t)count, hipMemcpyDeviceToHost));
    printf("%s", name);
    for (int i = 0; i < count; i++) {
        printf(" %g", host[i]);
    }
    puts("");
}

static inline void *upload(const void *host, size_t size)
{
    void *device = NULL;
    OK(hipMalloc(&device, size));
    OK(hipMemcpy(device, host, size, hipMemcpyHostToDevice));
    return device;
}

#endif
