/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <wchar.h>; see parse.py. */
#ifndef HIPGEN_WCHAR_H
#define HIPGEN_WCHAR_H
#endif
