/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include "error.h"
#include "mapped.h"
#include "object.h"
#include "release.h"
#include "search.h"
#include "steps.h"
#include "tables.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * NOW: a library that lacks a symbol, or one of those it needs, is turned down
 * here, with a reason and while others can still be tried; bound lazily it
 * would end the process in the middle of some later call.  Measured, that is
 * 0.2 of 12 ms, most of it in libraries the runtime brings with it.  LOCAL:
 * HIP's names must not reach modules that were linked to another runtime.
 * NODELETE: see loader.h.
 */
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

/* A runtime that was opened but not yet accepted. */
struct opened {
    void *handle;
    const struct link_map *map;
    struct hs_object object;
};

static struct hs_runtime runtime;
static char runtime_path[PATH_MAX];
static char match_text[HS_STEPS_TEXT];
static char no_runtime_text[HS_ERROR_SIZE];

static int allow_unknown(void)
{
    const char *value = secure_getenv("HIPSHIM_ALLOW_UNKNOWN");

    return value && strcmp(value, "1") == 0;
}

static void reject(const struct hs_candidate *candidate, const char *path, const char *reason)
{
    if (candidate->origin) {
        hs_steps_add(candidate->part, HIPSHIM_OUTCOME_REJECTED, path, "%s (from %s)", reason,
                     candidate->origin);
    } else {
        hs_steps_add(candidate->part, HIPSHIM_OUTCOME_REJECTED, path, "%s", reason);
    }
}

/*
 * dlerror begins with the file that could not be opened.  If that is the name
 * we asked for, it is nowhere; if it is another, a dependency is missing.
 */
static void reject_dlopen(const struct hs_candidate *candidate, const char *message)
{
    size_t length = strlen(candidate->path);

    if (candidate->by_name && message && strncmp(message, candidate->path, length) == 0 &&
        message[length] == ':' && !candidate->origin) {
        hs_steps_add(candidate->part, HIPSHIM_OUTCOME_ABSENT, candidate->path,
                     "not known to the dynamic linker");
    } else {
        reject(candidate, candidate->path,
               message ? message : "dlopen failed and does not say why");
    }
}

static int open_library(const struct hs_candidate *candidate, struct opened *opened)
{
    char reason[HS_STEPS_TEXT];
    struct link_map *map = NULL;
    int absent;

    if (!candidate->by_name && !candidate->mapped &&
        hs_object_check(candidate->path, reason, sizeof reason, &absent) != 0) {
        reject(candidate, candidate->path, reason);
        return -1;
    }
    dlerror();
    opened->handle = dlopen(candidate->path, OPEN_FLAGS | (candidate->mapped ? RTLD_NOLOAD : 0));
    if (!opened->handle) {
        reject_dlopen(candidate, dlerror());
        return -1;
    }
    if (dlinfo(opened->handle, RTLD_DI_LINKMAP, &map) != 0 || !map ||
        hs_object_view(&opened->object, map->l_addr, map->l_ld) != 0) {
        reject(candidate, candidate->path, "the dynamic linker does not describe it");
        return -1;
    }
    opened->map = map;
    return 0;
}

/* Returns the version number, or -1 with a reason. */
static int ask_version(const struct opened *opened, char *reason, size_t size)
{
    int (*get_version)(int *);
    void *symbol;
    int status, version = -1;

    if (hs_object_defines(&opened->object, "hipshim_abi_version") ||
        hs_object_defines(&opened->object, HS_MAPPED_DROP_IN)) {
        snprintf(reason, size, "it is hipshim itself, which needs a HIP runtime of its own");
        return -1;
    }
    symbol = hs_object_defines(&opened->object, "hipRuntimeGetVersion")
                 ? dlsym(opened->handle, "hipRuntimeGetVersion")
                 : NULL;
    if (!symbol) {
        snprintf(reason, size, "it is no HIP runtime: it does not define hipRuntimeGetVersion");
        return -1;
    }
    memcpy(&get_version, &symbol, sizeof symbol);
    status = get_version(&version);
    if (status != 0) {
        snprintf(reason, size, "its hipRuntimeGetVersion fails with HIP error %d", status);
        return -1;
    }
    /* HIP: major * 10000000 + minor * 100000 + patch; HIP before 4 had less. */
    if (version < 10000000) {
        snprintf(reason, size, "its hipRuntimeGetVersion answers %d, which is no release", version);
        return -1;
    }
    return version;
}

