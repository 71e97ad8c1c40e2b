/* SPDX-License-Identifier: MIT */
/*
 * Processes with more than one runtime of the API.
 *
 * The dynamic linker binds a symbol to the first library in scope that has it at its version
 * node, whichever library the caller was linked to.  With the drop-in of major 6 first in
 * scope, a plugin built for major 5 gets F@NAME_4.2 from it.  For most functions both are the same.
 * The slots of functions whose ABI differs between majors (hs_caller_routed) then keep their
 * resolvers, which pass each call on to the library that the calling object needs.  The return
 * address identifies that object, because the stubs jump and do not call.
 *
 * Only a process in which another runtime was seen pays for it: each drop-in that is loaded
 * notifies the others, and the slots change then.
 *
 * The link decides which of two tables the dispatcher has: hs_by_caller in drop-ins, or
 * hs_single_caller in libhipshim, whose symbols no other library has.
 */
#ifndef HIPSHIM_SRC_ENGINE_BY_CALLER_H
#define HIPSHIM_SRC_ENGINE_BY_CALLER_H

#include <stdbool.h>

#include "engine/loader.h"
#include "engine/tables.h"

/* Each may be NULL: nothing to do, never native; the last one if no function is routed. */
struct hs_routing {
    /* Before the slots are filled; `runtime` may have no handle. */
    void (*runtime_opened)(const struct hs_runtime *runtime);

    /*
     * True if calls go to the runtime's own functions without conversion: the runtime has the
     * drop-in's soname, and no object in this process needs a symbol of a later release.  The real
     * library would serve such a process, and so the drop-in must not answer otherwise.
     */
    bool (*is_native)(const struct hs_runtime *runtime);

    /*
     * The function that a call from `address` must go to: the function of that name in the library
     * that the calling object needs, or NULL for this library's own.  A caller that needs no
     * such library, or this one among others, gets this one.
     */
    hs_function (*target)(unsigned function, const void *address);
};
extern const struct hs_routing hs_by_caller, hs_single_caller;

/* The functions whose ABI differs in another major; the last entry is the count of all. */
extern const uint16_t hs_caller_routed[];

/* The functions of other libraries STEM.so.N that were looked up, by N, then function. */
enum { HS_CALLER_NUMBERS = 32 };
extern hs_function hs_caller_known[];

/*
 * From now on calls of routed functions go by their caller.  Any thread, any number of times.
 * The drop-in's ELF note holds the address, and other drop-ins call it (elf/notes.h).
 */
void hs_dispatch_route_by_caller(void);

/* Member `library` of struct hs_dropin (elf/notes.h). */
const char *hs_dispatch_library(bool settles);

#endif
