/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <float.h>; see parse.py. */
#ifndef HIPGEN_FLOAT_H
#define HIPGEN_FLOAT_H
#endif
