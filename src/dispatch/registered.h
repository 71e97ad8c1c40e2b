/* SPDX-License-Identifier: MIT */
/*
 * Functions that take a kernel or a variable of the program by its address on the host.
 *
 * The first call of one of them initialises HIP and hands the registered kernels over to the
 * runtime (registration/registration.h).  Until then the slots of these functions keep their
 * resolvers; afterwards their calls go where those of other functions go.  If a fat binary was
 * refused, the functions that launch stay behind a wrapper, which explains that.
 *
 * The link decides which of two files implements this: registered.c in libhipshim, no_registered.c
 * in drop-ins, where compilers register with the runtime itself.
 */
#ifndef HIPSHIM_SRC_DISPATCH_REGISTERED_H
#define HIPSHIM_SRC_DISPATCH_REGISTERED_H

#include <stdbool.h>

/* True if the slot of the function keeps its resolver, until all is handed over. */
bool hs_registered_defers(unsigned function);

/* Before a call of the function goes on, the runtime being open; any thread, with no lock held. */
void hs_registered_before(unsigned function);

/*
 * Call right after the runtime was opened.  Registers the exit handler that stops registration
 * before the runtime shuts down.
 */
void hs_registered_until_exit(void);

/* After a fat binary was registered: hands it over if one was needed before. */
void hs_registered_added(void);

#endif
