/* SPDX-License-Identifier: MIT */
/* hipshim: the old name of hip_ext.h. */
#ifndef HIPSHIM_HIP_HIP_HCC_H
#define HIPSHIM_HIP_HIP_HCC_H

#include "hip_ext.h"

#endif
