/* SPDX-License-Identifier: MIT */
/* hipshim: surface objects. */
#ifndef HIPSHIM_HIP_SURFACE_TYPES_H
#define HIPSHIM_HIP_SURFACE_TYPES_H

#include "hip_common.h"
#include "stable.h"

/* See hip_common.h. */
#define HIP_INCLUDE_HIP_SURFACE_TYPES_H

#endif
