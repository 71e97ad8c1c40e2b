/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <stdarg.h>; see parse.py. */
#ifndef HIPGEN_STDARG_H
#define HIPGEN_STDARG_H
#endif
