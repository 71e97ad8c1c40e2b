/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <errno.h>; see parse.py. */
#ifndef HIPGEN_ERRNO_H
#define HIPGEN_ERRNO_H
#endif
