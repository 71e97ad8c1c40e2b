/* SPDX-License-Identifier: MIT */
/* In the place of the generated header: a library with three functions. */
#define HS_FUNCTION_COUNT 3
