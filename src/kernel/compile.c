/* SPDX-License-Identifier: MIT */
/*
 * hipshim_kernel_compile: looks in the cache, compiles, and keeps the result.
 */
#include "kernel/kernel.h"

#include <hip/hip_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/compiler_inputs.h"
#include "base/error.h"

struct hipshim_kernel {
    struct hs_cache_found result; /* in the form of an entry, whether it is kept or not */
    hipshim_kernel_origin_t origin;
    char arch[HS_ARCH_ROOM];
    char message[HS_CACHE_NOTE + 40];
};

struct group {
    char name[HS_ARCH_ROOM + HS_KERNEL_RELEASE + 1];
};

static struct group group_of(const struct hs_kernel_job *job)
{
    struct group group;

    snprintf(group.name, sizeof group.name, "%s-%s", job->arch, job->release);
    return group;
}

/* Moves the output into the kernel. */
static hipshim_status_t take_output(hipshim_kernel_t *kernel, const struct hs_kernel_job *job,
                                    struct hs_kernel_output *output, const char *compiler,
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
                                         .compiler = compiler,
                                         .created = (uint64_t)time(NULL),
                                         .key = key};
    struct hs_cache_found *result = &kernel->result;

    result->data = hs_cache_entry_write(&entry, &result->size);
    hs_kernel_output_free(output);
    if (!result->data || hs_cache_entry_read(result->data, result->size, key, &result->entry)) {
        hs_error_set("%.100s: no memory for its code", job->options.name);
        free(result->data);
        result->data = NULL;
        return HIPSHIM_ERROR_NO_MEMORY;
    }
    return HIPSHIM_OK;
}

/* Puts the reason why there is no hiprtc in front of the error text. */
static hipshim_status_t no_compiler(void)
{
    hipshim_runtime_t runtime = {.size = sizeof runtime};
    char offline[HS_ERROR_SIZE];

    snprintf(offline, sizeof offline, "%s", hs_error_get());
    hipshim_runtime_info(&runtime);
    hs_error_set("%.350s, and %s", runtime.path ? runtime.hiprtc_text : runtime.no_runtime_text,
                 offline);
    return runtime.path ? HIPSHIM_ERROR_NO_COMPILER : HIPSHIM_ERROR_NO_RUNTIME;
}

static bool has_hiprtc(const struct hs_kernel_job *job)
{
    hipshim_runtime_t runtime = {.size = sizeof runtime};

    return job->runtime && hipshim_runtime_info(&runtime) == HIPSHIM_OK && runtime.hiprtc_path;
}

static hipshim_status_t compile(hipshim_kernel_t *kernel, const struct hs_kernel_job *job,
                                const char *compiler, const unsigned char key[HS_CACHE_KEY])
{
    bool is_asked_for = (job->options.flags & HIPSHIM_KERNEL_HIPCC) != 0;
    bool is_offline = is_asked_for || !has_hiprtc(job);
    struct hs_kernel_output output = {0};
    hipshim_status_t status =
        is_offline ? hs_offline_compile(job, &output) : hs_hiprtc_compile(job, &output);

    if (is_offline && status == HIPSHIM_ERROR_NO_COMPILER && !is_asked_for) {
        status = no_compiler();
    }
    hipshim_status_t taken = take_output(kernel, job, &output, compiler, key);

    if (status == HIPSHIM_OK && taken == HIPSHIM_OK) {
        kernel->origin = is_offline ? HIPSHIM_KERNEL_BY_HIPCC : HIPSHIM_KERNEL_COMPILED;
    }
    return status == HIPSHIM_OK ? taken : status;
}

static bool find_kernel(hipshim_kernel_t *kernel, const struct hs_kernel_job *job,
                        struct hs_cache *cache, const unsigned char key[HS_CACHE_KEY])
{
    const struct group group = group_of(job);

    if (!hs_cache_find(cache, group.name, key, &kernel->result)) {
        return false;
    }
    kernel->origin = HIPSHIM_KERNEL_CACHED;
    return true;
}

static void set_message(hipshim_kernel_t *kernel, const char *reason)
{
    if (*reason) {
        snprintf(kernel->message, sizeof kernel->message, "not kept in the kernel cache: %s",
                 reason);
        hs_error_set("%s", kernel->message);
    }
}

static hipshim_status_t compile_uncached(hipshim_kernel_t *kernel, const struct hs_kernel_job *job,
                                         const char *reason)
{
    static const unsigned char no_key[HS_CACHE_KEY];
    hipshim_status_t status = compile(kernel, job, "", no_key);

    if (status == HIPSHIM_OK) {
        set_message(kernel, *reason && !job->runtime ? HS_KERNEL_BY_HIPCC : reason);
    }
    return status;
}

