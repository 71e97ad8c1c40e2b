/* SPDX-License-Identifier: MIT */
/* hipshim: options and inputs of the linkers. */
#ifndef HIPSHIM_HIP_LINKER_TYPES_H
#define HIPSHIM_HIP_LINKER_TYPES_H

#include "hip_common.h"
#include "stable.h"

/* See hip_common.h. */
#define HIP_INCLUDE_HIP_LINKER_TYPES_H

#endif
