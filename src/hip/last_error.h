/* SPDX-License-Identifier: MIT */
/*
 * The last error of a thread, which hipGetLastError and hipPeekAtLastError return.
 *
 * The runtime keeps it.  hipshim has no second copy, because calls that need no conversion go to
 * the runtime directly and could not update one.  For an error that hipshim itself returns, it
 * makes the runtime record the same error, so the runtime's own rules decide how long it lasts.
 * Without a runtime hipshim keeps the last error.  doc/behaviour.md has the whole model.
 */
#ifndef HIPSHIM_SRC_HIP_LAST_ERROR_H
#define HIPSHIM_SRC_HIP_LAST_ERROR_H

#include "caller_abi.h"
#include "engine/hooks.h"

/*
 * The runtime's own hipExtGetLastError, NULL before 7.0; the runtime is open.  It returns and
 * clears the result of the last call, which a runtime of 7.0 and later keeps besides the last
 * error.
 */
typedef hipError_t (*hs_last_error_function)(void);
hs_last_error_function hs_last_error_of_last_call(void);

/* Makes an error that hipshim returns the last error of this thread, and returns it. */
hipError_t hs_last_error_set(hipError_t error);

/* Removes an error of the runtime that hipshim has turned into a success. */
void hs_last_error_clear(void);

/*
 * Records the result of a call that hipshim answered without the runtime, and returns it.  A
 * success clears the last error only for callers before HIP 7: for them it is the result of the
 * last call.
 */
hipError_t hs_last_error_result(hipError_t result);

/* The hook after a call failed in hipshim; calls of hiprtc do not touch the last error. */
void hs_last_error_failed(unsigned function, enum hs_failure kind);

#endif