static void keep_path(const char *path)
{
    char *resolved = path[0] == '/' ? NULL : realpath(path, NULL);

    /* An absolute path stays as it is: links carry meaning to people. */
    snprintf(runtime_path, sizeof runtime_path, "%s", resolved ? resolved : path);
    free(resolved);
    runtime.path = runtime_path;
}

static void accept_runtime(const struct hs_candidate *candidate, const struct opened *opened,
                           const struct hs_release_match *match)
{
    const char *origin = candidate->origin;

    runtime.handle = opened->handle;
    runtime.object = opened->object;
    runtime.release = match->exact;
    runtime.nearest = match->nearest;
    runtime.surface = hs_releases[match->nearest].surface;
    runtime.match = match->kind;
    runtime.found_by = candidate->part;
    runtime.soname = opened->object.soname;
    runtime.reason = NULL;
    keep_path(opened->map->l_name);
    hs_steps_add(candidate->part, HIPSHIM_OUTCOME_USED, runtime.path, "%s%s%s%s", match_text,
                 origin ? " (from " : "", origin ? origin : "", origin ? ")" : "");
}

static enum hs_search_answer open_candidate(void *context, const struct hs_candidate *candidate)
{
    char reason[HS_STEPS_TEXT];
    struct hs_release_match match;
    struct opened opened;
    int version;

    (void)context;
    if (open_library(candidate, &opened) != 0) {
        return HS_SEARCH_NEXT;
    }
    version = ask_version(&opened, reason, sizeof reason);
    if (version < 0) {
        reject(candidate, opened.map->l_name, reason);
        return HS_SEARCH_NEXT;
    }
    runtime.major = version / 10000000;
    runtime.minor = version / 100000 % 100;
    runtime.patch = (unsigned)(version % 100000);
    hs_release_match(&match, (unsigned)runtime.major, (unsigned)runtime.minor, runtime.patch,
                     allow_unknown());
    hs_release_describe(&match, (unsigned)runtime.major, (unsigned)runtime.minor, runtime.patch,
                        match_text, sizeof match_text);
    if (match.kind == HIPSHIM_MATCH_NONE) {
        reject(candidate, opened.map->l_name, match_text);
        /* Opening another runtime beside one in use would break both. */
        return candidate->mapped ? HS_SEARCH_STOP : HS_SEARCH_NEXT;
    }
    accept_runtime(candidate, &opened, &match);
    return HS_SEARCH_STOP;
}

static const struct hs_step *first_rejected(unsigned *count)
{
    const struct hs_step *found = NULL;
    unsigned i;

    *count = 0;
    for (i = 0; i < hs_steps_count(); i++) {
        const struct hs_step *step = hs_steps_get(i);

        if (step->outcome == HIPSHIM_OUTCOME_REJECTED) {
            (*count)++;
            found = found ? found : step;
        }
    }
    return found;
}

static void explain_absence(void)
{
    unsigned count;
    const struct hs_step *step = first_rejected(&count);

    if (!step) {
        snprintf(no_runtime_text, sizeof no_runtime_text,
                 "no HIP runtime (libamdhip64) was found; install the HIP runtime of ROCm, or "
                 "set HIPSHIM_LIBRARY to the library or its prefix");
    } else if (step->part == HIPSHIM_FOUND_ENVIRONMENT_PIN) {
        snprintf(
            no_runtime_text, sizeof no_runtime_text,
            "HIPSHIM_LIBRARY names no usable HIP runtime: %.160s: %.200s; correct it, or unset "
            "it to search elsewhere",
            step->subject, step->reason);
    } else {
        snprintf(no_runtime_text, sizeof no_runtime_text, "no usable HIP runtime: %.160s: %.240s%s",
                 step->subject, step->reason,
                 count > 1 ? "; others were turned down too, see hipshim info" : "");
    }
    runtime.reason = no_runtime_text;
}

const struct hs_runtime *hs_loader_open(void)
{
    memset(&runtime, 0, sizeof runtime);
    runtime.release = runtime.nearest = runtime.surface = -1;
    runtime.match_text = match_text;
    hs_search_run(open_candidate, NULL);
    if (!runtime.handle) {
        runtime.major = runtime.minor = 0;
        runtime.patch = 0;
        explain_absence();
        snprintf(match_text, sizeof match_text, "there is no runtime to match");
    }
    return &runtime;
}
