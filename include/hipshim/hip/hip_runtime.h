/* SPDX-License-Identifier: MIT */
/*
 * hipshim: what hip/hip_runtime.h is to a host compiler: the host API, the
 * vector types, and the standard headers that come with it.  Kernels are not
 * compiled here; hiprtc compiles them at run time.
 */
#ifndef HIPSHIM_HIP_HIP_RUNTIME_H
#define HIPSHIM_HIP_HIP_RUNTIME_H

#ifdef __HIP__
#error "hipshim's headers are for host code: compile kernels with ROCm's own headers, or by hiprtc"
#endif

/* Programs count on what HIP's header and HIP's compiler bring along between them. */
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
