/* SPDX-License-Identifier: MIT */
#include "engine/loader.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/once.h"
#include "base/variable.h"
#include "elf/check.h"
#include "elf/ld_search.h"
#include "elf/notes.h"
#include "engine/api.h"
#include "engine/candidate.h"
#include "engine/loaded_runtimes.h"
#include "engine/notice.h"
#include "engine/release.h"
#include "engine/search.h"
#include "engine/search_log.h"
#include "engine/tables.h"
#include "engine/version.h"

/*
 * NOW, so that a library that lacks a symbol, or needs a library that does, is rejected here, with
 * a reason and while others can still be tried.  Bound lazily it would end the process in the
 * middle of some later call.  Measured, that costs 0.2 of 12 ms, most of it in libraries that the
 * runtime brings with it.
 * LOCAL, because the API's names must not reach modules that were linked to another runtime.
 * NODELETE, because the runtime's threads and exit handlers outlive every handle.
 */
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

#define HIPSHIM_ITSELF "it is hipshim itself, which needs a %s of its own"

/* A library that was opened but not yet accepted. */
struct opened {
    void *handle;
    const struct link_map *map;
    struct hs_image image;
};

/*
 * One search, from beginning to end.  It holds no lock: dlopen waits for the dynamic linker's own
 * lock, and the holder of that lock may be a constructor that makes a call and would wait for ours.
 */
struct attempt {
    struct hs_runtime runtime;
    struct hs_search_log *log;
    bool met_dropin;      /* the last candidate by name was a drop-in */
    bool lacked;          /* a candidate could not be opened for want of memory or descriptors */
    bool only_opens;      /* the release is asked for later, by another attempt */
    struct opened opened; /* the library that was opened last */
    struct hs_candidate candidate; /* and how it was found */
    char path[PATH_MAX];
    char reason[HS_SEARCH_LOG_TEXT]; /* of the last rejection */
    char match_text[HS_SEARCH_LOG_TEXT];
    char used_as[64];
    char no_runtime_text[3 * HS_SEARCH_LOG_TEXT]; /* hs_error_set marks where it cuts */
};

static struct hs_once once; /* of struct attempt */

/* The attempt that only opened a library. */
static struct hs_once preopen_once;

/* The first attempt without a runtime that lacked something, kept for its reason and its log. */
static struct attempt *_Atomic lacking;

static void reject_itself(struct attempt *attempt, const struct hs_candidate *candidate,
                          const char *path)
{
    snprintf(attempt->reason, sizeof attempt->reason, HIPSHIM_ITSELF, hs_api.noun);
    hs_candidate_reject(candidate, path, attempt->reason);
}

static bool check_file(struct attempt *attempt, const struct hs_candidate *candidate)
{
    bool absent;

    if (!hs_elf_check(candidate->path, attempt->reason, sizeof attempt->reason, &absent)) {
        attempt->lacked |= hs_error_is_lack(attempt->reason);
        hs_candidate_reject(candidate, candidate->path, attempt->reason);
        return false;
    }
    if (hs_dropin_of_file(candidate->path, NULL)) {
        reject_itself(attempt, candidate, candidate->path);
        return false;
    }
    return true;
}

static bool open_library(struct attempt *attempt, const struct hs_candidate *candidate,
                         struct opened *opened)
{
    if (!candidate->by_name && !candidate->is_loaded && !check_file(attempt, candidate)) {
        return false;
    }
    dlerror();
    opened->handle = dlopen(candidate->path, OPEN_FLAGS | (candidate->is_loaded ? RTLD_NOLOAD : 0));
    if (!opened->handle) {
        const char *message = dlerror();
        message = message ? message : "dlopen failed without a message";
        attempt->lacked |= hs_error_is_lack(message);
        hs_candidate_reject_dlopen(candidate, message);
        return false;
    }
    struct link_map *map = NULL;
    if (dlinfo(opened->handle, RTLD_DI_LINKMAP, &map) != 0 || !map ||
        !hs_image_view(&opened->image, map->l_addr, map->l_ld)) {
        hs_candidate_reject(candidate, candidate->path, "the dynamic linker does not describe it");
        return false;
    }
    if (candidate->by_name && hs_dropin_of_file(map->l_name, NULL)) {
        attempt->met_dropin = true;
        reject_itself(attempt, candidate, map->l_name);
        return false;
    }
    opened->map = map;
    return true;
}

