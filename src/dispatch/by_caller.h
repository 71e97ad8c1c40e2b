/* SPDX-License-Identifier: MIT */
/*
 * Processes with more than one libamdhip64.
 *
 * The dynamic linker binds a symbol to the first library in scope that has it
 * at its version node, whatever library the caller was linked to: with the
 * drop-in of HIP 6 in front, a plugin built for HIP 5 gets hipMalloc@hip_4.2
 * from it.  For most functions that is the same.  For those whose ABI differs
 * between the majors (hs_caller_routed_entries) the call is passed on to the library
 * that the calling object itself asks for; who that is tells the return
 * address, since the stubs jump and do not call.
 *
 * Only a process in which another libamdhip64 was seen pays for it: each
 * drop-in that is loaded tells the others, and the slots change then.
 */
#ifndef HIPSHIM_SRC_DISPATCH_BY_CALLER_H
#define HIPSHIM_SRC_DISPATCH_BY_CALLER_H

#include "tables/tables.h"

/* A function whose ABI another major has differently, and what asks who calls. */
struct hs_caller_routed_entry {
    uint16_t function;
    hs_function entry;
};

/* In bindings/dropin/N/by_caller.c, by function. */
extern const struct hs_caller_routed_entry hs_caller_routed_entries[];
extern const unsigned hs_caller_routed_entry_count;

/*
 * Where a call from `address` has to go: the function of that name in the
 * library that the calling object needs, or NULL for this library's own.  A
 * caller that needs no libamdhip64, or this one among others, gets this one.
 */
hs_function hs_by_caller_target(unsigned function, const void *address);

#endif
