/* SPDX-License-Identifier: MIT */
/* hipshim: HIP_VERSION of the stable surface; the running one is asked with hipRuntimeGetVersion. */
#ifndef HIPSHIM_HIP_HIP_VERSION_H
#define HIPSHIM_HIP_HIP_VERSION_H

#include "stable.h"

#endif
