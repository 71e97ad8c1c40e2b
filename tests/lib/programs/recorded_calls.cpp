// SPDX-License-Identifier: MIT
//
// Stands in for the library: defines the functions of C that the overloads
// of C++ call, and checks what they are given.  Prints a line for each
// overload that passes on something else; exit status 0 if there is none.
#include <cstdio>
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

namespace
{

int failures;

void expect(bool truth, const char *what)
{
    if (truth)
        return;
    std::printf("%s\n", what);
    failures++;
}

// What the last call was given; `flags` also holds other small numbers.
struct call {
    const void *pointer;
    size_t size;
    size_t offset;
    unsigned int flags;
    const void *other;
} last;

hipError_t record(const void *pointer, size_t size, size_t offset, unsigned int flags,
                  const void *other)
{
    last = {pointer, size, offset, flags, other};
    return hipErrorUnknown; // nothing in the overloads may turn it into another
}

bool was(hipError_t status, const void *pointer, size_t size, size_t offset, unsigned int flags,
         const void *other)
{
    return status == hipErrorUnknown && last.pointer == pointer && last.size == size &&
           last.offset == offset && last.flags == flags && last.other == other;
}

int arguments_sum;
float best_shared;

} // namespace

hipError_t hipMalloc(void **p, size_t n) { return record(p, n, 0, 0, nullptr); }
hipError_t hipMallocPitch(void **p, size_t *pitch, size_t w, size_t h)
{
    return record(p, w, h, 0, pitch);
}
hipError_t hipHostMalloc(void **p, size_t n, unsigned int f) { return record(p, n, 0, f, nullptr); }
hipError_t hipHostAlloc(void **p, size_t n, unsigned int f) { return record(p, n, 0, f, nullptr); }
hipError_t hipMallocManaged(void **p, size_t n, unsigned int f)
{
    return record(p, n, 0, f, nullptr);
}
hipError_t hipMallocAsync(void **p, size_t n, hipStream_t s) { return record(p, n, 0, 0, s); }
hipError_t hipMallocFromPoolAsync(void **p, size_t n, hipMemPool_t pool, hipStream_t)
{
    return record(p, n, 0, 1, pool);
}
hipError_t hipGetSymbolAddress(void **p, const void *symbol) { return record(p, 0, 0, 0, symbol); }
hipError_t hipGetSymbolSize(size_t *p, const void *symbol) { return record(p, 0, 0, 0, symbol); }
hipError_t hipMemcpyToSymbol(const void *symbol, const void *p, size_t n, size_t at,
                             hipMemcpyKind kind)
{
    return record(p, n, at, kind, symbol);
}
hipError_t hipMemcpyFromSymbolAsync(void *p, const void *symbol, size_t n, size_t at,
                                    hipMemcpyKind kind, hipStream_t)
{
    return record(p, n, at, kind, symbol);
}
hipError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *, const void *f, size_t n, int limit)
{
    return record(grid, n, 0, static_cast<unsigned int>(limit), f);
}
hipError_t hipLaunchCooperativeKernel(const void *f, dim3 grid, dim3 block, void **, unsigned int n,
                                      hipStream_t)
{
    return record(f, n, grid.x, block.x, nullptr);
}
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *f, void **arguments)
{
    arguments_sum = *static_cast<int *>(arguments[0]) +
                    static_cast<int>(*static_cast<float *>(arguments[1]));
    return record(config, 0, 0, 0, f);
}
hipError_t hipExtLaunchKernel(const void *f, dim3 grid, dim3 block, void **arguments, size_t n,
                              hipStream_t, hipEvent_t, hipEvent_t, int flags)
{
    arguments_sum = *static_cast<int *>(arguments[0]) +
                    static_cast<int>(*static_cast<float *>(arguments[1]));
    return record(f, n, grid.x * block.x, static_cast<unsigned int>(flags), nullptr);
}
hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *, hipJitOption *options, void **,
                              unsigned int n, hipLibraryOption *, void **, unsigned int)
{
    return record(library, n, 0, 0, options);
}
hipError_t hipBindTexture(size_t *, const textureReference *tex, const void *p,
                          const hipChannelFormatDesc *desc, size_t n)
{
    return record(p, n, static_cast<size_t>(desc->x), 0, tex);
}

