/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <math.h>; see parse.py. */
#ifndef HIPGEN_MATH_H
#define HIPGEN_MATH_H
#endif
