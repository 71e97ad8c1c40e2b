/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <limits.h>; see parse.py. */
#ifndef HIPGEN_LIMITS_H
#define HIPGEN_LIMITS_H
#define CHAR_BIT 8
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#endif
