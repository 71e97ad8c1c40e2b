/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_BASE_HEX_H
#define HIPSHIM_SRC_BASE_HEX_H

#include <stddef.h>

/* Writes 2 * size lowercase digits and a terminating zero. */
void hs_hex_write(char *text, const unsigned char *bytes, size_t size);

#endif
