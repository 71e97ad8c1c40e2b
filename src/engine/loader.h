/* SPDX-License-Identifier: MIT */
/*
 * Finds and opens the runtime of the API and asks it for its release.
 *
 * The runtime stays open until the process ends: its streams, threads and exit handlers outlive
 * every reference that could be counted here.  Nothing here aborts or prints, except one line about
 * a release that is not known (notice.h), and the search log if HIPSHIM_TRACE asks for it.
 */
#ifndef HIPSHIM_SRC_ENGINE_LOADER_H
#define HIPSHIM_SRC_ENGINE_LOADER_H

#include <hipshim/hipshim.h>

#include <stdbool.h>

#include "elf/image.h"

struct hs_runtime {
    void *handle;          /* of dlopen; NULL if there is no runtime */
    struct hs_image image; /* its symbols, if there is a handle */
    int major, minor;      /* of the release that it reports */
    unsigned patch;
    int release; /* index in hs_releases of exactly this release, or -1 */
    int nearest; /* index of the release it is used as, or -1 */
    int api_set; /* index in hs_api_sets to use, or -1 */
    hipshim_match_t match;
    hipshim_search_source_t found_by;
    const char *match_text; /* the choice of the API set in words; never NULL */
    const char *used_as;    /* " (used as 6.4.43484)" behind the release, "" if it is known */
    const char *path;       /* absolute path, or NULL */
    const char *soname;     /* NULL if the library has none */
    const char *reason;     /* why there is no runtime; NULL if there is one */
};

/* The library that serves the functions of a companion for a runtime. */
struct hs_companion {
    void *handle; /* NULL if there is none */
    struct hs_image image;
    const char *path;   /* absolute path, or NULL */
    const char *reason; /* why there is none; NULL if there is one */
};

/*
 * Searches (search.h) and opens the runtime on its first call; returns that answer from then on.
 * Any thread, several at once, and within a constructor; the caller must hold no lock.  Never
 * NULL, valid for ever, and constant.  If there is no runtime and the search lacked memory or file
 * descriptors, the next call searches again; `hs_loader_is_settled` tells the two apart.
 */
const struct hs_runtime *hs_loader_open(void);

/*
 * Searches for the runtime's library and opens it, but calls none of its functions, because the
 * first call may initialise the runtime: that reads the environment and opens the devices.  Returns
 * its handle, image, source, soname and path, or NULL if no library could be opened. hs_loader_open
 * asks the library for its release, and searches further if it cannot be used.  Call it on one
 * thread, before hs_loader_open, with no lock held.
 */
const struct hs_runtime *hs_loader_preopen(void);

/* The answer of hs_loader_preopen, or NULL; any thread. */
const struct hs_runtime *hs_loader_preopened(void);

/* True if hs_loader_open gives its present answer for ever. */
bool hs_loader_is_settled(void);

/*
 * Opens a companion of the runtime: the file STEM.so.N in the runtime's directory, or the runtime
 * itself for the majors of api.h.  A file from elsewhere may be of another release, whose results
 * the runtime may not read.  `library` is an index in the API's libraries, from 1 on.
 *
 * Works on the first call with a runtime, from any thread, and returns that answer from then on.
 * hs_loader_open does not do it, because most programs need no companion.
 */
const struct hs_companion *hs_loader_companion(const struct hs_runtime *runtime, unsigned library);

/* True if hs_loader_companion gives its present answer for ever; false if it lacked memory or file
 * descriptors. */
bool hs_loader_companion_is_settled(const struct hs_runtime *runtime, unsigned library);

/*
 * The address of a symbol of a library, which this opens if need be; NULL if there is none.  Any
 * thread.
 */
void *hs_loader_symbol(const struct hs_runtime *runtime, const char *name, unsigned library);

/* True if another module brought a runtime into this process. */
bool hs_loader_finds_loaded_runtime(void);

/* One place that the search looked at. */
struct hs_search_step {
    hipshim_search_source_t source;
    hipshim_outcome_t outcome;
    const char *subject;
    const char *reason;
};

#endif