static bool is_a_runtime(const struct opened *opened, char *reason, size_t size)
{
    if (hs_image_defines(&opened->image, "hipshim_abi_version")) {
        snprintf(reason, size, HIPSHIM_ITSELF, hs_api.noun);
        return false;
    }
    if (!hs_image_defines(&opened->image, hs_api.libraries[0].probe)) {
        snprintf(reason, size, "it is not a %s, because it does not define %s", hs_api.noun,
                 hs_api.libraries[0].probe);
        return false;
    }
    return true;
}

static void store_path(struct attempt *attempt, const char *path)
{
    /* An absolute path stays as it is, because links carry meaning for people. */
    char *resolved = path[0] == '/' ? NULL : realpath(path, NULL);
    snprintf(attempt->path, sizeof attempt->path, "%s", resolved ? resolved : path);
    free(resolved);
    attempt->runtime.path = attempt->path;
}

static void store_library(struct attempt *attempt, const struct hs_candidate *candidate,
                          const struct opened *opened)
{
    attempt->runtime.handle = opened->handle;
    attempt->runtime.image = opened->image;
    attempt->runtime.found_by = candidate->source;
    attempt->runtime.soname = opened->image.soname;
    store_path(attempt, opened->map->l_name);
}

static void accept_runtime(struct attempt *attempt, const struct hs_candidate *candidate,
                           const struct opened *opened, const struct hs_release_match *match)
{
    const char *origin = candidate->origin;

    store_library(attempt, candidate, opened);
    attempt->runtime.release = match->exact;
    attempt->runtime.nearest = match->nearest;
    attempt->runtime.api_set = hs_releases[match->nearest].api_set;
    attempt->runtime.match = match->kind;
    if (match->exact < 0) {
        const struct hs_release *known = &hs_releases[match->nearest];
        snprintf(attempt->used_as, sizeof attempt->used_as, " (used as %u.%u.%u)", known->major,
                 known->minor, (unsigned)known->patch);
    }
    attempt->runtime.reason = NULL;
    hs_search_log_add(candidate->source, HIPSHIM_OUTCOME_USED, attempt->runtime.path, "%s%s%s%s",
                      attempt->match_text, origin ? " (from " : "", origin ? origin : "",
                      origin ? ")" : "");
}

/* Chooses the release that the library is used as, and describes the choice. */
static struct hs_release_match match_release(struct attempt *attempt, const struct opened *opened)
{
    const struct hs_runtime *runtime = &attempt->runtime;
    const struct hs_release_request request = {
        .major = (unsigned)runtime->major,
        .minor = (unsigned)runtime->minor,
        .patch = runtime->patch,
        /* A value that is neither 0 nor 1 is taken as the careful one. */
        .refuse_unknown = hs_variable_is_on("HIPSHIM_STRICT", false, true),
        .allow_unknown_major = hs_variable_is_on("HIPSHIM_ALLOW_UNKNOWN", false, false),
        .exports = hs_version_exports,
        .library = &opened->image,
    };
    struct hs_release_match match = hs_release_match(&request);
    hs_release_describe(&match, &request, attempt->match_text, sizeof attempt->match_text);
    return match;
}

/*
 * Asks an opened library for its release, which may initialise it, and accepts or rejects it.
 * True if the search is over.
 */
