/* SPDX-License-Identifier: MIT */
/*
 * A program with device code as clang compiles it: the bundle, its registration
 * and the stub of the kernel are the compiler's own.  HIP's device headers are
 * left out, since they need device libraries.
 */
#include <cstdio>
#include <unistd.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

#include <hip/hip_runtime_api.h>

enum { BLOCKS = 3, THREADS = 64, COUNT = BLOCKS * THREADS };

__device__ int table[64] = {5};

extern "C" __global__ void add_to(int *where, int value, char last)
{
    int i = __builtin_amdgcn_workgroup_id_x() * THREADS + __builtin_amdgcn_workitem_id_x();
    where[i] += value * i + table[i & 63] + last;
}

static int run()
{
    int *device = nullptr, got[COUNT] = {}, sent[64] = {6}, told[64] = {};
    if (hipMalloc(reinterpret_cast<void **>(&device), sizeof got) ||
        hipMemset(device, 0, sizeof got)) {
        return 1;
    }
    add_to<<<BLOCKS, THREADS>>>(device, 7, 'x');
    if (hipGetLastError() || hipDeviceSynchronize() ||
        hipMemcpy(got, device, sizeof got, hipMemcpyDeviceToHost)) {
        return 2;
    }
    for (int i = 0; i < COUNT; i++) {
        if (got[i] != 7 * i + (i % 64 ? 0 : 5) + 'x') {
            return 3;
        }
    }
    if (hipMemcpyToSymbol(reinterpret_cast<const void *>(&table), sent, sizeof sent, 0,
                          hipMemcpyHostToDevice) ||
        hipMemcpyFromSymbol(told, reinterpret_cast<const void *>(&table), sizeof told, 0,
                            hipMemcpyDeviceToHost)) {
        return 4;
    }
    return told[0] == 6 && told[63] == 0 ? 0 : 5;
}

int main()
{
    int status = run();
    std::printf("%s, step %d\n", status ? "wrong" : "right", status);
    std::fflush(nullptr);
    _exit(status);
}
