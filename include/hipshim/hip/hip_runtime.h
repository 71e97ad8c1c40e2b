/* SPDX-License-Identifier: MIT */
/*
 * hipshim: the host API, the vector types, and the standard headers that programs expect
 * from hip/hip_runtime.h.  Under a HIP compiler also `<<< >>>` and what device code calls,
 * which comes from the ROCm of that compiler (hipshim_device.h).
 */
#ifndef HIPSHIM_HIP_HIP_RUNTIME_H
#define HIPSHIM_HIP_HIP_RUNTIME_H

#ifdef __HIPCC_RTC__

/* hiprtc has it built in. */
#if __has_include_next(<hip/hip_runtime.h>)
#include_next <hip/hip_runtime.h>
#endif

#elif defined(__HIP__) && !__has_include(<hip/amd_detail/amd_hip_runtime.h>)
#error "hipshim: this HIP compiler finds no hip/amd_detail of ROCm; add --rocm-path=DIR"
#else

/* Programs rely on these, which HIP's own header or HIP's compiler includes. */
#ifdef __cplusplus
extern "C++" {
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
}
#else
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif

#include "hip_common.h"
#include "hip_runtime_api.h"
#include "hip_vector_types.h"
#include "hip_version.h"
#include "library_types.h"

#ifdef __HIP__
#include_next <hip/hip_runtime.h>

#include "hipshim_device.h"
#else
/* See hip_common.h. */
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_RUNTIME_H
#endif

#endif /* __HIPCC_RTC__ */
#endif