static bool judge(struct attempt *attempt, const struct hs_candidate *candidate,
                  const struct opened *opened)
{
    struct hs_runtime *runtime = &attempt->runtime;
    hipshim_release_t release;
    if (!hs_version_ask(opened->handle, &opened->image, &release, attempt->reason,
                        sizeof attempt->reason)) {
        hs_candidate_reject(candidate, opened->map->l_name, attempt->reason);
        return false;
    }
    runtime->major = (int)release.major;
    runtime->minor = (int)release.minor;
    runtime->patch = release.patch;
    struct hs_release_match match = match_release(attempt, opened);
    if (match.kind == HIPSHIM_MATCH_NONE) {
        hs_candidate_reject(candidate, opened->map->l_name, attempt->match_text);
        /* Another runtime opened beside one that is in use would break both. */
        return candidate->is_loaded;
    }
    accept_runtime(attempt, candidate, opened, &match);
    return true;
}

static bool open_one(struct attempt *attempt, const struct hs_candidate *candidate)
{
    struct opened *opened = &attempt->opened;
    if (!open_library(attempt, candidate, opened)) {
        return false;
    }
    if (!is_a_runtime(opened, attempt->reason, sizeof attempt->reason)) {
        hs_candidate_reject(candidate, opened->map->l_name, attempt->reason);
        return false;
    }
    if (attempt->only_opens) {
        store_library(attempt, candidate, opened);
        attempt->candidate = *candidate;
        attempt->candidate.path = opened->map->l_name;
        return true;
    }
    return judge(attempt, candidate, opened);
}

/* True for the library that hs_loader_preopen opened and judge() has rejected since. */
static bool was_preopened(const struct hs_candidate *candidate)
{
    const struct attempt *early = hs_once_result(&preopen_once);
    return candidate->is_loaded && early && !early->candidate.is_loaded &&
           strcmp(candidate->path, early->candidate.path) == 0;
}

/* Opens the real library of a soname that the dynamic linker answers with a drop-in. */
static bool open_behind_dropin(struct attempt *attempt, const struct hs_candidate *candidate)
{
    char *path = attempt->path; /* free until a runtime is accepted, whose name is elsewhere */
    if (hs_ld_search_find(candidate->path, path, sizeof attempt->path)) {
        struct hs_candidate by_path = *candidate;
        by_path.by_name = false;
        by_path.path = path;
        return open_one(attempt, &by_path);
    }
    if (candidate->source == HIPSHIM_SEARCH_SOURCE_PIN) {
        hs_candidate_reject(candidate, candidate->path,
                            "the dynamic linker finds no such library but hipshim's own");
    } else {
        hs_search_log_add(candidate->source, HIPSHIM_OUTCOME_ABSENT, candidate->path,
                          "the dynamic linker finds only hipshim's own drop-in");
    }
    return false;
}

static bool open_candidate(void *context, const struct hs_candidate *candidate)
{
    struct attempt *attempt = context;

    if (was_preopened(candidate)) {
        return false; /* nothing uses it, so another may be opened beside it */
    }
    /* By its soname a drop-in would be given itself or another drop-in. */
    if (hs_dropin_number >= 0 && candidate->by_name && !strchr(candidate->path, '/')) {
        return open_behind_dropin(attempt, candidate);
    }
    attempt->met_dropin = false;
    bool is_done = open_one(attempt, candidate);
    return attempt->met_dropin ? open_behind_dropin(attempt, candidate) : is_done;
}

static const struct hs_search_step *first_rejected(unsigned *count)
{
    const struct hs_search_step *found = NULL;

    *count = 0;
    for (unsigned i = 0; i < hs_search_log_count(); i++) {
        const struct hs_search_step *step = hs_search_log_get(i);
        if (step->outcome == HIPSHIM_OUTCOME_REJECTED) {
            (*count)++;
            found = found ? found : step;
        }
    }
    return found;
}

static void explain_absence(struct attempt *attempt)
{
    char *text = attempt->no_runtime_text;
    size_t size = sizeof attempt->no_runtime_text;
    unsigned count;
    const struct hs_search_step *step = first_rejected(&count);
    /* A long path must leave room for the reason. */
    const char *cut = step && strlen(step->subject) > 400 ? "..." : "";

    if (!step) {
        snprintf(text, size, "no %s (%s) was found; %s, or set %s to the library or its prefix",
                 hs_api.noun, hs_api.libraries[0].stem, hs_api.install_hint, hs_api.pin);
    } else if (step->source == HIPSHIM_SEARCH_SOURCE_PIN) {
        snprintf(text, size,
                 "%s names no usable %s; correct it, or unset it to search elsewhere: %.400s%s: %s",
                 hs_api.pin, hs_api.noun, step->subject, cut, step->reason);
    } else {
        snprintf(text, size, "no usable %s%s: %.400s%s: %s", hs_api.noun,
                 count > 1 ? " (`hipshim info` lists all that were rejected)" : "", step->subject,
                 cut, step->reason);
    }
    attempt->runtime.reason = text;
    snprintf(attempt->match_text, sizeof attempt->match_text, "there is no runtime to match");
}