// A device of 4 multiprocessors with 2048 threads each, in warps of 64.
hipError_t hipGetDevice(int *device)
{
    *device = 0;
    return hipSuccess;
}
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int)
{
    *value = attribute == hipDeviceAttributeWarpSize              ? 64
             : attribute == hipDeviceAttributeMultiprocessorCount ? 4
                                                                  : 2048;
    return hipSuccess;
}
hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *)
{
    attributes->maxThreadsPerBlock = 1000;
    return hipSuccess;
}
// Shared memory of 64 KB is what limits the blocks.
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *,
                                                                 int size, size_t shared,
                                                                 unsigned int)
{
    int by_threads = 2048 / size, by_memory = static_cast<int>(65536 / shared);

    best_shared = static_cast<float>(shared);
    *blocks = by_threads < by_memory ? by_threads : by_memory;
    return hipSuccess;
}

namespace
{

void kernel(int, float) {}
int variable;

void memory()
{
    float *f = nullptr;
    void *v = nullptr;
    size_t pitch = 0;
    hipStream_t stream = reinterpret_cast<hipStream_t>(&variable);
    hipMemPool_t pool = reinterpret_cast<hipMemPool_t>(&pitch);

    expect(was(hipMalloc(&v, 1), &v, 1, 0, 0, nullptr), "hipMalloc(void **)");
#ifndef __HIP_DISABLE_CPP_FUNCTIONS__
    expect(was(hipMalloc(&f, 1), &f, 1, 0, 0, nullptr), "hipMalloc");
    expect(was(hipMallocPitch(&f, &pitch, 2, 3), &f, 2, 3, 0, &pitch), "hipMallocPitch");
    expect(was(hipHostMalloc(&f, 4), &f, 4, 0, hipHostMallocDefault, nullptr), "hipHostMalloc");
    expect(was(hipHostMalloc(&v, 4), &v, 4, 0, hipHostMallocDefault, nullptr),
           "hipHostMalloc(void **), no flags");
    expect(was(hipHostMalloc(&f, 4, hipHostMallocMapped), &f, 4, 0, hipHostMallocMapped, nullptr),
           "hipHostMalloc, flags");
    expect(was(hipHostAlloc(&f, 5), &f, 5, 0, hipHostAllocDefault, nullptr), "hipHostAlloc");
    expect(was(hipMallocManaged(&f, 6), &f, 6, 0, hipMemAttachGlobal, nullptr),
           "hipMallocManaged");
#endif
    expect(was(hipMallocAsync(&f, 7, stream), &f, 7, 0, 0, stream), "hipMallocAsync");
    expect(was(hipMallocAsync(&f, 8, pool, stream), &f, 8, 0, 1, pool), "hipMallocAsync, pool");
    expect(was(hipMallocAsync(&v, 8, pool, stream), &v, 8, 0, 1, pool),
           "hipMallocAsync(void **), pool");
    expect(was(hipMallocFromPoolAsync(&f, 9, pool, stream), &f, 9, 0, 1, pool),
           "hipMallocFromPoolAsync");
}

void symbols()
{
    void *v = nullptr;
    size_t n = 0;

    expect(was(hipGetSymbolAddress(&v, variable), &v, 0, 0, 0, &variable), "hipGetSymbolAddress");
    expect(was(hipGetSymbolSize(&n, HIP_SYMBOL(variable)), &n, 0, 0, 0, &variable),
           "hipGetSymbolSize");
    expect(was(hipMemcpyToSymbol(variable, &n, 4), &n, 4, 0, hipMemcpyHostToDevice, &variable),
           "hipMemcpyToSymbol");
    expect(was(hipMemcpyFromSymbolAsync(&n, variable, 4, 2, hipMemcpyDeviceToHost), &n, 4, 2,
               hipMemcpyDeviceToHost, &variable),
           "hipMemcpyFromSymbolAsync");
}

void kernels()
{
    const void *address = reinterpret_cast<const void *>(kernel);
    int grid = 0, block = 0;
    hipLaunchConfig_t config = {};

    expect(was(hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel), &grid, 0, 0, 0, address),
           "hipOccupancyMaxPotentialBlockSize");
    expect(was(hipLaunchCooperativeKernel(kernel, 2, 64, nullptr, 8, nullptr), address, 8, 2, 64,
               nullptr),
           "hipLaunchCooperativeKernel");
    // double becomes the float that the kernel declares
    expect(was(hipLaunchKernelEx(&config, kernel, 40, 2.0), &config, 0, 0, 0, address) &&
               arguments_sum == 42,
           "hipLaunchKernelEx");
    hipExtLaunchKernelGGL(kernel, 2, 32, 16, nullptr, nullptr, nullptr, 1, 'A', 2);
    expect(was(hipErrorUnknown, address, 16, 64, 1, nullptr) && arguments_sum == 67,
           "hipExtLaunchKernelGGL");
    // 128 bytes a thread: 512 threads fit; 1000 do not, 448 leave some idle
    expect(hipOccupancyMaxPotentialBlockSizeVariableSMem(
               &grid, &block, kernel, [](int threads) { return threads * 128; }) == hipSuccess &&
               grid == 4 && block == 512,
           "hipOccupancyMaxPotentialBlockSizeVariableSMem");
    expect(hipOccupancyMaxPotentialBlockSizeVariableSMem(
               &grid, &block, kernel, [](int) { return 1; }, 200) == hipSuccess &&
               block == 128 && grid == 64 && best_shared == 1,
           "hipOccupancyMaxPotentialBlockSizeVariableSMem, limit");
}

