/* SPDX-License-Identifier: MIT */
/*
 * hipshim: what every header here begins with.
 *
 * The platform needs no choice: hipshim speaks to AMD's HIP alone, and defines
 * __HIP_PLATFORM_AMD__ so that a program's own tests of it come out right.
 * The markers of HIP functions and variables vanish, as they do for any
 * compiler but HIP's own.
 */
#ifndef HIPSHIM_HIP_HIP_COMMON_H
#define HIPSHIM_HIP_HIP_COMMON_H

#if defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP_PLATFORM_NVCC__)
#error "hipshim is for HIP on AMD: __HIP_PLATFORM_NVIDIA__ must not be defined"
#endif

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif

#if !defined(__HIP__) && !defined(__CUDA__) && !defined(__CUDACC__)
/* Nothing else in each, so that a second definition in ROCm's libraries is the same one. */
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __forceinline__ inline
#endif

#define HIP_PUBLIC_API      __attribute__((visibility("default")))
#define HIP_DEPRECATED(msg) __attribute__((deprecated(msg)))

/* A device variable, where a function wants its symbol. */
#ifndef HIP_SYMBOL
#define HIP_SYMBOL(X) X
#endif

#endif
