/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler_inputs.h"
#include "base/file_stamp.h"
#include "base/read.h"
#include "base/sha256.h"

static void add_texts(struct hs_sha256 *sum, const char *title, const char *const *texts,
                      size_t count)
{
    uint64_t number = count;

    hs_sha256_add_text(sum, title);
    hs_sha256_add(sum, &number, sizeof number);
    for (size_t i = 0; i < count; i++) {
        hs_sha256_add_text(sum, texts[i]);
    }
}

/* The headers of HIP in the prefix that a library lies in. */
static void add_headers_above(struct hs_sha256 *sum, const char *library)
{
    const char *end = library + strlen(library);
    char path[PATH_MAX];

    for (int above = 0; above < 3 && end; above++) {
        end = memrchr(library, '/', (size_t)(end - library));
        if (end && snprintf(path, sizeof path, "%.*s/include/hip", (int)(end - library), library) <
                       PATH_MAX) {
            hs_file_stamp_add_tree(sum, path);
        }
    }
}

/* The places where some release of hiprtc looks for headers of HIP. */
static void add_hip_headers(struct hs_sha256 *sum, const char *runtime)
{
    const char *const prefixes[] = {getenv("HIP_PATH"), getenv("ROCM_PATH"), "/opt/rocm"};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (prefixes[i] && snprintf(path, sizeof path, "%s/include/hip", prefixes[i]) < PATH_MAX) {
            hs_file_stamp_add_tree(sum, path);
        }
    }
    add_headers_above(sum, runtime);
    if (realpath(runtime, path) && strcmp(path, runtime) != 0) {
        add_headers_above(sum, path);
    }
}

static bool add_file(struct hs_sha256 *sum, const char *path, struct hs_cache *cache)
{
    unsigned char digest[HS_SHA256_SIZE];
    size_t size;
    char *data = hs_read_file(path, &size);

    if (!data) {
        hs_cache_set_note(cache, "%.200s: %s", path, strerror(errno));
        return false;
    }
    hs_sha256_of(data, size, digest);
    free(data);
    hs_sha256_add_text(sum, path);
    hs_sha256_add_piece(sum, digest, sizeof digest);
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
    hs_sha256_add_piece(&sum, &format, sizeof format);
    add_texts(&sum, "kernel", texts, sizeof texts / sizeof texts[0]);
    add_texts(&sum, "options", options->options, options->option_count);
    add_texts(&sum, "expressions", options->expressions, options->expression_count);
    hs_sha256_add_piece(&sum, &number, sizeof number);
    for (size_t i = 0; i < options->header_count; i++) {
        hs_sha256_add_text(&sum, options->headers[i].name);
        hs_sha256_add_text(&sum, options->headers[i].text);
    }
    hs_compiler_environment_add(&sum);
    if (job->reads_hip) {
        add_hip_headers(&sum, job->runtime);
    }
    number = options->file_count;
    hs_sha256_add_piece(&sum, &number, sizeof number);
    for (size_t i = 0; i < options->file_count; i++) {
        if (!add_file(&sum, options->files[i], cache)) {
            return false;
        }
    }
    hs_sha256_end(&sum, key);
    return true;
}
