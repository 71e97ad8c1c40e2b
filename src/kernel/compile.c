/* SPDX-License-Identifier: MIT */
/*
 * hipshim/kernel.h: checks what is asked for, looks in the cache, compiles.
 */
#include "kernel/kernel.h"

#include "dispatch/dispatch.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Longer than any compilation: then its owner is taken for stuck. */
enum { WAIT_SECONDS = 600, NAP_NS = 200000, LONGEST_NAP_NS = 10000000 };

struct hipshim_kernel {
    struct hs_cache_found result; /* in the form of the cache, whether it is kept or not */
    hipshim_kernel_origin_t origin;
    char arch[HS_ARCH_ROOM];
    char note[HS_CACHE_NOTE + 40];
};

static hipshim_status_t invalid(const char *what)
{
    hs_error_set("hipshim_kernel_compile: %s", what);
    return HIPSHIM_ERROR_INVALID;
}

int hs_kernel_has_null(const char *const *list, size_t count)
{
    for (size_t i = 0; list && i < count; i++) {
        if (!list[i]) {
            return 1;
        }
    }
    return !list && count > 0;
}

/* hiprtc and hipcc write a header by its name below a temporary directory. */
static int leads_out(const char *name)
{
    const char *at = name;
    size_t length = strcspn(at, "/");

    while (at[length] && (length != 2 || memcmp(at, "..", 2) != 0)) {
        at += length + 1;
        length = strcspn(at, "/");
    }
    return *name == '/' || (length == 2 && memcmp(at, "..", 2) == 0);
}

static hipshim_status_t check_headers(const hipshim_kernel_header_t *headers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!headers[i].name || !headers[i].text) {
            return invalid("a header has no name or no text");
        }
        if (leads_out(headers[i].name)) {
            hs_error_set("hipshim_kernel_compile: a header's name leads out of its directory: "
                         "%.200s",
                         headers[i].name);
            return HIPSHIM_ERROR_INVALID;
        }
    }
    return HIPSHIM_OK;
}

/* Copies what the caller's structure has of the options, and checks them. */
static hipshim_status_t check(const hipshim_kernel_options_t *given, struct hs_kernel_job *job)
{
    hipshim_kernel_options_t *options = &job->options;

    memset(job, 0, sizeof *job);
    if (!given || given->size < offsetof(hipshim_kernel_options_t, source) + sizeof given->source) {
        return invalid("options with their size set are needed");
    }
    memcpy(options, given, given->size < sizeof *options ? given->size : sizeof *options);
    options->size = sizeof *options;
    options->name = options->name && *options->name ? options->name : "kernel.hip";
    if (!options->source) {
        return invalid("there is no source");
    }
    if (hs_kernel_has_null(options->options, options->option_count) ||
        hs_kernel_has_null(options->expressions, options->expression_count) ||
        hs_kernel_has_null(options->files, options->file_count) ||
        (!options->headers && options->header_count > 0)) {
        return invalid("NULL among the options, expressions, headers or files");
    }
    if ((options->option_count | options->header_count | options->expression_count) > 1 << 20) {
        return invalid("too many options, headers or expressions");
    }
    for (size_t i = 0; i < options->option_count; i++) {
        if (strstr(options->options[i], "-offload-arch") ||
            strstr(options->options[i], "--gpu-architecture")) {
            return invalid("the architecture is not among the options but in `arch`");
        }
    }
    if (options->flags & ~(unsigned)(HIPSHIM_KERNEL_NO_CACHE | HIPSHIM_KERNEL_HIPCC)) {
        return invalid("an unknown flag");
    }
    return check_headers(options->headers, options->header_count);
}

static void nap(long nanoseconds)
{
    const struct timespec time = {.tv_nsec = nanoseconds};

    nanosleep(&time, NULL);
}

static time_t seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

enum hs_cache_turn hs_kernel_wait(struct hs_cache *cache, const char *group,
                                  const unsigned char key[HS_CACHE_KEY], struct hs_cache_lock *lock,
                                  struct hs_cache_found *found)
{
    enum hs_cache_turn turn;
    time_t start = seconds();
    long pause = NAP_NS;

