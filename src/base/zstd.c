/* SPDX-License-Identifier: MIT */
#include "base/zstd.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* The highest level without large windows; it takes a tenth of the compilation. */
enum { LEVEL = 19, PAGE = 4096 };

/* The functions that are used; all are stable since zstd 1.0. */
struct zstd {
    void *handle;
    unsigned (*version)(void);
    size_t (*bound)(size_t size);
    size_t (*compress)(void *to, size_t room, const void *from, size_t size, int level);
    size_t (*decompress)(void *to, size_t room, const void *from, size_t size);
    unsigned (*is_error)(size_t code);
    const char *(*error_name)(size_t code);
};

/* The address goes through a void *, because ISO C cannot cast one to a function. */
static bool find(void *handle, const char *name, void *function)
{
    *(void **)function = dlsym(handle, name);
    return *(void **)function != NULL;
}

static bool open_library(struct zstd *zstd, char *reason)
{
    zstd->handle = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!zstd->handle) {
        const char *error = dlerror();

        snprintf(reason, HS_ZSTD_REASON, "%s; install libzstd 1.x", error ? error : "libzstd.so.1");
        return false;
    }
    if (!find(zstd->handle, "ZSTD_versionNumber", &zstd->version) ||
        !find(zstd->handle, "ZSTD_compressBound", &zstd->bound) ||
        !find(zstd->handle, "ZSTD_compress", &zstd->compress) ||
        !find(zstd->handle, "ZSTD_decompress", &zstd->decompress) ||
        !find(zstd->handle, "ZSTD_isError", &zstd->is_error) ||
        !find(zstd->handle, "ZSTD_getErrorName", &zstd->error_name)) {
        snprintf(reason, HS_ZSTD_REASON,
                 "libzstd.so.1 lacks functions of zstd 1.0; install libzstd 1.x");
        dlclose(zstd->handle);
        return false;
    }
    return true;
}

unsigned hs_zstd_version(void)
{
    char reason[HS_ZSTD_REASON];
    struct zstd zstd;
    unsigned version;

    if (!open_library(&zstd, reason)) {
        return 0;
    }
    version = zstd.version();
    dlclose(zstd.handle);
    return version;
}

void *hs_zstd_pack(const void *data, size_t size, size_t *packed, char reason[HS_ZSTD_REASON])
{
    struct zstd zstd;
    void *frame;

    if (!open_library(&zstd, reason)) {
        return NULL;
    }
    frame = malloc(zstd.bound(size));
    if (!frame) {
        snprintf(reason, HS_ZSTD_REASON, "no memory to compress %zu bytes", size);
    } else {
        *packed = zstd.compress(frame, zstd.bound(size), data, size, LEVEL);
        if (zstd.is_error(*packed)) {
            snprintf(reason, HS_ZSTD_REASON, "zstd: %s", zstd.error_name(*packed));
            free(frame);
            frame = NULL;
        }
    }
    dlclose(zstd.handle);
    return frame;
}

void *hs_zstd_unpack(const void *data, size_t size, size_t plain, char reason[HS_ZSTD_REASON])
{
    struct zstd zstd;
    void *code;
    size_t got;

    if (!open_library(&zstd, reason)) {
        return NULL;
    }
    code =
        plain <= (size_t)-1 - PAGE ? aligned_alloc(PAGE, (plain + PAGE - 1) / PAGE * PAGE) : NULL;
    if (!code) {
        snprintf(reason, HS_ZSTD_REASON, "no memory for %zu bytes", plain);
    } else {
        got = zstd.decompress(code, plain, data, size);
        if (got != plain) {
            snprintf(reason, HS_ZSTD_REASON, "zstd: %s",
                     zstd.is_error(got) ? zstd.error_name(got)
                                        : "the size is another than recorded");
            free(code);
            code = NULL;
        }
    }
    dlclose(zstd.handle);
    return code;
}
