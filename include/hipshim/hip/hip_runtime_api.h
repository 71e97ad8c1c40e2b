/* SPDX-License-Identifier: MIT */
/*
 * hipshim: the host API: functions and types, and in C++ also default arguments and the
 * overloads of hipshim_cxx.h.
 */
#ifndef HIPSHIM_HIP_HIP_RUNTIME_API_H
#define HIPSHIM_HIP_HIP_RUNTIME_API_H

/* Host code relies on these, which HIP's own header includes. */
#ifdef __cplusplus
extern "C++" {
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <utility>
}
#else
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#endif

#include "channel_descriptor.h"
#include "driver_types.h"
#include "hip_common.h"
#include "hip_gl_interop.h"
#include "hip_version.h"
#include "hipshim_cxx.h"
#include "linker_types.h"
#include "stable.h"
#include "surface_types.h"
#include "texture_types.h"

/* See hip_common.h. */
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H

#endif