void others()
{
    hipLibrary_t library = nullptr;
    hipJitOption options[1] = {hipJitOptionMaxRegisters}, *older = options;
    texture<short, hipTextureType1D> tex;

    expect(was(hipLibraryLoadData(&library, "", options, nullptr, 1, nullptr, nullptr, 0),
               &library, 1, 0, 0, options),
           "hipLibraryLoadData");
    expect(was(hipLibraryLoadData(&library, "", nullptr, nullptr, 0, nullptr, nullptr, 0),
               &library, 0, 0, 0, nullptr),
           "hipLibraryLoadData, nullptr");
    expect(was(hipLibraryLoadData(&library, "", &older, nullptr, 1, nullptr, nullptr, 0),
               &library, 1, 0, 0, options),
           "hipLibraryLoadData, as of 7.1.0");
    expect(was(hipBindTexture(nullptr, tex, &variable), &variable, UINT_MAX, 16, 0, &tex),
           "hipBindTexture");
    expect(tex.addressMode[2] == hipAddressModeClamp && tex.readMode == hipReadModeElementType &&
               tex.channelDesc.f == hipChannelFormatKindSigned && tex.textureObject == nullptr,
           "texture");
}

void builders()
{
    hipExtent extent = make_hipExtent(1, 2, 3);
    hipPos pos = make_hipPos(4, 5, 6);
    hipPitchedPtr pitched = make_hipPitchedPtr(&extent, 7, 8, 9);
    float4 v = make_float4(1, 2, 3, 4);
    float2 sized[] = {float2(1, 2), {3, 4}, float2{}};

    expect(extent.width == 1 && extent.height == 2 && extent.depth == 3, "make_hipExtent");
    expect(pos.x == 4 && pos.y == 5 && pos.z == 6, "make_hipPos");
    expect(pitched.ptr == &extent && pitched.pitch == 7 && pitched.xsize == 8 &&
               pitched.ysize == 9,
           "make_hipPitchedPtr");
    v = 2 * v + float4(1.5f) - v / v;
    v *= 2;
    expect(v == make_float4(5, 6, 10, 14) && v != -v && v[3] == 14, "float4 arithmetic");
    expect(sized[1].y == 4 && sized[2].x == 0, "float2 construction");
    expect(make_uchar3(1, 2, 255).z == 255 && make_longlong1(-1).x == -1, "make_uchar3");
}

} // namespace

int main()
{
    memory();
    symbols();
    kernels();
    others();
    builders();
    return failures == 0 ? 0 : 1;
}
