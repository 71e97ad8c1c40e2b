/* SPDX-License-Identifier: MIT */
/* What the public functions share: the look-up of a function, and the filling of structures. */
#ifndef HIPSHIM_SRC_HIP_FIND_H
#define HIPSHIM_SRC_HIP_FIND_H

#include <hipshim/hipshim.h>

#include <stddef.h>

/*
 * Sets `function` to the number of a function, by its own name or by one that HIP's headers define
 * as a macro for it.  Returns HIPSHIM_ERROR_INVALID if `name` is NULL, and
 * HIPSHIM_ERROR_UNKNOWN_FUNCTION if there is none; the text begins with `call` or with the name.
 */
hipshim_status_t hs_api_find(const char *call, const char *name, unsigned *function);

/* Fills the caller's structure; HIPSHIM_ERROR_INVALID with a text that begins with `call`. */
hipshim_status_t hs_api_give(void *structure, const void *answer, size_t known, const char *call);

#endif