    while ((turn = hs_cache_lock(cache, group, key, lock)) == HS_CACHE_BUSY) {
        if (found && hs_cache_find(cache, group, key, found)) {
            return HS_CACHE_BUSY;
        }
        if (seconds() - start > WAIT_SECONDS) {
            return HS_CACHE_UNKNOWN;
        }
        nap(pause);
        pause = pause * 2 < LONGEST_NAP_NS ? pause * 2 : LONGEST_NAP_NS;
    }
    return turn;
}

/* Hands the output over to the kernel, in the cache's form. */
static hipshim_status_t take(hipshim_kernel_t *kernel, const struct hs_kernel_job *job,
                             struct hs_kernel_output *output, const char *identity,
                             const unsigned char key[HS_CACHE_KEY])
{
    const struct hs_cache_entry entry = {.code = output->code,
                                         .code_size = output->code_size,
                                         .log = output->log ? output->log : "",
                                         .names = output->names,
                                         .names_size = output->names ? output->names_size : 0,
                                         .arch = job->arch,
                                         .release = job->release,
                                         .name = job->options.name,
                                         .identity = identity,
                                         .created = (uint64_t)time(NULL),
                                         .key = key};
    struct hs_cache_found *result = &kernel->result;

    result->data = hs_cache_entry_write(&entry, &result->size);
    hs_kernel_output_free(output);
    if (!result->data || hs_cache_entry_read(result->data, result->size, key, &result->entry)) {
        hs_error_set("no memory for the code of %.100s", job->options.name);
        free(result->data);
        result->data = NULL;
        return HIPSHIM_ERROR_NO_MEMORY;
    }
    return HIPSHIM_OK;
}

static hipshim_status_t compile(hipshim_kernel_t *kernel, const struct hs_kernel_job *job,
                                const char *identity, const unsigned char key[HS_CACHE_KEY])
{
    const struct hs_runtime *runtime = hs_dispatch_runtime();
    int hipcc = (job->options.flags & HIPSHIM_KERNEL_HIPCC) != 0;
    struct hs_kernel_output output;
    hipshim_status_t status, taken;

    if (!hipcc && hs_loader_open_hiprtc(runtime) == 0) {
        status = hs_hiprtc_compile(job, &output);
    } else {
        status = hs_hipcc_compile(job, &output);
        if (status == HIPSHIM_ERROR_NO_COMPILER && !hipcc) {
            hs_error_set("%.350s, and %s",
                         runtime->handle ? hs_loader_hiprtc(runtime)->reason : runtime->reason,
                         hs_error_get());
            status = runtime->handle ? HIPSHIM_ERROR_NO_COMPILER : HIPSHIM_ERROR_NO_RUNTIME;
        }
        hipcc = 1;
    }
    taken = take(kernel, job, &output, identity, key);
    if (status == HIPSHIM_OK && taken == HIPSHIM_OK) {
        kernel->origin = hipcc ? HIPSHIM_KERNEL_BY_HIPCC : HIPSHIM_KERNEL_COMPILED;
    }
    return status == HIPSHIM_OK ? taken : status;
}

static void keep(const hipshim_kernel_t *kernel, struct hs_cache *cache, const char *group,
                 const char *identity, const unsigned char key[HS_CACHE_KEY])
{
    if (hs_compiler_id_holds(cache, hs_dispatch_runtime(), identity)) {
        hs_cache_keep(cache, group, key, kernel->result.data, kernel->result.size);
    }
}

static int find(hipshim_kernel_t *kernel, const struct hs_kernel_job *job, struct hs_cache *cache,
                const unsigned char key[HS_CACHE_KEY])
{
    char group[HS_ARCH_ROOM + sizeof job->release + 1];

    snprintf(group, sizeof group, "%s-%s", job->arch, job->release);
    if (!hs_cache_find(cache, group, key, &kernel->result)) {
        return 0;
    }
    kernel->origin = HIPSHIM_KERNEL_CACHED;
    return 1;
}

