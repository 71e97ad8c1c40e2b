/* SPDX-License-Identifier: MIT */
/* hipshim: this name is taken so that a host compiler does not find ROCm's header after ours. */
#ifdef __HIP__
#include_next <hip/hip_fp8.h>
#else
#error "hipshim: hip/hip_fp8.h is device code: include it in files for a HIP compiler only"
#endif
