/* SPDX-License-Identifier: MIT */
/*
 * hipshim: HIP_VERSION of the stable API set, whatever release is installed.  At run
 * time, hipRuntimeGetVersion(), or hipshim_runtime_info() of hipshim/hipshim.h, returns
 * the release of the runtime.
 */
#ifndef HIPSHIM_HIP_HIP_VERSION_H
#define HIPSHIM_HIP_HIP_VERSION_H

#include "hip_common.h"
#include "stable.h"

/* They describe a build of AMD's; hipshim has none. */
#define HIP_VERSION_GITHASH    ""
#define HIP_VERSION_BUILD_ID   0
#define HIP_VERSION_BUILD_NAME ""

#endif
