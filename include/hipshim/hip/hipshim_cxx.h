/* SPDX-License-Identifier: MIT */
/*
 * hipshim: the C++ part of HIP's host API: typed pointers for allocations, symbols by
 * reference, kernels by their handle.  hip_runtime_api.h includes this header.  Each
 * overload passes its arguments to the C function of the same name and returns its
 * result.
 *
 * Symbols and kernels are host handles from a HIP compiler; a host compiler only passes
 * them on.
 */
#ifndef HIPSHIM_HIP_HIPSHIM_CXX_H
#define HIPSHIM_HIP_HIPSHIM_CXX_H

#ifdef __cplusplus

#include "stable.h"
#include "texture_types.h"

/* A program may include this header inside extern "C" braces. */
extern "C++" {

#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace hipshim_cxx
{

template <class T> inline void **untyped(T **pointer)
{
    return reinterpret_cast<void **>(pointer);
}

template <class T> inline const void *symbol_address(const T &symbol)
{
    return const_cast<const void *>(static_cast<const volatile void *>(&symbol));
}

/* A function, a module's function, or NULL. */
template <class F> inline const void *kernel_address(F kernel)
{
    return reinterpret_cast<const void *>(kernel);
}

inline const void *kernel_address(std::nullptr_t)
{
    return nullptr;
}

/* Calls `launch` with the addresses of the arguments, each converted to the type that the kernel
 * declares. */
template <typename... Formals, typename Launch>
inline hipError_t with_addresses(Launch launch, Formals... arguments)
{
    void *addresses[] = {const_cast<void *>(static_cast<const void *>(&arguments))..., nullptr};

    return launch(addresses);
}

} // namespace hipshim_cxx

/* --- memory: overloads that take a pointer to a pointer of any type --- */

#ifndef __HIP_DISABLE_CPP_FUNCTIONS__

template <class T> static inline hipError_t hipMalloc(T **ptr, size_t size)
{
    return hipMalloc(hipshim_cxx::untyped(ptr), size);
}

template <class T>
static inline hipError_t hipMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height)
{
    return hipMallocPitch(hipshim_cxx::untyped(ptr), pitch, width, height);
}

template <class T>
static inline hipError_t hipHostMalloc(T **ptr, size_t size,
                                       unsigned int flags = hipHostMallocDefault)
{
    return hipHostMalloc(hipshim_cxx::untyped(ptr), size, flags);
}

template <class T>
static inline hipError_t hipHostAlloc(T **ptr, size_t size,
                                      unsigned int flags = hipHostAllocDefault)
{
    return hipHostAlloc(hipshim_cxx::untyped(ptr), size, flags);
}

template <class T>
static inline hipError_t hipMallocManaged(T **ptr, size_t size,
                                          unsigned int flags = hipMemAttachGlobal)
{
    return hipMallocManaged(hipshim_cxx::untyped(ptr), size, flags);
}

#endif

template <class T> static inline hipError_t hipMallocAsync(T **ptr, size_t size, hipStream_t stream)
{
    return hipMallocAsync(hipshim_cxx::untyped(ptr), size, stream);
}

template <class T>
static inline hipError_t hipMallocFromPoolAsync(T **ptr, size_t size, hipMemPool_t pool,
                                                hipStream_t stream)
{
    return hipMallocFromPoolAsync(hipshim_cxx::untyped(ptr), size, pool, stream);
}

template <class T>
static inline hipError_t hipMallocAsync(T **ptr, size_t size, hipMemPool_t pool, hipStream_t stream)
{
    return hipMallocFromPoolAsync(hipshim_cxx::untyped(ptr), size, pool, stream);
}

/* --- symbols: overloads that take the variable instead of its address --- */

template <typename T> inline hipError_t hipGetSymbolAddress(void **ptr, const T &symbol)
{
    return hipGetSymbolAddress(ptr, hipshim_cxx::symbol_address(symbol));
}

template <typename T> inline hipError_t hipGetSymbolSize(size_t *size, const T &symbol)
{
    return hipGetSymbolSize(size, hipshim_cxx::symbol_address(symbol));
}

