/* SPDX-License-Identifier: MIT */
/*
 * A fake HIP runtime: fake_hip.c compiled once for each release, against the
 * bindings of that release, so its layouts are that release's own.
 *
 * It shows conversions that no real runtime can show without a GPU.  Inputs
 * are checked member by member in the fake's own layout: a member holds its
 * number (below), or the call fails with hipErrorInvalidValue and a line on
 * stderr.  Outputs are poisoned first, then every member is set to its number.
 */
#ifndef HIPSHIM_TESTS_FAKES_FAKE_HIP_H
#define HIPSHIM_TESTS_FAKES_FAKE_HIP_H

/* What the bytes of an output hold before its members are set. */
#define FAKE_POISON 0xa5

/* It never settles on these lists. */
/* clang-format off */

/* FAKE_PROPS(X, N): members of the device properties that all releases share. */
#define FAKE_PROPS(X) \
    X(totalGlobalMem, 1) X(sharedMemPerBlock, 2) X(regsPerBlock, 3) X(warpSize, 4) \
    X(maxThreadsPerBlock, 5) X(maxThreadsDim[0], 6) X(maxThreadsDim[2], 7) X(maxGridSize[0], 8) \
    X(maxGridSize[2], 9) X(clockRate, 10) X(memoryClockRate, 11) X(memoryBusWidth, 12) \
    X(totalConstMem, 13) X(major, 14) X(minor, 15) X(multiProcessorCount, 16) X(l2CacheSize, 17) \
    X(maxThreadsPerMultiProcessor, 18) X(computeMode, 19) X(clockInstructionRate, 20) \
    X(concurrentKernels, 21) X(pciDomainID, 22) X(pciBusID, 23) X(pciDeviceID, 24) \
    X(maxSharedMemoryPerMultiProcessor, 25) X(isMultiGpuBoard, 26) X(canMapHostMemory, 27) \
    X(integrated, 28) X(cooperativeLaunch, 29) X(cooperativeMultiDeviceLaunch, 30) \
    X(maxTexture1DLinear, 31) X(maxTexture1D, 32) X(maxTexture2D[0], 33) X(maxTexture2D[1], 34) \
    X(maxTexture3D[0], 35) X(maxTexture3D[2], 36) X(memPitch, 37) X(textureAlignment, 38) \
    X(texturePitchAlignment, 39) X(kernelExecTimeoutEnabled, 40) X(ECCEnabled, 41) \
    X(tccDriver, 42) X(isLargeBar, 43) X(asicRevision, 44) X(managedMemory, 45) \
    X(directManagedMemAccessFromHost, 46) X(concurrentManagedAccess, 47) \
    X(pageableMemoryAccess, 48) X(pageableMemoryAccessUsesHostPageTables, 49) \
    X(arch.hasDoubles, 1) X(arch.hasDynamicParallelism, 1) X(arch.hasGlobalInt32Atomics, 0)

#define FAKE_NAME "fake device"
#define FAKE_ARCH "gfx90a:sramecc+:xnack-"

/* Members of HIP_MEMCPY3D that are plain numbers. */
#define FAKE_COPY3D(X) \
    X(srcXInBytes, 1) X(srcY, 2) X(srcZ, 3) X(srcLOD, 4) X(srcPitch, 5) X(srcHeight, 6) \
    X(dstXInBytes, 7) X(dstY, 8) X(dstZ, 9) X(dstLOD, 10) X(dstPitch, 11) X(dstHeight, 12) \
    X(WidthInBytes, 13) X(Height, 14) X(Depth, 15)

/* Members of hip_Memcpy2D that are plain numbers. */
#define FAKE_COPY2D(X) \
    X(srcXInBytes, 1) X(srcY, 2) X(srcPitch, 3) X(dstXInBytes, 4) X(dstY, 5) X(dstPitch, 6) \
    X(WidthInBytes, 7) X(Height, 8)

/* clang-format on */

#define FAKE_POINTER(n) ((void *)(uintptr_t)(0x1000 * (n)))

/* The pointers that hipPointerGetAttributes of the fake tells apart. */
enum { FAKE_HOST = 1, FAKE_DEVICE, FAKE_ARRAY, FAKE_MANAGED, FAKE_UNIFIED };

#endif
