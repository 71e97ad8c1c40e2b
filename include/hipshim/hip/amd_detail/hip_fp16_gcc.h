/* SPDX-License-Identifier: MIT */
/* hipshim: hip_fp16.h by the place of its host half in ROCm's headers. */
#include "../hip_fp16.h"
