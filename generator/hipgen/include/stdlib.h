/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <stdlib.h>; see parse.py. */
#ifndef HIPGEN_STDLIB_H
#define HIPGEN_STDLIB_H
#include <stddef.h>
#endif
