/* SPDX-License-Identifier: MIT */
/* The processors that comgr, which compiles for the runtime, knows. */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "base/texts.h"
#include "loader/loader.h"

enum { NEWEST_COMGR = 9 }; /* of the sonames that are tried */

static int find_comgr(struct dl_phdr_info *info, size_t size, void *context)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *base = slash ? slash + 1 : info->dlpi_name;

    (void)size;
    if (strncmp(base, "libamd_comgr", strlen("libamd_comgr")) != 0) {
        return 0;
    }
    snprintf(context, PATH_MAX, "%s", info->dlpi_name);
    return 1;
}

/* The one that is loaded, or else the one beside the runtime, which it would open itself. */
static void *open_comgr(const struct hs_runtime *runtime)
{
    char path[PATH_MAX];
    const char *slash = strrchr(runtime->path, '/');
    void *handle = NULL;

    if (dl_iterate_phdr(find_comgr, path)) {
        return dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    }
    for (int number = NEWEST_COMGR; slash && !handle && number > 1; number--) {
        snprintf(path, sizeof path, "%.*s/libamd_comgr.so.%d", (int)(slash - runtime->path),
                 runtime->path, number);
        handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    }
    return handle;
}

/* amdgcn-amd-amdhsa--gfx90a:sramecc:xnack; only the processor counts. */
static bool is_processor(const char *isa, const char *arch)
{
    const char *dash = strrchr(isa, '-');
    const char *processor = dash ? dash + 1 : isa;
    size_t length = strcspn(arch, ":");

    return strcspn(processor, ":") == length && strncmp(processor, arch, length) == 0;
}

bool hs_loader_compiles_for(const struct hs_runtime *runtime, const char *arch, char *known,
                            size_t size)
{
    void *handle = runtime->path ? open_comgr(runtime) : NULL;
    int (*get_count)(size_t *);
    int (*get_name)(size_t, const char **);
    size_t count = 0;
    const char *name;

    *known = '\0';
    *(void **)&get_count = handle ? dlsym(handle, "amd_comgr_get_isa_count") : NULL;
    *(void **)&get_name = handle ? dlsym(handle, "amd_comgr_get_isa_name") : NULL;
    if (!get_count || !get_name || get_count(&count) != 0 || count == 0) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (get_name(i, &name) != 0 || is_processor(name, arch)) {
            return true;
        }
        hs_texts_list(known, size, strrchr(name, '-') ? strrchr(name, '-') + 1 : name);
    }
    return false;
}
