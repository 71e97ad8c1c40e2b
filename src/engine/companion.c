/* SPDX-License-Identifier: MIT */
/* The part of loader.h about hiprtc and symbols. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/once.h"
#include "elf/check.h"
#include "engine/loader.h"
#include "engine/search_log.h"

/* HIP moved hiprtc out of libamdhip64 in two steps; this is the first. */
enum { LAST_MAJOR_WITH_HIPRTC_FIRST = 5 };

struct attempt {
    struct hs_hiprtc hiprtc;
    bool lacked; /* a file could not be opened for want of memory or descriptors */
    char path[PATH_MAX];
    char file[NAME_MAX + 1];
    char reason[HS_SEARCH_LOG_TEXT];      /* the one to report */
    char file_reason[HS_SEARCH_LOG_TEXT]; /* that of the last file */
};

static struct hs_once once; /* of struct attempt */

static bool try_inside(struct attempt *attempt, const struct hs_runtime *runtime)
{
    if (!dlsym(runtime->handle, "hiprtcCreateProgram")) {
        return false;
    }
    attempt->hiprtc.handle = runtime->handle;
    attempt->hiprtc.image = runtime->image;
    snprintf(attempt->path, sizeof attempt->path, "%s", runtime->path);
    return true;
}

/* The handle of the file, or NULL with a reason. */
static void *open_file(const char *path, char *reason, size_t size, bool *absent)
{
    if (!hs_elf_check(path, reason, size, absent)) {
        return NULL;
    }
    /* The runtime's own flags, for the same reasons. */
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) {
        const char *message = dlerror();
        snprintf(reason, size, "%s", message ? message : "dlopen failed without a message");
    } else if (!dlsym(handle, "hiprtcCreateProgram")) {
        snprintf(reason, size, "it does not define hiprtcCreateProgram");
        handle = NULL;
    }
    return handle;
}

static bool try_file(struct attempt *attempt, const char *directory, size_t length,
                     const char *file)
{
    char *path = attempt->path, *reason = attempt->file_reason;
    int written = snprintf(path, sizeof attempt->path, "%.*s/%s", (int)length, directory, file);
    if (written < 0 || (size_t)written >= sizeof attempt->path) {
        return false;
    }
    bool absent;
    void *handle = open_file(path, reason, sizeof attempt->file_reason, &absent);
    attempt->lacked |= !handle && hs_error_is_lack(reason);
    hs_search_log_trace("hiprtc: %s: %s", path, handle ? "used" : reason);
    if (!handle) {
        /* A file that exists and fails explains more than an absent one. */
        if (!attempt->reason[0] || !absent) {
            snprintf(attempt->reason, sizeof attempt->reason, "%.600s: %.300s", path, reason);
        }
        return false;
    }
    attempt->hiprtc.handle = handle;
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map) {
        hs_image_view(&attempt->hiprtc.image, map->l_addr, map->l_ld);
    }
    return true;
}

/* The soname's file, then the name that matches the runtime's own file. */
static bool try_directory(struct attempt *attempt, const struct hs_runtime *runtime,
                          const char *path)
{
    static const char stem[] = "libamdhip64";
    const char *slash = strrchr(path, '/');
    if (!slash) {
        return false;
    }
    char *file = attempt->file;
    snprintf(file, sizeof attempt->file, "libhiprtc.so.%d", runtime->major);
    if (try_file(attempt, path, (size_t)(slash - path), file)) {
        return true;
    }
    if (strncmp(slash + 1, stem, sizeof stem - 1) != 0) {
        return false;
    }
    snprintf(file, sizeof attempt->file, "libhiprtc%s", slash + sizeof stem);
    return try_file(attempt, path, (size_t)(slash - path), file);
}

static bool try_beside(struct attempt *attempt, const struct hs_runtime *runtime)
{
    if (try_directory(attempt, runtime, runtime->path)) {
        return true;
    }
    /* The directory may hold a link to the runtime alone; hiprtc is then beside its target. */
    char *target = realpath(runtime->path, NULL);
    bool found =
        target && strcmp(target, runtime->path) != 0 && try_directory(attempt, runtime, target);
    free(target);
    return found;
}

static bool try_all(struct attempt *attempt, const struct hs_runtime *runtime)
{
    if (runtime->major <= LAST_MAJOR_WITH_HIPRTC_FIRST) {
        return try_inside(attempt, runtime) || try_beside(attempt, runtime);
    }
    return try_beside(attempt, runtime) ||
           (runtime->major <= HS_LAST_MAJOR_WITH_HIPRTC && try_inside(attempt, runtime));
}

static struct attempt *new_attempt(const struct hs_runtime *runtime)
{
    struct attempt *attempt = calloc(1, sizeof *attempt);
    if (!attempt) {
        return NULL;
    }
    if (try_all(attempt, runtime)) {
        attempt->hiprtc.path = attempt->path;
    } else {
        attempt->hiprtc.reason =
            attempt->reason[0] ? attempt->reason : "no libhiprtc beside the runtime";
    }
    return attempt;
}

const struct hs_hiprtc *hs_loader_hiprtc(const struct hs_runtime *runtime)
{
    static const struct hs_hiprtc none = {.reason = "there is no HIP runtime, and so no hiprtc"};
    static const struct hs_hiprtc lacking = {
        .reason = "no memory or no file descriptor to open hiprtc; the next call tries again"};

    if (!runtime->handle) {
        return &none; /* not kept: the runtime may be in the middle of being opened */
    }
    if (!hs_once_result(&once) && hs_once_begin(&once)) {
        struct attempt *mine = new_attempt(runtime);
        if (!mine || (mine->lacked && !mine->hiprtc.handle)) {
            hs_once_abandon(&once);
            free(mine);
            return &lacking;
        }
        if (hs_once_publish(&once, mine) != mine) {
            free(mine);
        }
    }
    const struct attempt *accepted = hs_once_result(&once);
    return &accepted->hiprtc;
}

bool hs_loader_hiprtc_is_settled(const struct hs_runtime *runtime)
{
    return !runtime->handle || hs_once_result(&once) != NULL;
}

void *hs_loader_symbol(const struct hs_runtime *runtime, const char *name, bool is_hiprtc)
{
    const struct hs_hiprtc *hiprtc = is_hiprtc ? hs_loader_hiprtc(runtime) : NULL;
    void *handle = hiprtc ? hiprtc->handle : runtime->handle;
    const struct hs_image *image = hiprtc ? &hiprtc->image : &runtime->image;

    return handle ? hs_image_function(image, name) : NULL;
}
