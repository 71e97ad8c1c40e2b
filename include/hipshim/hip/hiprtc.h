/* SPDX-License-Identifier: MIT */
/* hipshim: the run-time compiler. */
#ifndef HIPSHIM_HIP_HIPRTC_H
#define HIPSHIM_HIP_HIPRTC_H

#include <stdlib.h>

#include "hip_common.h"
#include "hip_version.h"
#include "linker_types.h"
#include "stable.h"

#endif
