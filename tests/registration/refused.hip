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

// The same for a function that older releases lack.
#define REFUSED_OR_MISSING(call)                                                                   \
    do {                                                                                           \
        hipError_t result = (call);                                                                \
        bool is_missing = result == hipErrorNotSupported;                                          \
        CHECK((is_missing && !std::strstr(hipshim_error_text(), "offload-arch")) ||                \
                  (result == hipErrorNoBinaryForGpu &&                                             \
                   hipGetLastError() == hipErrorNoBinaryForGpu &&                                  \
                   std::strstr(hipshim_error_text(), "--offload-arch=gfx90a")),                    \
              #call);                                                                              \
    } while (false)

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
    REFUSED_OR_MISSING(hipMemcpyToSymbol_spt(&variable, &value, 4, 0, hipMemcpyHostToDevice));
    REFUSED_OR_MISSING(hipMemcpyFromSymbol_spt(&value, &variable, 4, 0, hipMemcpyDeviceToHost));
    REFUSED_OR_MISSING(
        hipMemcpyToSymbolAsync_spt(&variable, &value, 4, 0, hipMemcpyHostToDevice, stream));
    REFUSED_OR_MISSING(
        hipMemcpyFromSymbolAsync_spt(&value, &variable, 4, 0, hipMemcpyDeviceToHost, stream));
}

static void ask_for_kernel(const void *host)
{
    hipFuncAttributes attributes;
    int blocks = 0, grid = 0, block = 0;
    size_t bytes = 0;

    REFUSED(hipFuncGetAttributes(&attributes, host));
    REFUSED(hipFuncSetAttribute(host, hipFuncAttributeMaxDynamicSharedMemorySize, 64));
    REFUSED(hipFuncSetCacheConfig(host, hipFuncCachePreferL1));
    REFUSED(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, host, 64, 0));
    REFUSED(hipOccupancyMaxPotentialBlockSize(&grid, &block, host, 0, 0));
    REFUSED_OR_MISSING(
        hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, host, 64, 0, 0));
    REFUSED_OR_MISSING(hipOccupancyAvailableDynamicSMemPerBlock(&bytes, host, 1, 64));
    REFUSED_OR_MISSING(hipFuncSetSharedMemConfig(host, hipSharedMemBankSizeFourByte));
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
    hipGraphNodeParams any = {};
    any.type = hipGraphNodeTypeKernel;
    any.kernel = params;
    REFUSED_OR_MISSING(hipGraphAddNode(&node, graph, nullptr, 0, &any));
    REFUSED_OR_MISSING(hipGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, &variable, &where, 4,
                                                     0, hipMemcpyHostToDevice));
    REFUSED_OR_MISSING(hipGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, &where, &variable,
                                                       4, 0, hipMemcpyDeviceToHost));
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
    hipLaunchParams launch = {};
    void *arguments[] = {&host};
    launch.func = host;
    launch.gridDim = launch.blockDim = dim3(1);
    launch.args = arguments;
    launch.stream = stream;
    REFUSED_OR_MISSING(hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    REFUSED_OR_MISSING(hipExtLaunchMultiKernelMultiDevice(&launch, 1, 0));
    kernel<<<1, 1, 0, stream>>>(nullptr);
    CHECK(hipGetLastError() == hipErrorNoBinaryForGpu, "a launch");
    CHECK(hipStreamDestroy(stream) == hipSuccess, "the stream is destroyed");
    return check_end();
}
