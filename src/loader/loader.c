/* SPDX-License-Identifier: MIT */
#include "loader/loader.h"

#include "base/file_stamp.h"
#include "base/error.h"
#include "loader/ld_search.h"
#include "loader/loaded_runtimes.h"
#include "elf/dropin_note.h"
#include "elf/image.h"
#include "loader/release.h"
#include "loader/search.h"
#include "loader/search_log.h"
#include "tables/tables.h"
#include "base/once.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * NOW: a library that lacks a symbol, or one of those it needs, is turned down
 * here, with a reason and while others can still be tried; bound lazily it
 * would end the process in the middle of some later call.  Measured, that is
 * 0.2 of 12 ms, most of it in libraries the runtime brings with it.  LOCAL:
 * HIP's names must not reach modules that were linked to another runtime.
 * NODELETE: see loader.h.
 */
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

#define HIPSHIM_ITSELF "it is hipshim itself, which needs a HIP runtime of its own"

/* A runtime that was opened but not yet accepted. */
struct opened {
    void *handle;
    const struct link_map *map;
    struct hs_image object;
};

/*
 * One search, from beginning to end.  No lock is held meanwhile: dlopen waits
 * for the dynamic linker's own lock, whose holder may be a constructor that
 * calls HIP and would wait for ours.  See turn.h.
 */
struct attempt {
    struct hs_runtime runtime;
    struct hs_search_log *steps;
    int met_drop_in; /* by the last candidate */
    int unsure;      /* the trail does not say all */
    size_t trail_length;
    char trail[HS_FILE_STAMP_ROOM];
    char path[PATH_MAX];
    char match_text[HS_SEARCH_LOG_TEXT];
    char no_runtime_text[HS_ERROR_SIZE];
};

static _Thread_local struct attempt *attempt; /* this thread's, while it searches */
static struct attempt *_Atomic accepted;
static struct hs_once turn;

static int allow_unknown(void)
{
    const char *value = secure_getenv("HIPSHIM_ALLOW_UNKNOWN");

    return value && strcmp(value, "1") == 0;
}

static void reject(const struct hs_candidate *candidate, const char *path, const char *reason)
{
    if (candidate->origin) {
        hs_search_log_add(candidate->part, HIPSHIM_OUTCOME_REJECTED, path, "%s (from %s)", reason,
                     candidate->origin);
    } else {
        hs_search_log_add(candidate->part, HIPSHIM_OUTCOME_REJECTED, path, "%s", reason);
    }
}

/*
 * dlerror begins with the file that could not be opened: if that is not the one
 * we asked for, it is a library which that one needs.  A library in a prefix of
 * its own often has those beside it, where the dynamic linker does not look.
 */
static void add_hint(const struct hs_candidate *candidate, const char *message, char *text,
                     size_t size)
{
    const char *slash = strrchr(candidate->path, '/');
    size_t name = strcspn(message, ":");
    char beside[PATH_MAX];

    snprintf(text, size, "%s", message);
    if (slash && name < NAME_MAX && !memchr(message, '/', name)) {
        int directory = (int)(slash - candidate->path);

        snprintf(beside, sizeof beside, "%.*s/%.*s", directory, candidate->path, (int)name,
                 message);
        if (access(beside, R_OK) == 0) {
            snprintf(text, size, "%.700s; it lies beside it: add %.*s to LD_LIBRARY_PATH", message,
                     directory, candidate->path);
        }
    }
}

static void reject_dlopen(const struct hs_candidate *candidate, const char *message)
{
    size_t length = strlen(candidate->path);
    char text[HS_SEARCH_LOG_TEXT];

    if (candidate->by_name && message && strncmp(message, candidate->path, length) == 0 &&
        message[length] == ':' && !candidate->origin) {
        hs_search_log_add(candidate->part, HIPSHIM_OUTCOME_ABSENT, candidate->path,
                     "not known to the dynamic linker");
        return;
    }
    attempt->unsure = 1; /* it may work once a library that it needs is there */
    add_hint(candidate, message ? message : "dlopen failed and does not say why", text,
             sizeof text);
    reject(candidate, candidate->path, text);
}

