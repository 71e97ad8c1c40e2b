/* SPDX-License-Identifier: MIT */
/*
 * hipshim: the markers of functions and variables by their place in ROCm's headers.  Where these
 * are installed too, their own file follows, because their other files need what it declares.
 */
#ifndef __HIP__
#include "../hip_common.h"
#endif
#ifdef __has_include_next
#if __has_include_next(<hip/amd_detail/host_defines.h>)
#include_next <hip/amd_detail/host_defines.h>
#endif
#endif
