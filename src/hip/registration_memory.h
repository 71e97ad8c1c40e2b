/* SPDX-License-Identifier: MIT */
/* What can be read at an address that a program gave without a size. */
#ifndef HIPSHIM_SRC_HIP_REGISTRATION_MEMORY_H
#define HIPSHIM_SRC_HIP_REGISTRATION_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes from there to the end of its segment; 0 if no loaded object holds the address. */
size_t hs_memory_room(const void *start);

/* True if all of the pages can be read. */
bool hs_memory_is_readable(const char *start, uint64_t size);

#endif
