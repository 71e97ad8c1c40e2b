/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_ELF_BUILD_ID_H
#define HIPSHIM_SRC_ELF_BUILD_ID_H

#include <stddef.h>

/*
 * The build-id among the notes of an ELF object, which may be of any content and
 * cut anywhere; NULL if there is none, else its place there and its size in bytes.
 */
const unsigned char *hs_build_id_find(const unsigned char *notes, size_t size, size_t *length);

#endif
