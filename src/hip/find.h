/* SPDX-License-Identifier: MIT */
/* Looks up a function of the stable interface for the public functions that take its name. */
#ifndef HIPSHIM_SRC_HIP_FIND_H
#define HIPSHIM_SRC_HIP_FIND_H

#include <hipshim/hipshim.h>

/*
 * Sets `function` to the number of a function, by its own name or by one that HIP's headers define
 * as a macro for it.  Returns HIPSHIM_ERROR_INVALID if `name` is NULL, and
 * HIPSHIM_ERROR_UNKNOWN_FUNCTION if there is none; the text begins with `call` or with the name.
 */
hipshim_status_t hs_api_find(const char *call, const char *name, unsigned *function);

#endif
