/* SPDX-License-Identifier: MIT */
/*
 * hipshim: hip/hip_runtime.h for a host compiler: the host API, the vector types, and
 * the standard headers that programs expect from it.  It compiles no kernels; hiprtc
 * compiles them at run time.
 */
#ifndef HIPSHIM_HIP_HIP_RUNTIME_H
#define HIPSHIM_HIP_HIP_RUNTIME_H

#ifdef __HIP__
#error "hipshim's headers are for host code: compile kernels with ROCm's own headers, or by hiprtc"
#endif

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

#endif
