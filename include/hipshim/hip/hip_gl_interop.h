/* SPDX-License-Identifier: MIT */
/* hipshim: sharing buffers and images with OpenGL. */
#ifndef HIPSHIM_HIP_HIP_GL_INTEROP_H
#define HIPSHIM_HIP_HIP_GL_INTEROP_H

#include "hip_common.h"
#include "stable.h"

/* See hip_common.h. */
#define HIP_GL_INTEROP_H
#define HIP_INCLUDE_AMD_HIP_GL_INTEROP_H

#endif
