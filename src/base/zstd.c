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

/* Whole pages for `size` bytes; NULL with the reason. */
static void *new_pages(size_t size, char *reason)
{
    void *pages =
        size <= (size_t)-1 - PAGE ? aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * PAGE) : NULL;

    if (!pages) {
        snprintf(reason, HS_ZSTD_REASON, "no memory for %zu bytes", size);
    }
    return pages;
}

void *hs_zstd_unpack(const void *data, size_t size, size_t plain, char reason[HS_ZSTD_REASON])
{
    struct zstd zstd;
    void *code;
    size_t got;

    if (!open_library(&zstd, reason)) {
        return NULL;
    }
    code = new_pages(plain, reason);
    if (code) {
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

/* As zstd.h declares them. */
struct in {
    const void *data;
    size_t size, at;
};
struct out {
    void *data;
    size_t size, at;
};

struct stream {
    void *(*create)(void);
    size_t (*set)(void *stream, int parameter, int value);
    size_t (*decompress)(void *stream, struct out *out, struct in *in);
    size_t (*destroy)(void *stream);
};

/* clang compresses with a window of up to 2 GB. */
enum { WINDOW_LOG_MAX = 100, LARGEST_WINDOW_LOG = 31 };

static bool find_stream(void *handle, struct stream *stream)
{
    return find(handle, "ZSTD_createDCtx", &stream->create) &&
           find(handle, "ZSTD_DCtx_setParameter", &stream->set) &&
           find(handle, "ZSTD_decompressStream", &stream->decompress) &&
           find(handle, "ZSTD_freeDCtx", &stream->destroy);
}

static bool fill(const struct zstd *zstd, const struct stream *stream, struct out *out,
                 struct in *in, char *reason)
{
    void *context = stream->create();
    size_t code = 1, before = 0;

    if (!context) {
        snprintf(reason, HS_ZSTD_REASON, "no memory for zstd");
        return false;
    }
    stream->set(context, WINDOW_LOG_MAX, LARGEST_WINDOW_LOG);
    do {
        before = out->at + in->at;
        code = stream->decompress(context, out, in);
    } while (code && !zstd->is_error(code) && out->at < out->size && out->at + in->at > before);
    if (out->at < out->size) {
        snprintf(reason, HS_ZSTD_REASON, "%s",
                 zstd->is_error(code) ? zstd->error_name(code) : "the data ends too early");
    }
    stream->destroy(context);
    return out->at == out->size;
}

void *hs_zstd_unpack_start(const void *data, size_t most, size_t plain, char reason[HS_ZSTD_REASON])
{
    struct zstd zstd;
    struct stream stream;
    struct in in = {data, most, 0};
    struct out out = {NULL, plain, 0};

    if (!open_library(&zstd, reason)) {
        return NULL;
    }
    if (!find_stream(zstd.handle, &stream)) {
        snprintf(reason, HS_ZSTD_REASON, "libzstd.so.1 is older than 1.4; install libzstd 1.4");
    } else if ((out.data = new_pages(plain, reason)) && !fill(&zstd, &stream, &out, &in, reason)) {
        free(out.data);
        out.data = NULL;
    }
    dlclose(zstd.handle);
    return out.data;
}
