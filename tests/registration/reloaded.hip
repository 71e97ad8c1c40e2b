// SPDX-License-Identifier: MIT
//
// A plugin with a kernel, a variable and a global object that holds device memory, for
// reload_host.cc.  Plugin 1 adds one, plugin 2 subtracts one.
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int variable = NUMBER;
#if NUMBER == 1
static __global__ void increase(int *p)
{
    atomicAdd(p, 1);
}
#define KERNEL increase
#else
__device__ int other = 5; // at another offset, so that the plugins differ inside, too
static __global__ void decrease(int *p)
{
    atomicAdd(p, -1);
}
#define KERNEL decrease
#endif

namespace
{

struct Memory {
    int *device = nullptr;

    ~Memory()
    {
        std::printf(" freed %d", static_cast<int>(hipFree(device)));
    }
};

Memory memory;

void nothing(hipStream_t, hipError_t, void *)
{
}

// The runtimes deadlock if a plugin is unloaded, under the dynamic linker's lock, before their
// thread of callbacks has run once; without hipshim, too.
bool runs_a_callback()
{
    return hipStreamAddCallback(nullptr, nothing, nullptr, 0) == hipSuccess &&
           hipDeviceSynchronize() == hipSuccess;
}

} // namespace

// What the kernel did to 0, or 1000 and more for an error.
extern "C" __attribute__((visibility("default"))) int plugin_run()
{
    int result = 0, read = 0;

    if (hipMalloc(&memory.device, sizeof result) != hipSuccess ||
        hipMemset(memory.device, 0, sizeof result) != hipSuccess)
        return 1000;
    KERNEL<<<1, 1>>>(memory.device);
    if (hipGetLastError() != hipSuccess || hipDeviceSynchronize() != hipSuccess ||
        hipMemcpy(&result, memory.device, sizeof result, hipMemcpyDeviceToHost) != hipSuccess)
        return 1001;
    if (hipMemcpyFromSymbol(&read, HIP_SYMBOL(variable), sizeof read) != hipSuccess ||
        read != NUMBER)
        return 1002;
    return runs_a_callback() ? result : 1003;
}
