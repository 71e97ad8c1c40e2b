/* SPDX-License-Identifier: MIT */
/*
 * Chooses among embedded code objects, and loads them.
 */
#include <hipshim/embed.h>

#include <hip/hip_runtime_api.h>
#include <hipshim/kernel.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"
#include "base/structure.h"
#include "base/target.h"
#include "base/texts.h"
#include "base/zstd.h"
#include "kernel/kernel.h"

enum { LISTED = 300 }; /* bytes of a list in an error text */

/* True if the kernel is there; else `listed` has the names of those that are. */
static bool has_kernel(const hipshim_embedded_t *embedded, const char *kernel, char listed[LISTED])
{
    const char *last = "";

    for (size_t i = 0; i < embedded->code_count; i++) {
        if (strcmp(embedded->codes[i].kernel, kernel) == 0) {
            return true;
        }
        if (strcmp(embedded->codes[i].kernel, last) != 0) {
            last = embedded->codes[i].kernel;
            hs_texts_list(listed, LISTED, last);
        }
    }
    for (size_t i = 0; i < embedded->source_count; i++) {
        if (strcmp(embedded->sources[i].kernel, kernel) == 0) {
            return true;
        }
        if (embedded->code_count == 0) {
            hs_texts_list(listed, LISTED, embedded->sources[i].kernel);
        }
    }
    return false;
}

/* Copies and checks the structure that the program has. */
static hipshim_status_t read_embedded(hipshim_embedded_t *embedded, const hipshim_embedded_t *given,
                                      const char *kernel)
{
    char listed[LISTED] = "";

    const char *why = hs_structure_take(embedded, sizeof *embedded, given);

    if (why || !kernel) {
        hs_error_set("hipshim_embedded: %s", why ? why : "`kernel` is NULL");
        return HIPSHIM_ERROR_INVALID;
    }
    if (embedded->version != HIPSHIM_EMBEDDED_VERSION) {
        hs_error_set("hipshim_embedded: the kernels have format %u, and this hipshim knows %d",
                     embedded->version, HIPSHIM_EMBEDDED_VERSION);
        return HIPSHIM_ERROR_INVALID;
    }
    if (!has_kernel(embedded, kernel, listed)) {
        hs_error_set("there is no embedded kernel \"%.100s\"; there are: %s", kernel, listed);
        return HIPSHIM_ERROR_INVALID;
    }
    return HIPSHIM_OK;
}

/* The code to try after `last`, or first if that is NULL: by fit, then by place. */
static const hipshim_embedded_code_t *next_best(const hipshim_embedded_t *embedded,
                                                const char *kernel, const char *arch,
                                                const hipshim_embedded_code_t *last)
{
    const hipshim_embedded_code_t *best = NULL;
    int last_score = last ? hs_target_fit(last->arch, arch) : INT_MAX, best_score = 0;

    for (size_t i = 0; i < embedded->code_count; i++) {
        const hipshim_embedded_code_t *code = &embedded->codes[i];
        int score = strcmp(code->kernel, kernel) == 0 ? hs_target_fit(code->arch, arch) : 0;

        if (score > best_score && (score < last_score || (score == last_score && code > last))) {
            best = code;
            best_score = score;
        }
    }
    return best;
}

static hipshim_status_t nothing_fits(const hipshim_embedded_t *embedded, const char *kernel,
                                     const char *arch)
{
    char listed[LISTED] = "";

    for (size_t i = 0; i < embedded->code_count; i++) {
        if (strcmp(embedded->codes[i].kernel, kernel) == 0) {
            hs_texts_list(listed, LISTED, embedded->codes[i].arch);
        }
    }
    hs_error_set(
        "the kernel \"%.60s\" is embedded for %s, and none of its code fits %s; add that to "
        "--arch of hipshim embed",
        kernel, *listed ? listed : "no architecture", arch);
    return HIPSHIM_ERROR_NO_CODE;
}

/* Reads the arguments of a public function: `known` and `found` are set on success. */
static hipshim_status_t read_arguments(hipshim_embedded_t *known, char found[HS_ARCH_ROOM],
                                       const hipshim_embedded_t *embedded, const char *kernel,
                                       const char *arch)
{
    hipshim_status_t status = read_embedded(known, embedded, kernel);

    return status == HIPSHIM_OK ? hipshim_arch_detect(arch, found, HS_ARCH_ROOM, NULL) : status;
}

hipshim_status_t hipshim_embedded_find(const hipshim_embedded_t *embedded, const char *kernel,
                                       const char *arch, const hipshim_embedded_code_t **code)
{
    hipshim_embedded_t known;
    char found[HS_ARCH_ROOM];

    if (!code) {
        hs_error_set("hipshim_embedded_find: `code` is NULL");
        return HIPSHIM_ERROR_INVALID;
    }
    *code = NULL;
    hipshim_status_t status = read_arguments(&known, found, embedded, kernel, arch);

    if (status == HIPSHIM_OK) {
        *code = next_best(&known, kernel, found, NULL);
        status = *code ? HIPSHIM_OK : nothing_fits(&known, kernel, found);
    }
    return status;
}

static hipshim_status_t load(const hipshim_embedded_code_t *code, hipModule_t *module)
{
    char reason[HS_ZSTD_REASON];
    hipshim_status_t status;
    void *plain;

    if (code->plain_size == 0) {
        return hs_module_load_code(code->kernel, code->arch, code->code, module);
    }
    plain = hs_zstd_unpack(code->code, code->code_size, code->plain_size, reason);
    if (!plain) {
        hs_error_set("the embedded kernel \"%.100s\" for %s is compressed: %s", code->kernel,
                     code->arch, reason);
        return HIPSHIM_ERROR_SYSTEM;
    }
    status = hs_module_load_code(code->kernel, code->arch, plain, module);
    free(plain); /* no release refers to it after hipModuleLoadData (tests/embed/runs.t) */
    return status;
}

