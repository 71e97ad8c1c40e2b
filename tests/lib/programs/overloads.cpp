// SPDX-License-Identifier: MIT
//
// A host program in C++ that uses what HIP's header has for C++ only, on the
// library that is there.  Each line is a call and the name of its error, the
// last one is "done"; a GPU or none, no call may crash.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>
#include <iostream>

namespace
{

void kernel(int, float) {}
float symbol[4];
texture<float4, hipTextureType2D> image; // its constructor runs before main

void say(const char *call, hipError_t status)
{
    std::cout << call << ' ' << hipGetErrorName(status) << '\n';
}

void memory()
{
    float *typed = nullptr;
    double *host = nullptr;
    size_t pitch = 0;
    hipMemPool_t pool = nullptr;

    say("hipMalloc", hipMalloc(&typed, 64));
    (void)hipFree(typed);
    say("hipMallocPitch", hipMallocPitch(&typed, &pitch, 16, 4));
    (void)hipFree(typed);
    say("hipMallocManaged", hipMallocManaged(&typed, 64));
    (void)hipFree(typed);
    say("hipHostMalloc", hipHostMalloc(&host, 64));
    (void)hipHostFree(host);
    say("hipMallocAsync", hipMallocAsync(&typed, 64, hipStream_t{}));
    say("hipDeviceGetDefaultMemPool", hipDeviceGetDefaultMemPool(&pool, 0));
}

void kernels()
{
    int grid = 0, block = 0;
    hipFuncAttributes attributes;
    hipLaunchConfig_t config = {};

    config.gridDim = dim3(1);
    config.blockDim = dim3(64);
    say("hipFuncGetAttributes",
        hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(kernel)));
    say("hipOccupancyMaxPotentialBlockSize",
        hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel));
    say("hipOccupancyMaxPotentialBlockSizeVariableSMem",
        hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel,
                                                      [](int threads) { return threads * 4; }));
    say("hipLaunchKernelEx", hipLaunchKernelEx(&config, kernel, 1, 2.0f));
}

} // namespace

int main()
{
    int devices = -1;

    say("hipGetDeviceCount", hipGetDeviceCount(&devices));
    memory();
    say("hipMemcpyToSymbol", hipMemcpyToSymbol(HIP_SYMBOL(symbol), symbol, sizeof symbol));
    if (devices < 1)
        kernels(); // no kernel here is known to a device
    std::cout << "image " << image.channelDesc.x + image.channelDesc.w << " bits\n"
              << "done\n";
}
