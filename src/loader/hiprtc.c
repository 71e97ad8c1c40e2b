/* SPDX-License-Identifier: MIT */
/*
 * The second half of loader.h: hiprtc and symbols.
 */
#include "loader/loader.h"

#include "elf/image.h"
#include "loader/search_log.h"
#include "base/once.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in loader.c: an attempt for each thread that comes first, one is believed. */
struct attempt {
    struct hs_hiprtc hiprtc;
    char path[PATH_MAX];
    char reason[HS_SEARCH_LOG_TEXT];
};

static _Thread_local struct attempt *attempt; /* this thread's, while it opens */
static struct attempt *_Atomic accepted;
static struct hs_once turn;

static int try_inside(const struct hs_runtime *runtime)
{
    if (!dlsym(runtime->handle, "hiprtcCreateProgram")) {
        return -1;
    }
    attempt->hiprtc.handle = runtime->handle;
    attempt->hiprtc.object = runtime->object;
    snprintf(attempt->path, sizeof attempt->path, "%s", runtime->path);
    return 0;
}

static int try_file(const char *directory, size_t length, const char *file)
{
    char path[PATH_MAX], reason[HS_SEARCH_LOG_TEXT];
    const char *message = reason;
    int absent = 0, written;
    void *handle = NULL;
    struct link_map *map = NULL;

    written = snprintf(path, sizeof path, "%.*s/%s", (int)length, directory, file);
    if (written < 0 || (size_t)written >= sizeof path) {
        return -1;
    }
    if (hs_elf_file_check(path, reason, sizeof reason, &absent) == 0) {
        /* The same flags as the runtime's, for the same reasons. */
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (!handle) {
            message = dlerror();
        } else if (!dlsym(handle, "hiprtcCreateProgram")) {
            message = "it does not define hiprtcCreateProgram";
            handle = NULL;
        }
    }
    hs_search_log_trace("hiprtc: %s: %s", path, handle ? "used" : message ? message : "dlopen failed");
    if (!handle) {
        /* A file that is there and fails tells more than one that is not. */
        if (!attempt->reason[0] || !absent) {
            snprintf(attempt->reason, sizeof attempt->reason, "%.600s: %.300s", path,
                     message ? message : "dlopen failed");
        }
        return -1;
    }
    attempt->hiprtc.handle = handle;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map) {
        hs_image_view(&attempt->hiprtc.object, map->l_addr, map->l_ld); /* else dlsym serves */
    }
    snprintf(attempt->path, sizeof attempt->path, "%s", path);
    return 0;
}

/* The soname's file, then the name that matches the runtime's own file. */
static int try_directory(const struct hs_runtime *runtime, const char *path)
{
    static const char stem[] = "libamdhip64";
    const char *slash = strrchr(path, '/');
    char file[NAME_MAX + 1];

    if (!slash) {
        return -1;
    }
    snprintf(file, sizeof file, "libhiprtc.so.%d", runtime->major);
    if (try_file(path, (size_t)(slash - path), file) == 0) {
        return 0;
    }
    if (strncmp(slash + 1, stem, sizeof stem - 1) != 0) {
        return -1;
    }
    snprintf(file, sizeof file, "libhiprtc%s", slash + sizeof stem);
    return try_file(path, (size_t)(slash - path), file);
}

static int try_beside(const struct hs_runtime *runtime)
{
    char *real;
    int result = try_directory(runtime, runtime->path);

    if (result != 0 && (real = realpath(runtime->path, NULL)) != NULL) {
        /* Only the library may be linked into the directory it was found in. */
        result = strcmp(real, runtime->path) == 0 ? -1 : try_directory(runtime, real);
        free(real);
    }
    return result;
}

static void open_hiprtc(const struct hs_runtime *runtime)
{
    int result;

    if (runtime->major <= 5) {
        result = try_inside(runtime) == 0 ? 0 : try_beside(runtime);
    } else {
        result = try_beside(runtime);
        if (result != 0 && runtime->major == 6) {
            result = try_inside(runtime);
        }
    }
    if (result == 0) {
        attempt->hiprtc.path = attempt->path;
    } else {
        attempt->hiprtc.reason =
            attempt->reason[0] ? attempt->reason : "no libhiprtc beside the runtime";
    }
}

const struct hs_hiprtc *hs_loader_hiprtc(const struct hs_runtime *runtime)
{
    static const struct hs_hiprtc none = {.reason = "there is no HIP runtime to belong to"};
    static const struct hs_hiprtc no_memory = {.reason = "no memory to look for hiprtc"};
    struct attempt *nobody = NULL, *mine;

    if (!runtime->handle) {
        return &none; /* not for ever: the runtime may be in the middle of being opened */
    }
    if (!accepted && hs_once_begin(&turn, (void *_Atomic *)&accepted)) {
        mine = attempt = calloc(1, sizeof *mine);
        if (!mine) {
            hs_once_end(&turn);
            return &no_memory;
        }
        open_hiprtc(runtime);
        attempt = NULL;
        if (!atomic_compare_exchange_strong(&accepted, &nobody, mine)) {
            free(mine);
        }
        hs_once_end(&turn);
    }
    return &accepted->hiprtc;
}

int hs_loader_open_hiprtc(const struct hs_runtime *runtime)
{
    return hs_loader_hiprtc(runtime)->handle ? 0 : -1;
}

void *hs_loader_symbol(const struct hs_runtime *runtime, const char *name, int is_hiprtc)
{
    const struct hs_hiprtc *other = is_hiprtc ? hs_loader_hiprtc(runtime) : NULL;
    void *handle = other ? other->handle : runtime->handle;
    void *address;
    int unsure = 1;

    if (!handle) {
        return NULL;
    }
    address = hs_image_function(other ? &other->object : &runtime->object, name, &unsure);
    return unsure ? dlsym(handle, name) : address;
}