/* Serves what the cache has for the runtime that would be opened, and does not open it. */
static int serve_unopened(hipshim_kernel_t *kernel, struct hs_kernel_job *job,
                          struct hs_cache *cache, struct hs_kernel_memo *memo)
{
    unsigned char key[HS_CACHE_KEY];

    hs_kernel_memo_recall(cache, memo);
    if (!memo->is_true) {
        return 0;
    }
    memcpy(job->release, memo->release, sizeof job->release);
    return hs_kernel_key(job, memo->identity, cache, key) == 0 && find(kernel, job, cache, key);
}

static hipshim_status_t compile_cached(hipshim_kernel_t *kernel, const struct hs_kernel_job *job,
                                       struct hs_cache *cache, const struct hs_kernel_memo *memo)
{
    unsigned char key[HS_CACHE_KEY] = {0};
    char identity[HS_COMPILER_ID] = "", group[HS_ARCH_ROOM + sizeof job->release + 1];
    struct hs_cache_lock lock = {-1, -1, ""};
    hipshim_status_t status;

    if (hs_compiler_id_get(cache, hs_dispatch_runtime(), job->arch, identity) != 0) {
        return compile(kernel, job, "", key);
    }
    hs_kernel_memo_remember(cache, memo, hs_dispatch_runtime(), identity);
    if (hs_kernel_key(job, identity, cache, key) != 0) {
        return compile(kernel, job, "", key);
    }
    if (find(kernel, job, cache, key)) {
        return HIPSHIM_OK;
    }
    /* Once more under the lock: whoever had it before was at work on just this. */
    snprintf(group, sizeof group, "%s-%s", job->arch, job->release);
    if (hs_kernel_wait(cache, group, key, &lock, &kernel->result) == HS_CACHE_BUSY ||
        hs_cache_find(cache, group, key, &kernel->result)) {
        kernel->origin = HIPSHIM_KERNEL_CACHED;
        hs_cache_unlock(&lock);
        return HIPSHIM_OK;
    }
    status = compile(kernel, job, identity, key);
    if (status == HIPSHIM_OK) {
        keep(kernel, cache, group, identity, key);
    }
    hs_cache_unlock(&lock);
    return status;
}

/* What rules the cache out before it is looked at; "" if it is not wanted at all. */
static const char *uncached(const struct hs_kernel_job *job)
{
    if (job->options.flags & HIPSHIM_KERNEL_NO_CACHE) {
        return "";
    }
    return job->options.flags & HIPSHIM_KERNEL_HIPCC ? HS_KERNEL_BY_HIPCC
                                                     : hs_hermetic_refusal(&job->options);
}

static void say(hipshim_kernel_t *kernel, const char *reason)
{
    if (*reason) {
        snprintf(kernel->note, sizeof kernel->note, "not kept in the kernel cache: %s", reason);
        hs_error_set("%s", kernel->note);
    }
}

void hs_kernel_release(const struct hs_runtime *runtime, char release[HS_KERNEL_RELEASE])
{
    snprintf(release, HS_KERNEL_RELEASE, "%d.%d.%u", runtime->major, runtime->minor,
             runtime->patch);
}

static const struct hs_runtime *open_runtime(struct hs_kernel_job *job)
{
    const struct hs_runtime *runtime = hs_dispatch_runtime();

    job->release[0] = '\0';
    if (runtime->handle) {
        hs_kernel_release(runtime, job->release);
    }
    return runtime;
}

static hipshim_status_t work_uncached(hipshim_kernel_t *kernel, struct hs_kernel_job *job,
                                      const char *reason)
{
    static const unsigned char no_key[HS_CACHE_KEY];
    const struct hs_runtime *runtime = open_runtime(job);
    hipshim_status_t status = compile(kernel, job, "", no_key);

    if (status == HIPSHIM_OK) {
        say(kernel, *reason && !runtime->handle ? HS_KERNEL_BY_HIPCC : reason);
    }
    return status;
}

