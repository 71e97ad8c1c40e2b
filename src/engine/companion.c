/* SPDX-License-Identifier: MIT */
/* The part of loader.h about companions and symbols. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/once.h"
#include "elf/check.h"
#include "engine/api.h"
#include "engine/loader.h"
#include "engine/search_log.h"

struct attempt {
    const struct hs_library *library;
    struct hs_companion found;
    bool lacked; /* a file could not be opened for want of memory or descriptors */
    char path[PATH_MAX];
    char file[NAME_MAX + 1];
    char reason[HS_SEARCH_LOG_TEXT];      /* the one to report */
    char file_reason[HS_SEARCH_LOG_TEXT]; /* that of the last file */
};

static struct hs_once attempts[HS_LIBRARY_ROOM]; /* of struct attempt */

static bool try_inside(struct attempt *attempt, const struct hs_runtime *runtime)
{
    if (!dlsym(runtime->handle, attempt->library->probe)) {
        return false;
    }
    attempt->found.handle = runtime->handle;
    attempt->found.image = runtime->image;
    snprintf(attempt->path, sizeof attempt->path, "%s", runtime->path);
    return true;
}

/* The handle of the file, or NULL with a reason. */
static void *open_file(const char *path, const char *probe, char *reason, size_t size, bool *absent)
{
    if (!hs_elf_check(path, reason, size, absent)) {
        return NULL;
    }
    /* The runtime's own flags, for the same reasons. */
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) {
        const char *message = dlerror();
        snprintf(reason, size, "%s", message ? message : "dlopen failed without a message");
    } else if (!dlsym(handle, probe)) {
        snprintf(reason, size, "it does not define %s", probe);
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
    void *handle =
        open_file(path, attempt->library->probe, reason, sizeof attempt->file_reason, &absent);
    attempt->lacked |= !handle && hs_error_is_lack(reason);
    hs_search_log_trace("%s: %s: %s", attempt->library->name, path, handle ? "used" : reason);
    if (!handle) {
        /* A file that exists and fails explains more than an absent one. */
        if (!attempt->reason[0] || !absent) {
            snprintf(attempt->reason, sizeof attempt->reason, "%.600s: %.300s", path, reason);
        }
        return false;
    }
    attempt->found.handle = handle;
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map) {
        hs_image_view(&attempt->found.image, map->l_addr, map->l_ld);
    }
    return true;
}

/* The soname's file, then the name that matches the runtime's own file. */
static bool try_directory(struct attempt *attempt, const struct hs_runtime *runtime,
                          const char *path)
{
    const char *stem = attempt->library->stem, *own = hs_api.libraries[0].stem;
    const char *slash = strrchr(path, '/');
    if (!slash) {
        return false;
    }
    char *file = attempt->file;
    snprintf(file, sizeof attempt->file, "%s.so.%d", stem, runtime->major);
    if (try_file(attempt, path, (size_t)(slash - path), file)) {
        return true;
    }
    if (strncmp(slash + 1, own, strlen(own)) != 0) {
        return false;
    }
    snprintf(file, sizeof attempt->file, "%s%s", stem, slash + 1 + strlen(own));
    return try_file(attempt, path, (size_t)(slash - path), file);
}

static bool try_beside(struct attempt *attempt, const struct hs_runtime *runtime)
{
    if (try_directory(attempt, runtime, runtime->path)) {
        return true;
    }
    /* The directory may hold a link to the runtime alone; the companion is then beside its target.
     */
    char *target = realpath(runtime->path, NULL);
    bool found =
        target && strcmp(target, runtime->path) != 0 && try_directory(attempt, runtime, target);
    free(target);
    return found;
}

static bool try_all(struct attempt *attempt, const struct hs_runtime *runtime)
{
    if (runtime->major <= attempt->library->inside_first_until) {
        return try_inside(attempt, runtime) || try_beside(attempt, runtime);
    }
    return try_beside(attempt, runtime) ||
           (runtime->major <= attempt->library->inside_until && try_inside(attempt, runtime));
}

static struct attempt *new_attempt(const struct hs_runtime *runtime,
                                   const struct hs_library *library)
{
    struct attempt *attempt = calloc(1, sizeof *attempt);
    if (!attempt) {
        return NULL;
    }
    attempt->library = library;
    if (try_all(attempt, runtime)) {
        attempt->found.path = attempt->path;
    } else {
        attempt->found.reason = attempt->reason[0] ? attempt->reason : library->absent;
    }
    return attempt;
}

const struct hs_companion *hs_loader_companion(const struct hs_runtime *runtime, unsigned library)
{
    const struct hs_library *described = &hs_api.libraries[library];
    struct hs_once *once = &attempts[library];

    if (!runtime->handle) {
        return &described->no_runtime; /* not kept: the runtime may be being opened */
    }
    if (!hs_once_result(once) && hs_once_begin(once)) {
        struct attempt *mine = new_attempt(runtime, described);
        if (!mine || (mine->lacked && !mine->found.handle)) {
            hs_once_abandon(once);
            free(mine);
            return &described->lacking;
        }
        if (hs_once_publish(once, mine) != mine) {
            free(mine);
        }
    }
    const struct attempt *accepted = hs_once_result(once);
    return &accepted->found;
}

bool hs_loader_companion_is_settled(const struct hs_runtime *runtime, unsigned library)
{
    return !runtime->handle || hs_once_result(&attempts[library]) != NULL;
}

void *hs_loader_symbol(const struct hs_runtime *runtime, const char *name, unsigned library)
{
    const struct hs_companion *companion = library ? hs_loader_companion(runtime, library) : NULL;
    void *handle = companion ? companion->handle : runtime->handle;
    const struct hs_image *image = companion ? &companion->image : &runtime->image;

    return handle ? hs_image_function(image, name) : NULL;
}
