/* SPDX-License-Identifier: MIT */
/*
 * hipshim: the mathematical functions of HIP are device code, so a host compiler finds those of
 * its own library here, and what programs expect besides.
 */
#ifdef __HIP__
#include_next <hip/math_functions.h>
#elif !defined(HIPSHIM_HIP_MATH_FUNCTIONS_H)
#define HIPSHIM_HIP_MATH_FUNCTIONS_H

#include <assert.h>
#include <limits.h>
#ifdef __cplusplus
extern "C++" {
#include <algorithm>
#include <limits>
}
#endif

#include "hip_fp16.h"
#include "hip_runtime.h"

#endif
