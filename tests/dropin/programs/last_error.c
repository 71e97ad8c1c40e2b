/* SPDX-License-Identifier: MIT */
/*
 * Random sequences of calls with hipGetLastError and hipPeekAtLastError among them:
 *   last_error SEED COUNT [changed]
 * Prints what each call returned, so two runs can be compared.  The calls succeed or fail in the
 * same way on every release, but for those that "changed" adds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <hip/hip_runtime_api.h>

static void *memory;

static hipError_t succeed_memset(void)
{
    return hipMemset(memory, 1, 64);
}

static hipError_t succeed_get_device(void)
{
    int device;
    return hipGetDevice(&device);
}

static hipError_t succeed_synchronize(void)
{
    return hipDeviceSynchronize();
}

static hipError_t succeed_properties(void)
{
    static hipDeviceProp_t properties; /* converted by the drop-ins */
    return hipGetDeviceProperties(&properties, 0);
}

static hipError_t fail_null(void)
{
    return hipMalloc(NULL, 16);
}

static hipError_t fail_device(void)
{
    return hipSetDevice(99);
}

static hipError_t fail_properties(void)
{
    static hipDeviceProp_t properties;
    return hipGetDeviceProperties(&properties, 99);
}

static hipError_t fail_memory(void)
{
    void *none;
    return hipMalloc(&none, (size_t)1 << 60);
}

static hipError_t fail_unknown_pointer(void)
{
    return hipFree(&memory);
}

static hipError_t ask_unknown_pointer(void)
{
    hipPointerAttribute_t attributes;
    return hipPointerGetAttributes(&attributes, &memory);
}

static const struct operation {
    const char *name;
    hipError_t (*call)(void);
} operations[] = {
    {"memset", succeed_memset},
    {"get device", succeed_get_device},
    {"synchronize", succeed_synchronize},
    {"properties", succeed_properties},
    {"null", fail_null},
    {"device 99", fail_device},
    {"properties of 99", fail_properties},
    {"too much memory", fail_memory},
    {"free of the stack", fail_unknown_pointer},
    /* As often as all others together. */
    {"get", hipGetLastError},
    {"peek", hipPeekAtLastError},
    {"get", hipGetLastError},
    {"peek", hipPeekAtLastError},
    {"get", hipGetLastError},
    {"peek", hipPeekAtLastError},
    {"get", hipGetLastError},
    {"peek", hipPeekAtLastError},
    /* The last one changed in 6.0. */
    {"attributes of the stack", ask_unknown_pointer},
};

int main(int count, char **arguments)
{
    size_t choices = sizeof operations / sizeof *operations - (count < 4);
    if (count < 3 || hipMalloc(&memory, 4096) != hipSuccess) {
        return 2;
    }
    srandom((unsigned)atoi(arguments[1]));
    for (int left = atoi(arguments[2]); left > 0; left--) {
        const struct operation *operation = &operations[(size_t)random() % choices];
        printf("%s %d\n", operation->name, (int)operation->call());
    }
    /* Not exit: 7.2 crashes now and then while it ends, also without hipshim. */
    fflush(stdout);
    _exit(0);
}
