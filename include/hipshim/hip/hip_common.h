/* SPDX-License-Identifier: MIT */
/*
 * hipshim: the platform and the markers; every header in this directory includes it.
 *
 * A program need not choose the platform, because hipshim supports AMD's HIP only.  The header
 * defines __HIP_PLATFORM_AMD__ for programs that test it.  The markers of HIP functions and
 * variables expand to nothing, as in ROCm's headers for any compiler but HIP's own.
 */
#ifndef HIPSHIM_HIP_HIP_COMMON_H
#define HIPSHIM_HIP_HIP_COMMON_H

#if defined(__cplusplus) && __cplusplus < 201103L
#error "hipshim's headers need C++11 or later"
#elif !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "hipshim's headers need C99 or later"
#endif

#if defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP_PLATFORM_NVCC__)
#error "hipshim is for HIP on AMD: __HIP_PLATFORM_NVIDIA__ must not be defined"
#endif

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif

#ifdef __HIP__
#if __has_include(<hip/amd_detail/amd_hip_runtime.h>)
/* The features of the architecture, and the macros that the device headers use. */
#include <hip/amd_detail/host_defines.h>
#include_next <hip/hip_common.h>
#endif
#ifndef DEPRECATED
#define DEPRECATED(msg) __attribute__((deprecated(msg)))
#endif
#endif

/*
 * These are the guards of ROCm's headers, which declare the same names.  Each of hipshim's headers
 * defines the guard of the header that it replaces, so that a compiler that finds ROCm's later
 * takes nothing from it.  After ROCm's, however, errors by the dozen would follow; a file that
 * cannot be found stops every compiler.
 */
#if defined(HIP_INCLUDE_HIP_HIP_RUNTIME_API_H) || defined(HIP_INCLUDE_HIP_DRIVER_TYPES_H) ||       \
    defined(HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H) || defined(HIP_INCLUDE_HIP_LIBRARY_TYPES_H) ||   \
    defined(HIP_INCLUDE_HIP_LINKER_TYPES_H) || defined(HIP_INCLUDE_HIP_SURFACE_TYPES_H) ||         \
    defined(HIP_INCLUDE_HIP_TEXTURE_TYPES_H) || defined(HIP_GL_INTEROP_H)
#error "hipshim: ROCm's own HIP headers come first: put hipshim's include directory before ROCm's"
#include "the #error above stops the compiler"
#endif

#if !defined(__HIP__) && !defined(__CUDA__) && !defined(__CUDACC__)
/* Exactly as ROCm's libraries define them, so that a second definition is no error. */
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __forceinline__ inline
#endif

#ifndef HIP_PUBLIC_API
#define HIP_PUBLIC_API __attribute__((visibility("default")))
#endif
#ifndef HIP_DEPRECATED
#define HIP_DEPRECATED(msg) __attribute__((deprecated(msg)))
#endif

/* Passes a device variable to a function that takes a symbol. */
#ifndef HIP_SYMBOL
#define HIP_SYMBOL(X) X
#endif

#endif
