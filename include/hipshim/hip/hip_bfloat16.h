/* SPDX-License-Identifier: MIT */
/*
 * hipshim: hip_bfloat16 for a host compiler: a number of 16 bits, the upper half of a float.  It
 * has its bits and no operations, as in ROCm's header for such a compiler.
 */
#ifdef __HIP__
#include_next <hip/hip_bfloat16.h>
/* The names of ROCm's guards: the definition of the header that comes first counts. */
#elif !defined(_HIP_BFLOAT16_H_) && !defined(_HIP_INCLUDE_HIP_AMD_DETAIL_HIP_BFLOAT16_H_)
#define _HIP_BFLOAT16_H_
#define _HIP_INCLUDE_HIP_AMD_DETAIL_HIP_BFLOAT16_H_

#include <stdint.h>

#include "hip_common.h"

typedef struct {
    uint16_t data;
} hip_bfloat16;

#endif