template <typename T>
inline hipError_t hipMemcpyToSymbol(const T &symbol, const void *src, size_t size,
                                    size_t offset = 0, hipMemcpyKind kind = hipMemcpyHostToDevice)
{
    return hipMemcpyToSymbol(hipshim_cxx::symbol_address(symbol), src, size, offset, kind);
}

template <typename T>
inline hipError_t hipMemcpyToSymbolAsync(const T &symbol, const void *src, size_t size,
                                         size_t offset, hipMemcpyKind kind,
                                         hipStream_t stream = nullptr)
{
    return hipMemcpyToSymbolAsync(hipshim_cxx::symbol_address(symbol), src, size, offset, kind,
                                  stream);
}

template <typename T>
inline hipError_t hipMemcpyFromSymbol(void *dst, const T &symbol, size_t size, size_t offset = 0,
                                      hipMemcpyKind kind = hipMemcpyDeviceToHost)
{
    return hipMemcpyFromSymbol(dst, hipshim_cxx::symbol_address(symbol), size, offset, kind);
}

template <typename T>
inline hipError_t hipMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t size, size_t offset,
                                           hipMemcpyKind kind, hipStream_t stream = nullptr)
{
    return hipMemcpyFromSymbolAsync(dst, hipshim_cxx::symbol_address(symbol), size, offset, kind,
                                    stream);
}

/* --- occupancy --- */

template <class F>
inline hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, F kernel,
                                                    size_t dynamicSharedMem = 0,
                                                    int blockSizeLimit = 0)
{
    return hipOccupancyMaxPotentialBlockSize(
        gridSize, blockSize, hipshim_cxx::kernel_address(kernel), dynamicSharedMem, blockSizeLimit);
}

/* No flag of HIP changes the result. */
template <class F>
inline hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize,
                                                             F kernel, size_t dynamicSharedMem = 0,
                                                             int blockSizeLimit = 0,
                                                             unsigned int = hipOccupancyDefault)
{
    return hipOccupancyMaxPotentialBlockSize(
        gridSize, blockSize, hipshim_cxx::kernel_address(kernel), dynamicSharedMem, blockSizeLimit);
}

template <class F>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, F kernel,
                                                               int blockSize,
                                                               size_t dynamicSharedMem)
{
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(
        numBlocks, hipshim_cxx::kernel_address(kernel), blockSize, dynamicSharedMem);
}

template <class F>
inline hipError_t
hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, F kernel, int blockSize,
                                                      size_t dynamicSharedMem,
                                                      unsigned int flags = hipOccupancyDefault)
{
    return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, hipshim_cxx::kernel_address(kernel), blockSize, dynamicSharedMem, flags);
}

template <class F>
inline hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSharedMem, F kernel,
                                                           int numBlocks, int blockSize)
{
    return hipOccupancyAvailableDynamicSMemPerBlock(
        dynamicSharedMem, hipshim_cxx::kernel_address(kernel), numBlocks, blockSize);
}

namespace hipshim_cxx
{

struct device_limits {
    int threads; /* of a multiprocessor */
    int warp;
    int multiprocessors;
};

inline hipError_t get_device_limits(device_limits *limits)
{
    int device = 0;
    hipError_t status = hipGetDevice(&device);

    if (status == hipSuccess)
        status = hipDeviceGetAttribute(&limits->threads,
                                       hipDeviceAttributeMaxThreadsPerMultiProcessor, device);
    if (status == hipSuccess)
        status = hipDeviceGetAttribute(&limits->warp, hipDeviceAttributeWarpSize, device);
    if (status == hipSuccess)
        status = hipDeviceGetAttribute(&limits->multiprocessors,
                                       hipDeviceAttributeMultiprocessorCount, device);
    return status;
}

} // namespace hipshim_cxx

/*
 * Finds the block size that keeps most threads of a multiprocessor busy, and the grid
 * that fills the device with such blocks.  sharedMemOf(block size) returns the dynamic
 * shared memory in bytes.  A limit of 0 means the limit of the kernel.
 */
