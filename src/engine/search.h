/* SPDX-License-Identifier: MIT */
/*
 * The places where a HIP runtime may be, in order of preference.
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

enum hs_search_answer {
    HS_SEARCH_NEXT, /* try the next candidate */
    HS_SEARCH_STOP  /* found, or nothing further may be tried */
};

/* Tries a candidate, which is only lent, and records the step. */
typedef enum hs_search_answer (*hs_search_open)(void *context,
                                                const struct hs_candidate *candidate);

/*
 * Offers the candidates one after another until `open` answers HS_SEARCH_STOP:
 *
 *  1. HIPSHIM_LIBRARY: a file, a prefix or library directory, or, without a slash and not there
 *     as a file, a name for the dynamic linker.  If it is set and gives no runtime, the search
 *     ends there: a user who pins a runtime does not want another one.  Empty counts as unset.
 *  2. Runtimes that are loaded in the process.
 *  3. The prefix given to configure.
 *  4. The prefixes HIP_PATH, ROCM_PATH and ROCM_HOME, the Python wheels in VIRTUAL_ENV, the prefix
 *     CONDA_PREFIX and the wheels in it, and the prefixes GUIX_ENVIRONMENT and SNAP.
 *  5. The Python wheels beside a library that is loaded from a directory site-packages or
 *     dist-packages.
 *  6. The dynamic linker, by soname, newest major first.
 *  7. /opt/rocm/core, /opt/rocm/core-*, /opt/rocm, /opt/rocm-* and /usr/lib64/rocm/rocm-*,
 *     versions in numeric order, newest first; then /usr/lib/wsl/lib.
 *  8. The prefixes in NIX_PROFILES, the last one first, and /run/opengl-driver.
 *
 * The wheels of ROCm have the library in _rocm_sdk_core/lib, those of PyTorch in torch/lib and
 * those of Triton in triton/backends/amd/lib.  In a prefix: lib, lib64, lib/<multiarch triple> and
 * hip/lib.  In each of them libamdhip64.so.N from the newest known N down, then an N a little newer
 * than known, which is refused later with a clear reason, then the bare libamdhip64.so, the only
 * name in PyTorch's wheels.  The dynamic linker is never asked for the bare name: that would be any
 * installed development package.
 *
 * The environment is ignored in a process that runs with more rights than its user (AT_SECURE).
 * Returns false without memory.
 */
bool hs_search_run(hs_search_open open, void *context);

#endif