static hipshim_status_t work_cached(hipshim_kernel_t *kernel, struct hs_kernel_job *job,
                                    struct hs_cache *cache)
{
    const struct hs_runtime *runtime;
    struct hs_kernel_memo memo;
    hipshim_status_t status;

    if (serve_unopened(kernel, job, cache, &memo)) {
        return HIPSHIM_OK;
    }
    runtime = open_runtime(job);
    if (!runtime->handle) {
        return work_uncached(kernel, job, HS_KERNEL_BY_HIPCC);
    }
    status = compile_cached(kernel, job, cache, &memo);
    if (status == HIPSHIM_OK && kernel->origin != HIPSHIM_KERNEL_CACHED) {
        say(kernel, cache->note);
    }
    return status;
}

static hipshim_status_t work(hipshim_kernel_t *kernel, struct hs_kernel_job *job)
{
    const char *reason = uncached(job);
    struct hs_cache cache;
    hipshim_status_t status;

    if (reason) {
        return work_uncached(kernel, job, reason);
    }
    hs_cache_open(&cache);
    status =
        cache.count > 0 ? work_cached(kernel, job, &cache) : work_uncached(kernel, job, cache.note);
    hs_cache_close(&cache);
    return status;
}

hipshim_status_t hipshim_kernel_compile(const hipshim_kernel_options_t *options,
                                        hipshim_kernel_t **kernel)
{
    struct hs_kernel_job job;
    hipshim_status_t status;

    if (!kernel) {
        return invalid("there is no place for the kernel");
    }
    *kernel = NULL;
    status = check(options, &job);
    if (status == HIPSHIM_OK) {
        status = hipshim_arch_detect(job.options.arch, job.arch, sizeof job.arch, NULL);
    }
    if (status == HIPSHIM_ERROR_INVALID) {
        return status;
    }
    *kernel = calloc(1, sizeof **kernel);
    if (!*kernel) {
        hs_error_set("no memory for a kernel");
        return HIPSHIM_ERROR_NO_MEMORY;
    }
    if (status != HIPSHIM_OK) {
        return status;
    }
    memcpy((*kernel)->arch, job.arch, sizeof job.arch);
    status = work(*kernel, &job);
    if (status == HIPSHIM_ERROR_NO_MEMORY) {
        hipshim_kernel_free(*kernel);
        *kernel = NULL;
    }
    return status;
}

void hipshim_kernel_free(hipshim_kernel_t *kernel)
{
    if (kernel) {
        free(kernel->result.data);
        free(kernel);
    }
}

const void *hipshim_kernel_code(const hipshim_kernel_t *kernel, size_t *size)
{
    int has = kernel && kernel->origin != HIPSHIM_KERNEL_NONE;

    if (size) {
        *size = has ? kernel->result.entry.code_size : 0;
    }
    return has ? kernel->result.entry.code : NULL;
}

const char *hipshim_kernel_log(const hipshim_kernel_t *kernel)
{
    return kernel && kernel->result.data ? kernel->result.entry.log : "";
}

const char *hipshim_kernel_arch(const hipshim_kernel_t *kernel)
{
    return kernel ? kernel->arch : "";
}

const char *hipshim_kernel_cache_message(const hipshim_kernel_t *kernel)
{
    return kernel ? kernel->note : "";
}

hipshim_kernel_origin_t hipshim_kernel_origin(const hipshim_kernel_t *kernel)
{
    return kernel ? kernel->origin : HIPSHIM_KERNEL_NONE;
}

const char *hipshim_kernel_lowered_name(const hipshim_kernel_t *kernel, const char *expression)
{
    const char *lowered = NULL;

    if (kernel && expression && kernel->origin != HIPSHIM_KERNEL_NONE) {
        lowered = hs_cache_entry_lowered_name(&kernel->result.entry, expression);
    }
    if (!lowered) {
        hs_error_set("hipshim_kernel_lowered_name: the kernel was not compiled with the expression "
                     "\"%.200s\"",
                     expression ? expression : "NULL");
    }
    return lowered;
}