template <typename SharedMemOf, class F>
inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *gridSize, int *blockSize, F kernel, SharedMemOf sharedMemOf, int blockSizeLimit = 0,
    unsigned int flags = hipOccupancyDefault)
{
    const void *address = hipshim_cxx::kernel_address(kernel);
    hipshim_cxx::device_limits device = {};
    struct hipFuncAttributes function = {};
    int most = 0, best_size = 0, best_blocks = 0;

    if (gridSize == nullptr || blockSize == nullptr || address == nullptr)
        return hipErrorInvalidValue;
    hipError_t status = hipshim_cxx::get_device_limits(&device);
    if (status == hipSuccess)
        status = hipFuncGetAttributes(&function, address);
    if (status != hipSuccess)
        return status;

    int limit = function.maxThreadsPerBlock;
    if (blockSizeLimit > 0 && blockSizeLimit < limit)
        limit = blockSizeLimit;
    /* From the largest block down, by whole warps; of equal results the larger block wins. */
    for (int size = limit; size > 0; size = (size - 1) / device.warp * device.warp) {
        int blocks = 0;

        status = hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, address, size, static_cast<size_t>(sharedMemOf(size)), flags);
        if (status != hipSuccess)
            return status;
        if (size * blocks > most) {
            most = size * blocks;
            best_size = size;
            best_blocks = blocks;
        }
        if (most == device.threads)
            break;
    }
    *gridSize = best_blocks * device.multiprocessors;
    *blockSize = best_size;
    return hipSuccess;
}

template <typename SharedMemOf, class F>
inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int *gridSize, int *blockSize,
                                                                F kernel, SharedMemOf sharedMemOf,
                                                                int blockSizeLimit = 0)
{
    return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(gridSize, blockSize, kernel,
                                                                  sharedMemOf, blockSizeLimit);
}

/* --- launch --- */

template <class F>
inline hipError_t hipLaunchCooperativeKernel(F kernel, dim3 gridDim, dim3 blockDim,
                                             void **kernelParams, unsigned int sharedMem,
                                             hipStream_t stream)
{
    return hipLaunchCooperativeKernel(hipshim_cxx::kernel_address(kernel), gridDim, blockDim,
                                      kernelParams, sharedMem, stream);
}

/* The caller names a type, which has no effect; this form adds the default of `flags`. */
template <class T>
inline hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launches,
                                                        unsigned int numDevices,
                                                        unsigned int flags = 0)
{
    return hipLaunchCooperativeKernelMultiDevice(launches, static_cast<int>(numDevices), flags);
}

template <class T>
inline hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launches,
                                                     unsigned int numDevices,
                                                     unsigned int flags = 0)
{
    return hipExtLaunchMultiKernelMultiDevice(launches, static_cast<int>(numDevices), flags);
}

template <typename... Formals, typename... Actuals>
inline hipError_t hipLaunchKernelEx(const hipLaunchConfig_t *config, void (*kernel)(Formals...),
                                    Actuals &&...actuals)
{
    static_assert(sizeof...(Formals) == sizeof...(Actuals),
                  "a kernel takes as many arguments as it declares");
    return hipshim_cxx::with_addresses<Formals...>(
        [&](void **arguments) {
            return hipLaunchKernelExC(config, hipshim_cxx::kernel_address(kernel), arguments);
        },
        std::forward<Actuals>(actuals)...);
}

/* --- libraries: option arrays with one more level of pointers, as HIP 7.1.0 declared them --- */

namespace hipshim_cxx
{

template <class Option> inline Option *options_of(Option *options)
{
    return options;
}
template <class Option> inline Option *options_of(Option **options)
{
    return options == nullptr ? nullptr : *options;
}
inline std::nullptr_t options_of(std::nullptr_t)
{
    return nullptr;
}

/* hipError_t if at least one of the two arrays has the older form. */
template <class Jit, class Library>
using if_older = typename std::enable_if<std::is_same<Jit, hipJitOption **>::value ||
                                             std::is_same<Library, hipLibraryOption **>::value,
                                         hipError_t>::type;

} // namespace hipshim_cxx

template <class Jit, class Library>
inline hipshim_cxx::if_older<Jit, Library>
hipLibraryLoadData(hipLibrary_t *library, const void *code, Jit jitOptions, void **jitOptionsValues,
                   unsigned int numJitOptions, Library libraryOptions, void **libraryOptionValues,
                   unsigned int numLibraryOptions)
{
    return hipLibraryLoadData(library, code, hipshim_cxx::options_of(jitOptions), jitOptionsValues,
                              numJitOptions, hipshim_cxx::options_of(libraryOptions),
                              libraryOptionValues, numLibraryOptions);
}

