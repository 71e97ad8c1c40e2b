/* SPDX-License-Identifier: MIT */
/*
 * Work at the end of the process, which the end of a shared object is not.
 *
 * The handlers that a shared object registers by `atexit` also run when it is closed.  A plugin
 * that contains libhipshim.a may be closed while the process goes on: then the HIP runtime goes on,
 * too, and has to learn that the plugin's kernels are gone.
 */
#ifndef HIPSHIM_SRC_BASE_AT_EXIT_H
#define HIPSHIM_SRC_BASE_AT_EXIT_H

#include <stdbool.h>

/*
 * As `atexit`.  The handler returns at once unless hs_at_exit_is_now(); it does not run if the
 * object with this code is closed before.  Any thread.
 */
void hs_at_exit(void (*handler)(void));

/* True if the process exits; false while only the object with this code is being closed. */
bool hs_at_exit_is_now(void);

#endif
