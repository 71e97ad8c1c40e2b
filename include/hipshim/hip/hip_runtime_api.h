/* SPDX-License-Identifier: MIT */
/* hipshim: the host API. */
#ifndef HIPSHIM_HIP_HIP_RUNTIME_API_H
#define HIPSHIM_HIP_HIP_RUNTIME_API_H

#include "stable.h"

#endif
