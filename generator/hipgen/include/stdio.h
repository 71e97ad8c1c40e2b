/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <stdio.h>; see parse.py. */
#ifndef HIPGEN_STDIO_H
#define HIPGEN_STDIO_H
#include <stddef.h>
#endif
