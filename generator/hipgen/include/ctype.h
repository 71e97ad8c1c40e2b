/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <ctype.h>; see parse.py. */
#ifndef HIPGEN_CTYPE_H
#define HIPGEN_CTYPE_H
#endif
