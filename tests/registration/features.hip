// SPDX-License-Identifier: MIT
//
// What takes a kernel or a variable by its address on the host.
#include <hip/hip_runtime.h>
// ROCm's own headers need that first.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>

#include "check.h"

__device__ int table[16];
__constant__ float factors[4] = {1, 2, 3, 4};

extern "C" __global__ void add_to(int *where, int value)
{
    atomicAdd(where, value + table[0]);
}
template <typename T> __global__ void set_all(T *p, T v)
{
    p[threadIdx.x] = v;
}
__global__ void uses_much(float *p, __half h)
{
    __shared__ float shared[64];
    auto group = cooperative_groups::this_thread_block();
    shared[threadIdx.x] = factors[threadIdx.x % 4] * __half2float(h);
    group.sync();
    float4 v = make_float4(shared[0], shared[1], shared[2], shared[3]);
    v += v;
    p[threadIdx.x] = v.x + dim3(1, 2, 3).y;
}

static bool adds(int *device, int wanted)
{
    int got = 0;
    return hipMemcpy(&got, device, sizeof got, hipMemcpyDeviceToHost) == hipSuccess &&
           hipMemset(device, 0, sizeof got) == hipSuccess && got == wanted;
}

static void launch_each_way(int *device)
{
    int value = 2;
    void *arguments[] = {&device, &value};
    hipStream_t stream;

    add_to<<<4, 8>>>(device, 3);
    CHECK(hipGetLastError() == hipSuccess && adds(device, 96), "<<< >>> launches");
    hipLaunchKernelGGL(add_to, dim3(2), dim3(4), 0, nullptr, device, 1);
    CHECK(adds(device, 8), "hipLaunchKernelGGL launches");
    CHECK(hipLaunchKernel(reinterpret_cast<const void *>(add_to), dim3(2), dim3(2), arguments, 0,
                          nullptr) == hipSuccess &&
              adds(device, 8),
          "hipLaunchKernel launches");
    CHECK(hipStreamCreate(&stream) == hipSuccess, "a stream is created");
    add_to<<<2, 2, 0, stream>>>(device, 4);
    CHECK(hipStreamSynchronize(stream) == hipSuccess && adds(device, 16), "a launch into a stream");
    CHECK(hipLaunchCooperativeKernel(reinterpret_cast<const void *>(add_to), dim3(1), dim3(1),
                                     arguments, 0, stream) == hipSuccess &&
              hipStreamSynchronize(stream) == hipSuccess && adds(device, 2),
          "hipLaunchCooperativeKernel launches");
    CHECK(hipStreamDestroy(stream) == hipSuccess, "the stream is destroyed");
    hipLaunchConfig_t config = {};
    config.gridDim = dim3(3);
    config.blockDim = dim3(1);
    hipError_t error =
        hipLaunchKernelExC(&config, reinterpret_cast<const void *>(add_to), arguments);
    CHECK(error == hipErrorNotSupported || (error == hipSuccess && adds(device, 6)),
          "hipLaunchKernelExC launches, or is not in this release");
    set_all<int><<<1, 1>>>(device, 1);
    uses_much<<<1, 64>>>(reinterpret_cast<float *>(device), __float2half(1));
    CHECK(hipGetLastError() == hipSuccess && hipDeviceSynchronize() == hipSuccess,
          "a template and a kernel with shared memory launch");
    CHECK(adds(device, 0x40800000), "the kernel with shared memory computes 4.0");
}

static void tell_of_kernels()
{
    hipFuncAttributes attributes = {};
    hipFunction_t function = nullptr;
    int blocks = 0, grid = 0, block = 0;

    CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(uses_much)) ==
                  hipSuccess &&
              attributes.sharedSizeBytes == 256,
          "hipFuncGetAttributes tells");
    CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(
              &blocks, reinterpret_cast<const void *>(add_to), 256, 0) == hipSuccess &&
              blocks > 0,
          "the occupancy of a kernel is known");
    CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, add_to, 0, 0) == hipSuccess && block > 0,
          "the best block of a kernel is known");
    hipError_t error = hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(add_to));
    CHECK(error == hipErrorNotSupported || (error == hipSuccess && function),
          "hipGetFuncBySymbol finds the kernel, or is not in this release");
    CHECK(hipFuncSetCacheConfig(reinterpret_cast<const void *>(add_to), hipFuncCachePreferL1) !=
              hipErrorInvalidDeviceFunction,
          "hipFuncSetCacheConfig knows the kernel");
}

static void use_variables()
{
    int in[16] = {5, 6}, out[16] = {};
    float read[4] = {}, written[4] = {9, 8, 7, 6};
    void *address = nullptr;
    size_t size = 0;

    CHECK(hipMemcpyFromSymbol(read, HIP_SYMBOL(factors), sizeof read) == hipSuccess && read[3] == 4,
          "a constant has its initial value");
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factors), written, sizeof written) == hipSuccess &&
              hipMemcpyFromSymbol(read, HIP_SYMBOL(factors), 4, 4) == hipSuccess && read[0] == 8,
          "a constant is written and read");
    CHECK(hipGetSymbolSize(&size, HIP_SYMBOL(table)) == hipSuccess && size == sizeof in,
          "the size of a variable is known");
    CHECK(hipGetSymbolAddress(&address, HIP_SYMBOL(table)) == hipSuccess && address,
          "the address of a variable is known");
    CHECK(hipMemcpy(address, in, sizeof in, hipMemcpyHostToDevice) == hipSuccess &&
              hipMemcpyFromSymbol(out, HIP_SYMBOL(table), sizeof out) == hipSuccess && out[1] == 6,
          "address and symbol are the same variable");
}

static void capture(int *device)
{
    hipStream_t stream;
    hipGraph_t graph = nullptr;
    hipGraphExec_t executable = nullptr;
    bool is_captured = hipStreamCreate(&stream) == hipSuccess &&
                       hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal) == hipSuccess;

    add_to<<<1, 1, 0, stream>>>(device, 7);
    CHECK(is_captured && hipStreamEndCapture(stream, &graph) == hipSuccess, "a launch is captured");
    CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0) == hipSuccess &&
              hipGraphLaunch(executable, stream) == hipSuccess &&
              hipStreamSynchronize(stream) == hipSuccess && adds(device, 7 + 5),
          "its graph runs, and adds what the variable has");
}

int main(int count, char **)
{
    int *device = nullptr;

    // The first call may be one that takes a kernel.
    if (count > 1)
        tell_of_kernels();
    CHECK(hipMalloc(&device, 64 * sizeof *device) == hipSuccess &&
              hipMemset(device, 0, sizeof *device) == hipSuccess,
          "there is memory");
    launch_each_way(device);
    tell_of_kernels();
    use_variables();
    capture(device);
    CHECK(hipFree(device) == hipSuccess, "the memory is freed");
    return check_end();
}
