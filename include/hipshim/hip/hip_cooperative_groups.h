/* SPDX-License-Identifier: MIT */
/*
 * hipshim: cooperative groups are device code, so a host compiler finds only the version and the
 * platform here, as in ROCm's header.  hip_runtime_api.h has the cooperative launches.
 */
#ifdef __HIP__
#include_next <hip/hip_cooperative_groups.h>
#elif !defined(HIPSHIM_HIP_HIP_COOPERATIVE_GROUPS_H)
#define HIPSHIM_HIP_HIP_COOPERATIVE_GROUPS_H

#include "hip_common.h"
#include "hip_version.h"

#endif
