/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <assert.h>; see parse.py. */
#ifndef HIPGEN_ASSERT_H
#define HIPGEN_ASSERT_H
#endif
