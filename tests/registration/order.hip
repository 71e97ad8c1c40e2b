// SPDX-License-Identifier: MIT
//
// Kernels of a program whose global objects, in order_objects.cc, launch before main and
// use HIP after main.
#include <hip/hip_runtime.h>

#include "check.h"
#include "order.h"

__attribute__((managed)) int level = 7;
__device__ int counter = 3;

static __global__ void raise(int *where)
{
    atomicAdd(where, level);
}

bool order_launches(int *device, int blocks, int wanted)
{
    int got = 0;
    raise<<<blocks, 1>>>(device);
    return hipGetLastError() == hipSuccess &&
           hipMemcpy(&got, device, sizeof got, hipMemcpyDeviceToHost) == hipSuccess &&
           hipMemset(device, 0, sizeof got) == hipSuccess && got == wanted;
}

bool order_reads_variable()
{
    int value = 0;
    return hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), sizeof value) == hipSuccess &&
           value == 3;
}

int &order_level()
{
    return level;
}
