// SPDX-License-Identifier: MIT
//
// Device code for parts_kernels.hip.
#include <hip/hip_runtime.h>

__device__ int shared_value = 4;

__device__ int more_than(int x)
{
    return x + 1;
}