static int open_library(const struct hs_candidate *candidate, struct opened *opened)
{
    char reason[HS_SEARCH_LOG_TEXT];
    struct link_map *map = NULL;
    int absent;

    if (!candidate->by_name && !candidate->mapped) {
        if (hs_elf_file_check(candidate->path, reason, sizeof reason, &absent) != 0) {
            reject(candidate, candidate->path, reason);
            return -1;
        }
        if (hs_dropin_note_of_file(candidate->path) != 0) {
            reject(candidate, candidate->path, HIPSHIM_ITSELF);
            return -1;
        }
    }
    dlerror();
    opened->handle = dlopen(candidate->path, OPEN_FLAGS | (candidate->mapped ? RTLD_NOLOAD : 0));
    if (!opened->handle) {
        reject_dlopen(candidate, dlerror());
        return -1;
    }
    if (dlinfo(opened->handle, RTLD_DI_LINKMAP, &map) != 0 || !map ||
        hs_image_view(&opened->object, map->l_addr, map->l_ld) != 0) {
        attempt->unsure = 1;
        reject(candidate, candidate->path, "the dynamic linker does not describe it");
        return -1;
    }
    if (candidate->by_name && hs_dropin_note_of_file(map->l_name) != 0) {
        attempt->met_drop_in = 1;
        reject(candidate, map->l_name, HIPSHIM_ITSELF);
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

    if (hs_image_defines(&opened->object, "hipshim_abi_version")) {
        snprintf(reason, size, HIPSHIM_ITSELF);
        return -1;
    }
    symbol = hs_image_defines(&opened->object, "hipRuntimeGetVersion")
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
    snprintf(attempt->path, sizeof attempt->path, "%s", resolved ? resolved : path);
    free(resolved);
    attempt->runtime.path = attempt->path;
}

static void accept_runtime(const struct hs_candidate *candidate, const struct opened *opened,
                           const struct hs_release_match *match)
{
    const char *origin = candidate->origin;

    attempt->runtime.handle = opened->handle;
    attempt->runtime.object = opened->object;
    attempt->runtime.release = match->exact;
    attempt->runtime.nearest = match->nearest;
    attempt->runtime.api_set = hs_releases[match->nearest].api_set;
    attempt->runtime.match = match->kind;
    attempt->runtime.found_by = candidate->part;
    attempt->runtime.soname = opened->object.soname;
    attempt->runtime.reason = NULL;
    keep_path(opened->map->l_name);
    hs_search_log_add(candidate->part, HIPSHIM_OUTCOME_USED, attempt->runtime.path, "%s%s%s%s",
                 attempt->match_text, origin ? " (from " : "", origin ? origin : "",
                 origin ? ")" : "");
}

static enum hs_search_answer open_one(const struct hs_candidate *candidate)
{
    char reason[HS_SEARCH_LOG_TEXT];
    struct hs_release_match match;
    struct opened opened;
    int version;

    if (open_library(candidate, &opened) != 0) {
        return HS_SEARCH_NEXT;
    }
    version = ask_version(&opened, reason, sizeof reason);
    if (version < 0) {
        attempt->unsure = 1;
        reject(candidate, opened.map->l_name, reason);
        return HS_SEARCH_NEXT;
    }
    attempt->runtime.major = version / 10000000;
    attempt->runtime.minor = version / 100000 % 100;
    attempt->runtime.patch = (unsigned)(version % 100000);
    hs_release_match(&match, (unsigned)attempt->runtime.major, (unsigned)attempt->runtime.minor,
                     attempt->runtime.patch, allow_unknown());
    hs_release_describe(&match, (unsigned)attempt->runtime.major, (unsigned)attempt->runtime.minor,
                        attempt->runtime.patch, attempt->match_text, sizeof attempt->match_text);
    if (match.kind == HIPSHIM_MATCH_NONE) {
        reject(candidate, opened.map->l_name, attempt->match_text);
        /* Opening another runtime beside one in use would break both. */
        return candidate->mapped ? HS_SEARCH_STOP : HS_SEARCH_NEXT;
    }
    accept_runtime(candidate, &opened, &match);
    return HS_SEARCH_STOP;
}

/* The real library of a soname that the dynamic linker answers with a drop-in. */
static enum hs_search_answer open_behind_drop_in(const struct hs_candidate *candidate)
{
    struct hs_candidate by_path = *candidate;
    char path[PATH_MAX];

    attempt->unsure = 1;
    by_path.by_name = 0;
    by_path.path = path;
    if (hs_ld_search_find(candidate->path, path, sizeof path) == 0) {
        return open_one(&by_path);
    }
    hs_search_log_add(candidate->part, HIPSHIM_OUTCOME_ABSENT, candidate->path,
                 "not known to the dynamic linker, hipshim's own drop-in left out");
    return HS_SEARCH_NEXT;
}

static void add_to_trail(const struct hs_candidate *candidate)
{
    struct timespec changed;
    char *line = attempt->trail + attempt->trail_length;
    int length =
        hs_search_line(candidate, &changed, line, sizeof attempt->trail - attempt->trail_length);

    if (length < 0 || !hs_file_stamp_is_before(&changed, &attempt->runtime.begun)) {
        attempt->unsure = 1;
    } else {
        attempt->trail_length += (size_t)length;
    }
}

static enum hs_search_answer open_candidate(void *context, const struct hs_candidate *candidate)
{
    enum hs_search_answer answer;

    (void)context;
    add_to_trail(candidate);
#ifdef HS_DROP_IN
    /* By its soname, it would be given itself or another drop-in. */
    if (candidate->by_name && !strchr(candidate->path, '/')) {
        return open_behind_drop_in(candidate);
    }
#endif
    attempt->met_drop_in = 0;
    answer = open_one(candidate);
    return attempt->met_drop_in ? open_behind_drop_in(candidate) : answer;
}

static const struct hs_search_step *first_rejected(unsigned *count)
{
    const struct hs_search_step *found = NULL;
    unsigned i;

    *count = 0;
    for (i = 0; i < hs_search_log_count(); i++) {
        const struct hs_search_step *step = hs_search_log_get(i);

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
    const struct hs_search_step *step = first_rejected(&count);

    if (!step) {
        snprintf(attempt->no_runtime_text, sizeof attempt->no_runtime_text,
                 "no HIP runtime (libamdhip64) was found; install the HIP runtime of ROCm, or "
                 "set HIPSHIM_LIBRARY to the library or its prefix");
    } else if (step->part == HIPSHIM_SEARCH_SOURCE_PIN) {
        snprintf(
            attempt->no_runtime_text, sizeof attempt->no_runtime_text,
            "HIPSHIM_LIBRARY names no usable HIP runtime: %.160s: %.200s; correct it, or unset "
            "it to search elsewhere",
            step->subject, step->reason);
    } else {
        snprintf(attempt->no_runtime_text, sizeof attempt->no_runtime_text,
                 "no usable HIP runtime: %.160s: %.240s%s", step->subject, step->reason,
                 count > 1 ? "; others were turned down too, see hipshim info" : "");
    }
    attempt->runtime.reason = attempt->no_runtime_text;
}

static struct attempt *new_attempt(void)
{
    struct attempt *made = calloc(1, sizeof *made);

    if (made && (made->steps = hs_search_log_begin()) == NULL) {
        free(made);
        made = NULL;
    }
    return made;
}

static void search(void)
{
    attempt->runtime.release = attempt->runtime.nearest = attempt->runtime.api_set = -1;
    attempt->runtime.match_text = attempt->match_text;
    clock_gettime(CLOCK_REALTIME_COARSE, &attempt->runtime.begun); /* files get their times by it */
    hs_search_run(open_candidate, NULL);
    attempt->runtime.trail = attempt->unsure ? NULL : attempt->trail;
    if (!attempt->runtime.handle) {
        attempt->runtime.major = attempt->runtime.minor = 0;
        attempt->runtime.patch = 0;
        explain_absence();
        snprintf(attempt->match_text, sizeof attempt->match_text, "there is no runtime to match");
    }
}

int hs_loader_is_untouched(void)
{
    return !accepted && !attempt;
}

const struct hs_runtime *hs_loader_open(void)
{
    static const struct hs_runtime no_memory = {.release = -1,
                                                .nearest = -1,
                                                .api_set = -1,
                                                .match_text = "",
                                                .reason = "no memory to look for a HIP runtime"};
    struct attempt *mine, *nobody = NULL;

    if (!accepted && hs_once_begin(&turn, (void *_Atomic *)&accepted)) {
        mine = attempt = new_attempt();
        if (!mine) {
            hs_once_end(&turn);
            return &no_memory;
        }
        search();
        attempt = NULL;
        /* One step, so that a child forked by another thread never finds half of it. */
        if (!atomic_compare_exchange_strong(&accepted, &nobody, mine)) {
            /* What it opened stays open; it is what the other opened, too. */
            hs_search_log_drop(mine->steps);
            free(mine);
        }
        hs_once_end(&turn);
    }
    hs_search_log_publish(accepted->steps);
    return &accepted->runtime;
}