/* Compiles under the lock of the key, and keeps the result. */
static hipshim_status_t compile_and_keep(hipshim_kernel_t *kernel, const struct hs_kernel_job *job,
                                         struct hs_cache *cache, const char *compiler,
                                         const unsigned char key[HS_CACHE_KEY])
{
    const struct group group = group_of(job);
    struct hs_cache_lock lock = HS_CACHE_LOCK_NONE;
    hipshim_status_t status = HIPSHIM_OK;

    /* Look again under the lock: its last owner was at work on just this entry. */
    if (hs_cache_wait(cache, group.name, key, &lock, &kernel->result) == HS_CACHE_LOCK_BUSY) {
        kernel->origin = HIPSHIM_KERNEL_CACHED;
    } else if (!find_kernel(kernel, job, cache, key)) {
        status = compile(kernel, job, compiler, key);
        if (status == HIPSHIM_OK && hs_compiler_id_verify(cache, job, compiler)) {
            hs_cache_store(cache, group.name, key, kernel->result.data, kernel->result.size);
        }
    }
    hs_cache_unlock(&lock);
    if (status == HIPSHIM_OK && kernel->origin != HIPSHIM_KERNEL_CACHED) {
        set_message(kernel, cache->note);
    }
    return status;
}

/* Only texts that hs_hermetic_refusal has passed are stored, so a hit need not read them again. */
static hipshim_status_t serve(hipshim_kernel_t *kernel, struct hs_kernel_job *job,
                              struct hs_cache *cache)
{
    unsigned char key[HS_CACHE_KEY];
    char compiler[HS_COMPILER_ID];
    bool is_known = hs_compiler_id_recall(cache, job, compiler);

    if (is_known && hs_kernel_key(job, compiler, cache, key) &&
        find_kernel(kernel, job, cache, key)) {
        return HIPSHIM_OK;
    }
    const char *refusal = hs_hermetic_refusal(&job->options, &job->reads_hip);

    if (refusal || (!is_known && !hs_compiler_id_probe(cache, job, compiler)) ||
        !hs_kernel_key(job, compiler, cache, key)) {
        return compile_uncached(kernel, job, refusal ? refusal : cache->note);
    }
    return find_kernel(kernel, job, cache, key)
               ? HIPSHIM_OK
               : compile_and_keep(kernel, job, cache, compiler, key);
}

static hipshim_status_t compile_cached(hipshim_kernel_t *kernel, struct hs_kernel_job *job)
{
    struct hs_cache cache;

    hs_cache_open(&cache);
    hipshim_status_t status =
        cache.count > 0 && job->runtime
            ? serve(kernel, job, &cache)
            : compile_uncached(kernel, job, cache.count ? HS_KERNEL_BY_HIPCC : cache.note);

    hs_cache_close(&cache);
    return status;
}

/* The reason not to use the cache, "" if the caller does not want it; NULL to use it. */
static const char *cache_refusal(const struct hs_kernel_job *job)
{
    if (job->options.flags & HIPSHIM_KERNEL_NO_CACHE) {
        return "";
    }
    if (job->options.flags & HIPSHIM_KERNEL_HIPCC) {
        return HS_KERNEL_BY_HIPCC;
    }
    return hs_compiler_environment_may_read()
               ? "a variable such as CPATH or HIPRTC_COMPILE_OPTIONS_APPEND may name files"
               : NULL;
}

/* Opens the runtime, if there is one.  Its release counts unless another one was given. */
static void find_runtime(struct hs_kernel_job *job)
{
    int version = 0;

    job->runtime = hipshim_runtime_path();
    if (job->runtime && !*job->release && hipRuntimeGetVersion(&version) == hipSuccess) {
        snprintf(job->release, sizeof job->release, "%d.%d.%d", version / 10000000,
                 version / 100000 % 100, version % 100000);
    }
}

hipshim_status_t hs_kernel_job_read(struct hs_kernel_job *job,
                                    const hipshim_kernel_options_t *given)
{
    hipshim_status_t status = hs_kernel_options_read(job, given);

    if (status == HIPSHIM_OK) {
        status = hipshim_arch_detect(job->options.arch, job->arch, sizeof job->arch, NULL);
    }
    if (status == HIPSHIM_OK) {
        find_runtime(job);
    }
    return status;
}

void hs_kernel_error_add_log(const hipshim_kernel_t *kernel)
{
    if (*hipshim_kernel_log(kernel)) {
        hs_error_set("%.300s: %.700s", hs_error_get(), hipshim_kernel_log(kernel));
    }
}

hipshim_status_t hipshim_kernel_compile(const hipshim_kernel_options_t *options,
                                        hipshim_kernel_t **kernel)
{
    struct hs_kernel_job job;

    if (!kernel) {
        hs_error_set("hipshim_kernel_compile: `kernel` is NULL");
        return HIPSHIM_ERROR_INVALID;
    }
    *kernel = NULL;
    hipshim_status_t status = hs_kernel_job_read(&job, options);

    if (status == HIPSHIM_ERROR_INVALID) {
        return status;
    }
    *kernel = calloc(1, sizeof **kernel);
    if (!*kernel) {
        hs_error_set("hipshim_kernel_compile: no memory");
        return HIPSHIM_ERROR_NO_MEMORY;
    }
    if (status != HIPSHIM_OK) {
        return status;
    }
    memcpy((*kernel)->arch, job.arch, sizeof job.arch);
    const char *refusal = cache_refusal(&job);

    status = refusal ? compile_uncached(*kernel, &job, refusal) : compile_cached(*kernel, &job);
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
    bool has_code = kernel && kernel->origin != HIPSHIM_KERNEL_NONE;

    if (size) {
        *size = has_code ? kernel->result.entry.code_size : 0;
    }
    return has_code ? kernel->result.entry.code : NULL;
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
    return kernel ? kernel->message : "";
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
