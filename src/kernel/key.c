/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/read.h"
#include "base/sha256.h"

/* The length comes before the piece, so that no two lists of pieces give the same bytes. */
static void add_piece(struct hs_sha256 *sum, const void *data, size_t size)
{
    uint64_t length = size;

    hs_sha256_add(sum, &length, sizeof length);
    hs_sha256_add(sum, data, size);
}

static void add_text(struct hs_sha256 *sum, const char *text)
{
    add_piece(sum, text, strlen(text));
}

static void add_texts(struct hs_sha256 *sum, const char *title, const char *const *texts,
                      size_t count)
{
    uint64_t number = count;

    add_text(sum, title);
    hs_sha256_add(sum, &number, sizeof number);
    for (size_t i = 0; i < count; i++) {
        add_text(sum, texts[i]);
    }
}

/* The variables that hiprtc, comgr and clang read. */
static void add_environment(struct hs_sha256 *sum)
{
    static const char *const variables[] = {"HIPRTC_COMPILE_OPTIONS_APPEND",
                                            "HIPRTC_LINK_OPTIONS_APPEND",
                                            "HIPRTC_USE_RUNTIME_UNBUNDLER",
                                            "CCC_OVERRIDE_OPTIONS",
                                            "AMD_OCL_BUILD_OPTIONS_APPEND",
                                            "DEVICE_LIB_PATH",
                                            "HIP_DEVICE_LIB_PATH",
                                            "LLVM_PATH",
                                            "GPU_ENABLE_WAVE32_MODE",
                                            "GPU_ENABLE_WGP_MODE",
                                            "HIP_PATH",
                                            "ROCM_PATH"};

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);

        add_text(sum, value ? value : "");
    }
}

static bool add_file(struct hs_sha256 *sum, const char *path, struct hs_cache *cache)
{
    unsigned char digest[HS_SHA256_SIZE];
    size_t size;
    char *data = hs_read_file(path, &size);

    if (!data) {
        hs_cache_complain(cache, "%.200s: %s", path, strerror(errno));
        return false;
    }
    hs_sha256_of(data, size, digest);
    free(data);
    add_text(sum, path);
    add_piece(sum, digest, sizeof digest);
    return true;
}

bool hs_kernel_key(const struct hs_kernel_job *job, const char *compiler, struct hs_cache *cache,
                   unsigned char key[HS_CACHE_KEY])
{
    static const uint32_t format = HS_CACHE_FORMAT;
    const hipshim_kernel_options_t *options = &job->options;
    const char *const texts[] = {options->source, options->name, job->arch, job->release, compiler};
    struct hs_sha256 sum;
    uint64_t number = options->header_count;

    hs_sha256_begin(&sum);
    add_piece(&sum, &format, sizeof format);
    add_texts(&sum, "kernel", texts, sizeof texts / sizeof texts[0]);
    add_texts(&sum, "options", options->options, options->option_count);
    add_texts(&sum, "expressions", options->expressions, options->expression_count);
    add_piece(&sum, &number, sizeof number);
    for (size_t i = 0; i < options->header_count; i++) {
        add_text(&sum, options->headers[i].name);
        add_text(&sum, options->headers[i].text);
    }
    add_environment(&sum);
    number = options->file_count;
    add_piece(&sum, &number, sizeof number);
    for (size_t i = 0; i < options->file_count; i++) {
        if (!add_file(&sum, options->files[i], cache)) {
            return false;
        }
    }
    hs_sha256_end(&sum, key);
    return true;
}
