/* SPDX-License-Identifier: MIT */
/* hipshim: another name of texture_types.h. */
#ifndef HIPSHIM_HIP_HIP_TEXTURE_TYPES_H
#define HIPSHIM_HIP_HIP_TEXTURE_TYPES_H

#include "texture_types.h"

#endif
