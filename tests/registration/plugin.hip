// SPDX-License-Identifier: MIT
//
// A shared object with a kernel, a variable and a managed variable, for plugin_host.cc.
#include <hip/hip_runtime.h>

#include "check.h"

#ifndef STEP
#define STEP 1
#endif

__device__ int offset = STEP;
__attribute__((managed)) int level = 10 * STEP;

// It does not read `level`: no runtime tells its GPU where a managed variable is that is registered
// after the runtime's start, without hipshim either.
static __global__ void step(int *where)
{
    atomicAdd(where, offset);
}

// One step of STEP blocks: the sum of the variable and the managed variable; negative for an error.
extern "C" __attribute__((visibility("default"))) int plugin_step(int *device)
{
    int read = 0;

    step<<<STEP, 1>>>(device);
    if (hipGetLastError() != hipSuccess || hipDeviceSynchronize() != hipSuccess ||
        hipMemcpyFromSymbol(&read, HIP_SYMBOL(offset), sizeof read) != hipSuccess)
        return -1;
    return level++ + read;
}