static hipshim_status_t compile(const hipshim_embedded_source_t *source, const char *arch,
                                hipModule_t *module)
{
    hipshim_kernel_options_t options = {.size = sizeof options,
                                        .source = source->text,
                                        .name = source->name,
                                        .arch = arch,
                                        .options = source->options,
                                        .option_count = source->option_count,
                                        .header_count = source->header_count};
    hipshim_kernel_header_t *headers = calloc(source->header_count + 1, sizeof *headers);
    hipshim_kernel_t *kernel = NULL;
    hipshim_status_t status;

    if (!headers) {
        hs_error_set("no memory to compile %.100s", source->name);
        return HIPSHIM_ERROR_NO_MEMORY;
    }
    for (size_t i = 0; i < source->header_count; i++) {
        headers[i].name = source->headers[2 * i];
        headers[i].text = source->headers[2 * i + 1];
    }
    options.headers = headers;
    status = hipshim_kernel_compile(&options, &kernel);
    if (status == HIPSHIM_OK) {
        status =
            hs_module_load_code(source->kernel, arch, hipshim_kernel_code(kernel, NULL), module);
    } else {
        hs_kernel_error_add_log(kernel);
    }
    hipshim_kernel_free(kernel);
    free(headers);
    return status;
}

/* Tries every code that fits, and then the source. */
static hipshim_status_t load_best(const hipshim_embedded_t *embedded, const char *kernel,
                                  const char *arch, hipModule_t *module)
{
    const hipshim_embedded_code_t *code = NULL;
    hipshim_status_t status = HIPSHIM_ERROR_NO_CODE;

    while ((code = next_best(embedded, kernel, arch, code)) != NULL) {
        status = load(code, module);
        if (status == HIPSHIM_OK) {
            return status;
        }
    }
    for (size_t i = 0; i < embedded->source_count; i++) {
        if (strcmp(embedded->sources[i].kernel, kernel) == 0) {
            return compile(&embedded->sources[i], arch, module);
        }
    }
    return status == HIPSHIM_ERROR_NO_CODE ? nothing_fits(embedded, kernel, arch) : status;
}

hipshim_status_t hipshim_embedded_load(const hipshim_embedded_t *embedded, const char *kernel,
                                       const char *arch, struct ihipModule_t **module)
{
    hipshim_embedded_t known;
    char found[HS_ARCH_ROOM];

    if (!module) {
        hs_error_set("hipshim_embedded_load: `module` is NULL");
        return HIPSHIM_ERROR_INVALID;
    }
    *module = NULL;
    hipshim_status_t status = read_arguments(&known, found, embedded, kernel, arch);

    return status == HIPSHIM_OK ? load_best(&known, kernel, found, module) : status;
}

/* --- shared modules --- */

struct shared {
    const hipshim_embedded_t *embedded;
    const char *kernel, *arch;
};

static hipshim_status_t load_shared(const void *context, struct hs_module_content *content)
{
    const struct shared *shared = context;

    return load_best(shared->embedded, shared->kernel, shared->arch, &content->handle);
}

static void add_source(struct hs_sha256 *sum, const hipshim_embedded_source_t *source)
{
    hs_sha256_add_text(sum, source->name);
    hs_sha256_add_text(sum, source->text);
    for (size_t i = 0; i < source->option_count; i++) {
        hs_sha256_add_text(sum, source->options[i]);
    }
    for (size_t i = 0; i < 2 * source->header_count; i++) {
        hs_sha256_add_text(sum, source->headers[i]);
    }
}

/*
 * By content and not by address, because a library with other kernels may be opened where one was
 * closed.
 */
static void digest_shared(const struct shared *shared, unsigned char digest[HS_CACHE_KEY])
{
    const hipshim_embedded_t *embedded = shared->embedded;
    struct hs_sha256 sum;

    hs_sha256_begin(&sum);
    hs_sha256_add_text(&sum, "embedded");
    hs_sha256_add_text(&sum, shared->kernel);
    hs_sha256_add_text(&sum, shared->arch);
    for (size_t i = 0; i < embedded->code_count; i++) {
        if (strcmp(embedded->codes[i].kernel, shared->kernel) == 0) {
            hs_sha256_add_text(&sum, embedded->codes[i].arch);
            hs_sha256_add_piece(&sum, embedded->codes[i].code, embedded->codes[i].code_size);
        }
    }
    for (size_t i = 0; i < embedded->source_count; i++) {
        if (strcmp(embedded->sources[i].kernel, shared->kernel) == 0) {
            add_source(&sum, &embedded->sources[i]);
        }
    }
    hs_sha256_end(&sum, digest);
}

hipshim_status_t hipshim_embedded_module_get(const hipshim_embedded_t *embedded, const char *kernel,
                                             const char *arch, struct hipshim_module **module)
{
    hipshim_embedded_t known;
    char found[HS_ARCH_ROOM];
    unsigned char digest[HS_CACHE_KEY];
    const struct shared shared = {&known, kernel, found};

    if (!module) {
        hs_error_set("hipshim_embedded_module_get: `module` is NULL");
        return HIPSHIM_ERROR_INVALID;
    }
    *module = NULL;
    hipshim_status_t status = read_arguments(&known, found, embedded, kernel, arch);

    if (status != HIPSHIM_OK) {
        return status;
    }
    digest_shared(&shared, digest);
    return hs_module_share(digest, load_shared, &shared, module);
}
