// SPDX-License-Identifier: MIT
//
// A kernel that calls a device function of parts_functions.hip (-fgpu-rdc).
#include <hip/hip_runtime.h>

#include "check.h"

extern __device__ int shared_value;
extern __device__ int more_than(int x);

static __global__ void put(int *p)
{
    *p = more_than(shared_value);
}

int main()
{
    int *device = nullptr;
    int value = 0;

    CHECK(hipMalloc(&device, sizeof *device) == hipSuccess, "there is memory");
    put<<<1, 1>>>(device);
    CHECK(hipGetLastError() == hipSuccess && hipDeviceSynchronize() == hipSuccess, "it launches");
    CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(shared_value), sizeof value) == hipSuccess &&
              value == 4,
          "a variable of the other part has its initial value");
    CHECK(hipFree(device) == hipSuccess, "the memory is freed");
    return check_end();
}