static struct attempt *new_attempt(void)
{
    struct attempt *attempt = calloc(1, sizeof *attempt);
    if (attempt && !(attempt->log = hs_search_log_begin())) {
        free(attempt);
        return NULL;
    }
    return attempt;
}

static void search(struct attempt *attempt)
{
    struct hs_runtime *runtime = &attempt->runtime;

    runtime->match_text = attempt->match_text;
    runtime->used_as = attempt->used_as;
    const struct attempt *early = hs_once_result(&preopen_once);
    if (!early || !judge(attempt, &early->candidate, &early->opened)) {
        attempt->lacked |= !hs_search_run(open_candidate, attempt);
    }
    if (!runtime->handle) {
        *runtime = (struct hs_runtime){.release = -1,
                                       .nearest = -1,
                                       .api_set = -1,
                                       .match_text = attempt->match_text,
                                       .used_as = ""};
        explain_absence(attempt);
    }
}

static const struct hs_runtime *keep_lacking(struct attempt *mine)
{
    struct attempt *first = NULL;
    if (atomic_compare_exchange_strong(&lacking, &first, mine)) {
        first = mine;
    } else {
        hs_search_log_drop(mine->log);
        free(mine);
    }
    hs_search_log_publish(first->log);
    return &first->runtime;
}

const struct hs_runtime *hs_loader_preopen(void)
{
    if (!hs_once_result(&preopen_once) && hs_once_begin(&preopen_once)) {
        struct attempt *mine = new_attempt();
        if (mine) {
            mine->only_opens = true;
            hs_search_run(open_candidate, mine);
            hs_search_log_drop(mine->log);
        }
        if (!mine || !mine->runtime.handle) {
            hs_once_abandon(&preopen_once);
            free(mine);
            return NULL;
        }
        hs_once_publish(&preopen_once, mine);
    }
    const struct attempt *early = hs_once_result(&preopen_once);
    return &early->runtime;
}

const struct hs_runtime *hs_loader_preopened(void)
{
    const struct attempt *early = hs_once_result(&preopen_once);
    return early ? &early->runtime : NULL;
}

const struct hs_runtime *hs_loader_open(void)
{
    if (!hs_once_result(&once) && hs_once_begin(&once)) {
        struct attempt *mine = new_attempt();
        if (!mine) {
            hs_once_abandon(&once);
            return &hs_api.no_memory;
        }
        search(mine);
        if (!mine->runtime.handle && mine->lacked) {
            hs_once_abandon(&once);
            return keep_lacking(mine);
        }
        if (hs_once_publish(&once, mine) != mine) {
            /* The library that it opened stays open; the published attempt opened it too. */
            hs_search_log_drop(mine->log);
            free(mine);
        } else if (mine->runtime.handle && mine->runtime.release < 0) {
            hs_notice_unknown_release(mine->path, mine->match_text);
        }
    }
    const struct attempt *accepted = hs_once_result(&once);
    hs_search_log_publish(accepted->log);
    return &accepted->runtime;
}

bool hs_loader_is_settled(void)
{
    return hs_once_result(&once) != NULL;
}

bool hs_loader_finds_loaded_runtime(void)
{
    struct hs_loaded_runtime *list = calloc(HS_LOADED_RUNTIMES_ROOM, sizeof *list);
    bool in_program;
    bool found = list && hs_loaded_runtimes_find(&hs_api.libraries[0], list, &in_program) > 0;
    free(list);
    return found;
}