template <class Jit, class Library>
inline hipshim_cxx::if_older<Jit, Library>
hipLibraryLoadFromFile(hipLibrary_t *library, const char *fileName, Jit jitOptions,
                       void **jitOptionsValues, unsigned int numJitOptions, Library libraryOptions,
                       void **libraryOptionValues, unsigned int numLibraryOptions)
{
    return hipLibraryLoadFromFile(
        library, fileName, hipshim_cxx::options_of(jitOptions), jitOptionsValues, numJitOptions,
        hipshim_cxx::options_of(libraryOptions), libraryOptionValues, numLibraryOptions);
}

/* --- texture references: the format is that of the reference unless one is given --- */

template <class T, int dim, enum hipTextureReadMode mode>
static inline hipError_t hipBindTexture(size_t *offset, const texture<T, dim, mode> &tex,
                                        const void *ptr, size_t size = UINT_MAX)
{
    return hipBindTexture(offset, &tex, ptr, &tex.channelDesc, size);
}

template <class T, int dim, enum hipTextureReadMode mode>
static inline hipError_t hipBindTexture(size_t *offset, const texture<T, dim, mode> &tex,
                                        const void *ptr, const hipChannelFormatDesc &desc,
                                        size_t size = UINT_MAX)
{
    return hipBindTexture(offset, &tex, ptr, &desc, size);
}

template <class T, int dim, enum hipTextureReadMode mode>
static inline hipError_t hipBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex,
                                          const void *ptr, size_t width, size_t height,
                                          size_t pitch)
{
    return hipBindTexture2D(offset, &tex, ptr, &tex.channelDesc, width, height, pitch);
}

template <class T, int dim, enum hipTextureReadMode mode>
static inline hipError_t hipBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex,
                                          const void *ptr, const hipChannelFormatDesc &desc,
                                          size_t width, size_t height, size_t pitch)
{
    return hipBindTexture2D(offset, &tex, ptr, &desc, width, height, pitch);
}

template <class T, int dim, enum hipTextureReadMode mode>
static inline hipError_t hipBindTextureToArray(const texture<T, dim, mode> &tex,
                                               hipArray_const_t array,
                                               const hipChannelFormatDesc &desc)
{
    return hipBindTextureToArray(&tex, array, &desc);
}

template <class T, int dim, enum hipTextureReadMode mode>
static inline hipError_t hipBindTextureToArray(const texture<T, dim, mode> &tex,
                                               hipArray_const_t array)
{
    hipChannelFormatDesc desc = {};
    hipError_t status = hipGetChannelDesc(&desc, array);

    return status == hipSuccess ? hipBindTextureToArray(&tex, array, &desc) : status;
}

template <class T, int dim, enum hipTextureReadMode mode>
static inline hipError_t hipBindTextureToMipmappedArray(const texture<T, dim, mode> &tex,
                                                        hipMipmappedArray_const_t mipmaps,
                                                        const hipChannelFormatDesc &desc)
{
    return hipBindTextureToMipmappedArray(&tex, mipmaps, &desc);
}

template <class T, int dim, enum hipTextureReadMode mode>
static inline hipError_t hipBindTextureToMipmappedArray(const texture<T, dim, mode> &tex,
                                                        hipMipmappedArray_const_t mipmaps)
{
    hipChannelFormatDesc desc = {};
    hipArray_t level = nullptr;
    hipError_t status = hipGetMipmappedArrayLevel(&level, mipmaps, 0);

    if (status == hipSuccess)
        status = hipGetChannelDesc(&desc, level);
    return status == hipSuccess ? hipBindTextureToMipmappedArray(&tex, mipmaps, &desc) : status;
}

template <class T, int dim, enum hipTextureReadMode mode>
static inline hipError_t hipUnbindTexture(const texture<T, dim, mode> &tex)
{
    return hipUnbindTexture(&tex);
}

} /* extern "C++" */

#endif

#endif
