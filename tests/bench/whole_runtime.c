/* SPDX-License-Identifier: MIT */
/*
 * The part of a HIP runtime that tests/bench/whole.hip needs.  Its launches do nothing, so
 * that what they cost is the way to them.
 */
#include "bindings_43484.h"

#include <string.h>

void **__hipRegisterFatBinary(const void *wrapper);
void __hipRegisterFunction(void);
void __hipRegisterVar(void);
void __hipRegisterManagedVar(void);
void __hipRegisterSurface(void);
void __hipRegisterTexture(void);
void __hipUnregisterFatBinary(void **binary);

hipError_t hipRuntimeGetVersion(int *version)
{
    *version = 60443484;
    return hipSuccess;
}

hipError_t hipGetDeviceCount(int *count)
{
    *count = 1;
    return hipSuccess;
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *properties, int device)
{
    (void)device;
    memset(properties, 0, sizeof *properties);
    strcpy(properties->gcnArchName, "gfx90a");
    return hipSuccess;
}

void **__hipRegisterFatBinary(const void *wrapper)
{
    return (void **)wrapper;
}

void __hipRegisterFunction(void)
{
}

void __hipRegisterVar(void)
{
}

void __hipRegisterManagedVar(void)
{
}

void __hipRegisterSurface(void)
{
}

void __hipRegisterTexture(void)
{
}

void __hipUnregisterFatBinary(void **binary)
{
    (void)binary;
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t stream)
{
    (void)grid, (void)block, (void)shared, (void)stream;
    return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *stream)
{
    (void)grid, (void)block, (void)shared, (void)stream;
    return hipSuccess;
}

hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                           size_t shared, hipStream_t stream)
{
    (void)function, (void)grid, (void)block, (void)arguments, (void)shared, (void)stream;
    return hipSuccess;
}

hipError_t hipGetLastError(void)
{
    return hipSuccess;
}
