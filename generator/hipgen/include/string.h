/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <string.h>; see parse.py. */
#ifndef HIPGEN_STRING_H
#define HIPGEN_STRING_H
#include <stddef.h>
#endif
