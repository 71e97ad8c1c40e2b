/* SPDX-License-Identifier: MIT */
/*
 * Where a HIP runtime may be, in order of preference.
 *
 * The search knows places, not libraries: each candidate that exists goes to
 * the caller, who says whether to go on.  Places that hold nothing, and
 * variables that are not set, are recorded here (steps.h).
 */
#ifndef HIPSHIM_SRC_LOADER_SEARCH_H
#define HIPSHIM_SRC_LOADER_SEARCH_H

#include <hipshim/hipshim.h>

#include <stddef.h>
#include <time.h>

struct hs_candidate {
    hipshim_search_source_t part;
    const char *path;   /* a file; for HIPSHIM_SEARCH_SOURCE_LINKER a bare soname */
    const char *origin; /* the environment variable it comes from, or NULL */
    int by_name;        /* let the dynamic linker search for path */
    int mapped;         /* it is in the process already */
};

enum hs_search_answer {
    HS_SEARCH_NEXT, /* not this one */
    HS_SEARCH_STOP  /* found, or nothing further may be tried */
};

/* Records the step for the candidate; `candidate` is only lent. */
typedef enum hs_search_answer (*hs_search_open)(void *context,
                                                const struct hs_candidate *candidate);

/*
 * Offers the candidates one after another until `open` says stop:
 *
 *  1. HIPSHIM_LIBRARY: a file, a prefix or library directory, or, without a
 *     slash and not there as a file, a name for the dynamic linker.  If it is
 *     set and nothing comes of it, the search ends there: who pins a runtime
 *     does not want another one.  Empty counts as unset.
 *  2. Runtimes mapped in the process.
 *  3. The prefix given to configure.
 *  4. The prefixes HIP_PATH, ROCM_PATH, ROCM_HOME and CONDA_PREFIX.
 *  5. The dynamic linker, by soname, newest major first.
 *  6. /opt/rocm/core, /opt/rocm/core-*, /opt/rocm, /opt/rocm-* and
 *     /usr/lib64/rocm/rocm-*, versions in numeric order, newest first.
 *
 * In a prefix: lib, lib64, lib/<multiarch triple> and hip/lib; in each,
 * libamdhip64.so.N from the newest known N down, then N a little newer than
 * known (refused later, but with a clear reason), then a bare libamdhip64.so,
 * the only name in PyTorch's wheels.  The dynamic linker is never asked for
 * the bare name: that would be whatever development package is installed.
 *
 * The environment is ignored in a process that runs with more rights than its
 * user (AT_SECURE).
 */
void hs_search_run(hs_search_open open, void *context);

/*
 * The candidate in one line, with its file as it is now: as long as a search
 * gives the same lines, it comes to the same end.  `changed` is as in describe.h.
 * Returns the length, or -1 of one whose line would not say all: it is mapped,
 * or its path is relative.
 */
int hs_search_line(const struct hs_candidate *candidate, struct timespec *changed, char *line,
                   size_t room);

#endif
