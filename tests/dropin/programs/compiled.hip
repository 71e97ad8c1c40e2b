/* SPDX-License-Identifier: MIT */
/*
 * A program with device code as clang compiles it: the bundle, its registration
 * and the stub of the kernel are the compiler's own.  HIP's device headers are
 * left out, since they need device libraries.
 */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

#include <hip/hip_runtime_api.h>

__device__ int table[64];

extern "C" __global__ void add_to(int *where, int value, char last)
{
    *where += value + table[value & 63] + last;
}

/* What the loopback runs in the kernel's place; the table is the device's. */
extern "C" __attribute__((visibility("default"))) void
loopback_kernel_add_to(const void *kernarg, const uint32_t grid[3], const uint32_t group[3])
{
    int *where;
    int value;
    char last;
    memcpy(&where, kernarg, 8);
    memcpy(&value, static_cast<const char *>(kernarg) + 8, 4);
    memcpy(&last, static_cast<const char *>(kernarg) + 12, 1);
    *where += (value + last) * static_cast<int>(grid[0] / group[0]);
}

static int run()
{
    int *device = nullptr, got = -1, sent[64] = {5}, told[64] = {};
    if (hipMalloc(reinterpret_cast<void **>(&device), 4) || hipMemset(device, 0, 4)) {
        return 1;
    }
    add_to<<<3, 64>>>(device, 7, 'x');
    if (hipGetLastError() || hipDeviceSynchronize() ||
        hipMemcpy(&got, device, 4, hipMemcpyDeviceToHost)) {
        return 2;
    }
    if (got != 3 * (7 + 'x')) {
        return 3;
    }
    if (hipMemcpyToSymbol(reinterpret_cast<const void *>(&table), sent, sizeof sent, 0,
                          hipMemcpyHostToDevice) ||
        hipMemcpyFromSymbol(told, reinterpret_cast<const void *>(&table), sizeof told, 0,
                            hipMemcpyDeviceToHost)) {
        return 4;
    }
    return told[0] == 5 && told[63] == 0 ? 0 : 5;
}

int main()
{
    int status = run();
    std::printf("%s, step %d\n", status ? "wrong" : "right", status);
    std::fflush(nullptr);
    _exit(status);
}
