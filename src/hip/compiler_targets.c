/* SPDX-License-Identifier: MIT */
#include "hip/compiler_targets.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/texts.h"

enum {
    NEWEST_COMGR = 9, /* of the sonames that are tried */
    COMGRS = 4,       /* that a process may have loaded */
    REMEMBERED = 8    /* processors */
};

struct loaded {
    unsigned count;
    char paths[COMGRS][PATH_MAX];
};

static int find_comgr(struct dl_phdr_info *info, size_t size, void *context)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *base = slash ? slash + 1 : info->dlpi_name;
    struct loaded *loaded = context;

    (void)size;
    if (strncmp(base, "libamd_comgr", strlen("libamd_comgr")) == 0) {
        snprintf(loaded->paths[loaded->count++], PATH_MAX, "%s", info->dlpi_name);
    }
    return loaded->count == COMGRS;
}

/* The one beside the runtime, which it would open itself. */
static void *open_beside(const struct hs_runtime *runtime)
{
    char path[PATH_MAX];
    const char *slash = runtime->path ? strrchr(runtime->path, '/') : NULL;
    void *handle = NULL;

    for (int number = NEWEST_COMGR; slash && !handle && number > 1; number--) {
        snprintf(path, sizeof path, "%.*s/libamd_comgr.so.%d", (int)(slash - runtime->path),
                 runtime->path, number);
        handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    }
    return handle;
}

/* gfx90a:sramecc:xnack of amdgcn-amd-amdhsa--gfx90a:sramecc:xnack; a generic one has a dash. */
static const char *target_of(const char *isa)
{
    for (const char *at = isa; (at = strstr(at, "--")) != NULL;) {
        at += 2;
        isa = at;
    }
    return isa;
}

/* Only the processor counts. */
static bool is_processor(const char *isa, const char *arch)
{
    const char *target = target_of(isa);
    size_t length = strcspn(arch, ":");

    return strcspn(target, ":") == length && strncmp(target, arch, length) == 0;
}

/* True also if the library cannot be asked. */
static bool knows(void *comgr, const char *arch, char *known, size_t size)
{
    int (*get_count)(size_t *);
    int (*get_name)(size_t, const char **);
    size_t count = 0;
    const char *name;

    *known = '\0';
    *(void **)&get_count = comgr ? dlsym(comgr, "amd_comgr_get_isa_count") : NULL;
    *(void **)&get_name = comgr ? dlsym(comgr, "amd_comgr_get_isa_name") : NULL;
    if (!get_count || !get_name || get_count(&count) != 0 || count == 0) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (get_name(i, &name) != 0 || is_processor(name, arch)) {
            return true;
        }
        hs_texts_list(known, size, target_of(name));
    }
    return false;
}

/* Another module may have brought a comgr of its own, so one that knows the processor is enough. */
static bool some_comgr_knows(const struct hs_runtime *runtime, const char *arch, char *known,
                             size_t size)
{
    struct loaded *loaded = calloc(1, sizeof *loaded);
    bool is_known = !loaded;

    if (loaded) {
        dl_iterate_phdr(find_comgr, loaded);
    }
    if (loaded && loaded->count == 0) {
        is_known = knows(open_beside(runtime), arch, known, size);
    }
    for (unsigned i = 0; loaded && i < loaded->count && !is_known; i++) {
        void *comgr = dlopen(loaded->paths[i], RTLD_LAZY | RTLD_NOLOAD);

        is_known = knows(comgr, arch, known, size);
        if (comgr) {
            dlclose(comgr);
        }
    }
    free(loaded);
    return is_known;
}

/*
 * The processors that some comgr knows; they are only added.  A child of fork can then compile for
 * them again without the dynamic linker, whose lock a thread of its parent may have held.
 */
static char *_Atomic remembered[REMEMBERED];

static bool is_remembered(const char *arch)
{
    for (unsigned i = 0; i < REMEMBERED; i++) {
        const char *one = atomic_load(&remembered[i]);

        if (one && strcmp(one, arch) == 0) {
            return true;
        }
    }
    return false;
}

static void remember(const char *arch)
{
    char *copy = strdup(arch);

    for (unsigned i = 0; copy && i < REMEMBERED; i++) {
        char *none = NULL;

        if (atomic_compare_exchange_strong(&remembered[i], &none, copy)) {
            return;
        }
    }
    free(copy);
}

bool hs_compiler_targets_know(const struct hs_runtime *runtime, const char *arch, char *known,
                              size_t size)
{
    if (is_remembered(arch)) {
        return true;
    }
    if (!some_comgr_knows(runtime, arch, known, size)) {
        return false;
    }
    remember(arch);
    return true;
}
