/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <inttypes.h>; see parse.py. */
#ifndef HIPGEN_INTTYPES_H
#define HIPGEN_INTTYPES_H
#include <stdint.h>
#endif
