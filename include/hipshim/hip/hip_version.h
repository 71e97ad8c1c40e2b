/* SPDX-License-Identifier: MIT */
/*
 * hipshim: HIP_VERSION of the stable API set, which never changes.  The
 * release that runs is asked at run time: hipRuntimeGetVersion(), or
 * hipshim_runtime_info() of hipshim/hipshim.h.
 */
#ifndef HIPSHIM_HIP_HIP_VERSION_H
#define HIPSHIM_HIP_HIP_VERSION_H

#include "hip_common.h"
#include "stable.h"

/* Of a vendor's build, which this is none of. */
#define HIP_VERSION_GITHASH    ""
#define HIP_VERSION_BUILD_ID   0
#define HIP_VERSION_BUILD_NAME ""

#endif
