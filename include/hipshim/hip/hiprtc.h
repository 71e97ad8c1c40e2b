/* SPDX-License-Identifier: MIT */
/* hipshim: the run-time compiler. */
#ifndef HIPSHIM_HIP_HIPRTC_H
#define HIPSHIM_HIP_HIPRTC_H

#include "stable.h"

#endif
