/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <stdbool.h>; see parse.py. */
#ifndef HIPGEN_STDBOOL_H
#define HIPGEN_STDBOOL_H
#define bool _Bool
#define true 1
#define false 0
#endif
