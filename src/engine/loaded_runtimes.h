/* SPDX-License-Identifier: MIT */
/* Runtimes that other modules brought into this process. */
#ifndef HIPSHIM_SRC_ENGINE_LOADED_RUNTIMES_H
#define HIPSHIM_SRC_ENGINE_LOADED_RUNTIMES_H

#include <limits.h>
#include <stdbool.h>

struct hs_library;

enum { HS_LOADED_RUNTIMES_ROOM = 4 };

struct hs_loaded_runtime {
    char path[PATH_MAX]; /* as the dynamic linker names it */
    bool is_named;       /* its soname or file has the stem of the library */
    bool is_global;      /* plain symbol lookups find it */
};

/*
 * Lists the objects of this process that define the probe of `library`, except hipshim and
 * its drop-ins, the preferred one first: one of the library's name that the global scope binds to,
 * else any of that name, else the first loaded.
 *
 * An object of another name counts only if it defines the second probe too, so that a tracer that
 * wraps a few functions is not taken for a runtime.
 *
 * Returns how many were written, at most HS_LOADED_RUNTIMES_ROOM.  `in_program` is set if the
 * executable itself defines the function.  The executable is never listed, because no handle
 * gives its symbols alone.
 */
unsigned hs_loaded_runtimes_find(const struct hs_library *library,
                                 struct hs_loaded_runtime list[HS_LOADED_RUNTIMES_ROOM],
                                 bool *in_program);

#endif
