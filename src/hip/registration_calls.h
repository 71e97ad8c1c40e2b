/* SPDX-License-Identifier: MIT */
/*
 * Functions that take a kernel or a variable of the program by its address on the host.
 *
 * In libhipshim the first call of one of them initialises HIP and hands the registered kernels over
 * to the runtime (hip/registration.h).  Until then the slots of these functions keep their
 * resolvers; afterwards their calls go where those of other functions go.  In a drop-in the kernels
 * go to the runtime as they are registered.  If a fat binary was refused, a wrapper goes before
 * each of these functions, which explains that.
 *
 * The link decides which of two files has the last functions here: registration_deferred.c in
 * libhipshim, registration_at_once.c in drop-ins.
 */
#ifndef HIPSHIM_SRC_HIP_REGISTRATION_CALLS_H
#define HIPSHIM_SRC_HIP_REGISTRATION_CALLS_H

#include <stdbool.h>

#include "caller_abi.h"
#include "engine/loader.h"

struct hs_registration_reader;

/* --- registration_calls.c --- */

/* Prints the error text in a drop-in, whose callers have no function for it. */
void hs_registered_report(void);

/* Makes hipErrorNoBinaryForGpu the last error of this thread, and returns it. */
hipError_t hs_registered_refuse(void);

/* Fills the slots of these functions again, with wrappers if a fat binary was refused. */
void hs_registered_update(void);

/*
 * Describes what a runtime of that release reads, but not its devices.  False if it reads all code
 * that is known.
 */
bool hs_registered_describe(struct hs_registration_reader *reader, int major, int minor);

/* --- registration_deferred.c or registration_at_once.c --- */

/* Before a managed variable is registered. */
void hs_registered_managed(void);

/* After a fat binary was registered: hands it over if one was needed before. */
void hs_registered_added(void);

#endif
