/* SPDX-License-Identifier: MIT */
/*
 * Finds and opens the HIP runtime, and asks it which release it is.
 *
 * What is opened stays open until the process ends: streams, threads and exit
 * handlers of the runtime outlive any reference that could be counted here.
 * Nothing here aborts or prints (HIPSHIM_TRACE excepted).
 */
#ifndef HIPSHIM_SRC_LOADER_LOADER_H
#define HIPSHIM_SRC_LOADER_LOADER_H

#include <hipshim/hipshim.h>

#include "elf/image.h"

#include <time.h>

struct hs_runtime {
    void *handle;            /* of dlopen; NULL: there is no runtime */
    struct hs_image object; /* its symbols, where there is a handle */
    int major, minor;        /* what hipRuntimeGetVersion says */
    unsigned patch;
    int release; /* index in hs_releases of just this, or -1 */
    int nearest; /* index of the release it is used as, or -1 */
    int api_set; /* index in hs_api_sets to use, or -1 */
    hipshim_match_t match;
    hipshim_search_source_t found_by;
    const char *match_text; /* the choice of API set in words; never NULL */
    const char *path;       /* absolute path, or NULL */
    const char *soname;     /* NULL if the library has none */
    const char *reason;     /* why there is no runtime; NULL if there is */

    /*
     * The lines (search.h) of what the search was offered, this runtime last, as
     * it was before it was opened; NULL if more than that decided, so that the
     * same lines may lead elsewhere another time.
     */
    const char *trail;
    struct timespec begun; /* the kernel's clock before the search */
};

/* The library that serves hiprtc for a runtime. */
struct hs_hiprtc {
    void *handle; /* NULL: none */
    struct hs_image object;
    const char *path;   /* absolute path, or NULL */
    const char *reason; /* why there is none; NULL if there is */
};

/*
 * Searches (search.h) and opens, on its first call; gives that answer from then
 * on.  Any thread, several at once, and within a constructor; the caller must
 * hold no lock.  Never NULL, valid for ever, and not written to again.
 */
const struct hs_runtime *hs_loader_open(void);

/* Whether no runtime was looked for so far, and this thread is not about to. */
int hs_loader_is_untouched(void);

/*
 * Opens the hiprtc that belongs to the runtime: up to major 5 libamdhip64
 * itself, in 6 the libhiprtc.so.6 in its directory or else libamdhip64, from 7
 * on the libhiprtc.so.N in its directory and nothing else.  A libhiprtc from
 * elsewhere may be of another release, whose code objects the runtime cannot
 * be trusted to load.
 *
 * Works on its first call with a runtime, from whichever thread, and gives that
 * answer from then on.  Not done by hs_loader_open, because most programs compile nothing
 * at run time.
 */
const struct hs_hiprtc *hs_loader_hiprtc(const struct hs_runtime *runtime);

/* The same as a status: 0, or -1 if there is no hiprtc. */
int hs_loader_open_hiprtc(const struct hs_runtime *runtime);

/*
 * The address of a symbol of the runtime, or of its hiprtc (which this opens
 * if need be); NULL if there is none.  Any thread.
 */
void *hs_loader_symbol(const struct hs_runtime *runtime, const char *name, int is_hiprtc);

#endif
