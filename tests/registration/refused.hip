// SPDX-License-Identifier: MIT
//
// Calls that take a kernel or a variable of a fat binary that has no code for the GPU.
#include <hip/hip_runtime.h>

#include "check.h"

__device__ int variable;

static __global__ void kernel(int *where)
{
    *where = variable;
}

// The call's error, the last error, and hipshim's words for it.
#define REFUSED(call)                                                                              \
    CHECK((call) == hipErrorNoBinaryForGpu && hipGetLastError() == hipErrorNoBinaryForGpu &&       \
              std::strstr(hipshim_error_text(), "--offload-arch=gfx90a"),                          \
          #call)

static void use_variable(hipStream_t stream)
{
    int value = 0;
    size_t size = 0;
    void *address = nullptr;

    REFUSED(hipGetSymbolAddress(&address, HIP_SYMBOL(variable)));
    REFUSED(hipGetSymbolSize(&size, HIP_SYMBOL(variable)));
    REFUSED(hipMemcpyToSymbol(HIP_SYMBOL(variable), &value, 4, 0, hipMemcpyHostToDevice));
    REFUSED(hipMemcpyFromSymbol(&value, HIP_SYMBOL(variable), 4, 0, hipMemcpyDeviceToHost));
    REFUSED(
        hipMemcpyToSymbolAsync(HIP_SYMBOL(variable), &value, 4, 0, hipMemcpyHostToDevice, stream));
    REFUSED(hipMemcpyFromSymbolAsync(&value, HIP_SYMBOL(variable), 4, 0, hipMemcpyDeviceToHost,
                                     stream));
}

static void ask_for_kernel(const void *host)
{
    hipFuncAttributes attributes;
    int blocks = 0, grid = 0, block = 0;

    REFUSED(hipFuncGetAttributes(&attributes, host));
    REFUSED(hipFuncSetAttribute(host, hipFuncAttributeMaxDynamicSharedMemorySize, 64));
    REFUSED(hipFuncSetCacheConfig(host, hipFuncCachePreferL1));
    REFUSED(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, host, 64, 0));
    REFUSED(hipOccupancyMaxPotentialBlockSize(&grid, &block, host, 0, 0));
}

static void put_into_graph(void *host)
{
    int *where = nullptr;
    void *arguments[] = {&where};
    hipGraph_t graph = nullptr;
    hipGraphNode_t node = nullptr;
    hipKernelNodeParams params = {};

    params.func = host;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    CHECK(hipGraphCreate(&graph, 0) == hipSuccess, "there is a graph");
    REFUSED(hipGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    CHECK(hipGraphDestroy(graph) == hipSuccess, "it is destroyed");
}

int main()
{
    auto *host = reinterpret_cast<void *>(kernel);
    hipStream_t stream = nullptr;

    CHECK(hipStreamCreate(&stream) == hipSuccess, "there is a stream");
    use_variable(stream);
    ask_for_kernel(host);
    put_into_graph(host);
    kernel<<<1, 1, 0, stream>>>(nullptr);
    CHECK(hipGetLastError() == hipErrorNoBinaryForGpu, "a launch");
    CHECK(hipStreamDestroy(stream) == hipSuccess, "the stream is destroyed");
    return check_end();
}
