/* SPDX-License-Identifier: MIT */
/*
 * The places where the first library of the API may be, in order of preference.
 *
 * The search knows places, not libraries.  Each candidate that exists is offered to the caller,
 * whose answer says whether the search continues.  Places that hold nothing, and variables that
 * are not set, are recorded here (search_log.h).
 */
#ifndef HIPSHIM_SRC_ENGINE_SEARCH_H
#define HIPSHIM_SRC_ENGINE_SEARCH_H

#include <hipshim/hipshim.h>

#include <stdbool.h>

struct hs_candidate {
    hipshim_search_source_t source;
    const char *path;   /* a file, or a bare soname if by_name */
    const char *origin; /* the environment variable it comes from, or NULL */
    bool by_name;       /* the dynamic linker searches for `path` */
    bool is_loaded;     /* it is in the process already */
};

/*
 * Tries a candidate, which is valid during the call only, and records the step.  True ends the
 * search: it was found, or nothing further may be tried.
 */
typedef bool (*hs_search_open)(void *context, const struct hs_candidate *candidate);

/*
 * Offers the candidates one after another until `open` returns true:
 *
 *  1. The variable hs_api.pin: a file, a prefix or library directory, or, without a slash and not
 * there as a file, a name for the dynamic linker.  If it is set and gives no runtime, the search
 *     ends there: a user who pins a runtime does not want another one.  Empty counts as unset.
 *  2. Runtimes that are loaded in the process.
 *  3. The directory of the library of the API that this one uses (used.h).
 *  4. The prefix given to configure.
 *  5. The API's variables (api.h): prefixes, and prefixes of a Python whose packages may have it.
 *  6. The Python wheels beside a library that is loaded from a directory site-packages or
 *     dist-packages.
 *  7. The dynamic linker, by soname, newest major first.
 *  8. The API's places (api.h), versions in numeric order, newest first.
 *  9. The prefixes in NIX_PROFILES, the last one first, and /run/opengl-driver.
 *
 * In each of them STEM.so.N from the newest known N down, then an N a little newer than known,
 * which is refused later with a clear reason, then the bare STEM.so, the only name in some packages
 * of Python.  The dynamic linker is never asked for the bare name: that would be any installed
 * development package.
 *
 * The environment is ignored in a process that runs with more rights than its user (AT_SECURE).
 * Returns false without memory.
 */
bool hs_search_run(hs_search_open open, void *context);

#endif
