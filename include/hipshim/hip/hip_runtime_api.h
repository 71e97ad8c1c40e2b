/* SPDX-License-Identifier: MIT */
/*
 * hipshim: the host API.  C sees the functions and types; C++ sees default
 * arguments and the overloads of hipshim_cxx.h besides.
 */
#ifndef HIPSHIM_HIP_HIP_RUNTIME_API_H
#define HIPSHIM_HIP_HIP_RUNTIME_API_H

/* Host code counts on those that HIP's own header brings along. */
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
#include "hip_version.h"
#include "hipshim_cxx.h"
#include "linker_types.h"
#include "stable.h"
#include "surface_types.h"
#include "texture_types.h"

#endif
