/* SPDX-License-Identifier: MIT */
/*
 * Modules that the threads of a process share.
 *
 * Invariants:
 * - `lock` guards the list and the members that change.  Nobody holds it while compiling, loading,
 *   unloading or calling HIP.
 * - A module is in the list from the first request for it until it fails or its last user leaves.
 *   One user is at work on a module that is LOADING, and publishes the result; the others wait.
 * - The wait is bounded, as in base/once.h: a thread in a constructor holds the dynamic linker's
 *   lock, which the thread at work may need to open the compiler.
 * - The content of a module that is LOADED does not change, so its users read it without the lock.
 * - A module belongs to the process that made it.  A child of fork neither finds nor unloads those
 *   of its parent, because HIP's state is of no use in a child.
 */
#include "kernel/kernel.h"

#include <hip/hip_runtime_api.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/sha256.h"

/*
 * In seconds; longer than most compilations, because a thread that gives up waiting compiles again.
 * A test defines a short one.
 */
#ifndef HIPSHIM_MODULE_WAIT
#define HIPSHIM_MODULE_WAIT 60
#endif

enum state { LOADING, LOADED, FAILED };

struct hipshim_module {
    struct hipshim_module *next;
    unsigned char key[HS_CACHE_KEY]; /* of content and place */
    pid_t process;
    size_t users; /* that hold it, load it or wait for it */
    enum state state;
    struct hs_module_content content;
    hipshim_status_t status; /* HIPSHIM_OK unless it FAILED; then `error` has the text */
    char error[HS_ERROR_SIZE];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static struct hipshim_module *modules;

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;

    changed = fresh; /* the old one counts threads that the child does not have */
    pthread_mutex_unlock(&lock);
}

static void prepare_for_fork(void)
{
    (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static struct hipshim_module *find_locked(const unsigned char key[HS_CACHE_KEY])
{
    struct hipshim_module *at = modules;

    while (at && (at->process != getpid() || memcmp(at->key, key, HS_CACHE_KEY) != 0)) {
        at = at->next;
    }
    return at;
}

/* Nothing happens if the module is not in the list. */
static void remove_locked(const struct hipshim_module *module)
{
    struct hipshim_module **at = &modules;

    while (*at && *at != module) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = module->next;
    }
}

static void discard_content(const struct hs_module_content *content, bool is_own)
{
    if (content->handle && is_own) {
        hipError_t before = hipPeekAtLastError();

        /* It fails after the runtime's end, which has unloaded the module. */
        if (hipModuleUnload(content->handle) != hipSuccess && before == hipSuccess) {
            (void)hipGetLastError();
        }
    }
    hipshim_kernel_free(content->kernel);
}

/* The module of that key, with the caller among its users; `fresh` becomes it if there is none. */
static struct hipshim_module *join(struct hipshim_module *fresh, bool *must_load)
{
    pthread_mutex_lock(&lock);
    struct hipshim_module *module = find_locked(fresh->key);

    *must_load = !module;
    if (!module) {
        module = fresh;
        module->next = modules;
        modules = module;
    }
    module->users++;
    pthread_mutex_unlock(&lock);
    return module;
}

/* False if the module is still LOADING after the longest wait. */
static bool await(struct hipshim_module *module)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += HIPSHIM_MODULE_WAIT;
    pthread_mutex_lock(&lock);
    while (module->state == LOADING && pthread_cond_timedwait(&changed, &lock, &end) != ETIMEDOUT) {
    }
    bool is_there = module->state != LOADING;

    pthread_mutex_unlock(&lock);
    return is_there;
}

/* Publishes what a load gave, unless another thread was first. */
static void publish(struct hipshim_module *module, hipshim_status_t status,
                    const struct hs_module_content *content)
{
    pthread_mutex_lock(&lock);
    bool is_first = module->state == LOADING;

    if (is_first && status == HIPSHIM_OK) {
        module->content = *content;
        module->state = LOADED;
    } else if (is_first) {
        snprintf(module->error, sizeof module->error, "%s", hs_error_get());
        module->status = status;
        module->state = FAILED;
        remove_locked(module); /* so that the next request tries again */
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (!is_first || status != HIPSHIM_OK) {
        discard_content(content, true);
    }
}

static void leave(struct hipshim_module *module)
{
    pthread_mutex_lock(&lock);
    bool is_last = --module->users == 0;

    if (is_last) {
        remove_locked(module);
    }
    pthread_mutex_unlock(&lock);
    if (is_last) {
        discard_content(&module->content, module->process == getpid());
        free(module);
    }
}

static void add_place(struct hs_sha256 *sum, const struct hs_place *place)
{
    hs_sha256_add(sum, &place->device, sizeof place->device);
    hs_sha256_add(sum, &place->context, sizeof place->context);
    hs_sha256_add(sum, &place->reset_id, sizeof place->reset_id);
}

hipshim_status_t hs_module_share(const unsigned char digest[HS_CACHE_KEY], hs_module_load load,
                                 const void *context, hipshim_module_t **module)
{
    struct hs_place place;
    struct hs_sha256 sum;
    hipshim_status_t status = hs_place_find(&place);
    struct hipshim_module *fresh = status == HIPSHIM_OK ? calloc(1, sizeof *fresh) : NULL;
    bool must_load;

    if (status == HIPSHIM_OK && !fresh) {
        hs_error_set("hipshim_module: no memory");
        status = HIPSHIM_ERROR_NO_MEMORY;
    }
    if (!fresh) {
        return status;
    }
    hs_sha256_begin(&sum);
    hs_sha256_add(&sum, digest, HS_CACHE_KEY);
    add_place(&sum, &place);
    hs_sha256_end(&sum, fresh->key);
    fresh->process = getpid();
    pthread_once(&fork_once, prepare_for_fork);
    *module = join(fresh, &must_load);
    if (*module != fresh) {
        free(fresh);
    }
    if (must_load || !await(*module)) {
        struct hs_module_content content = {0};

        status = load(context, &content);
        publish(*module, status, &content);
    }
    status = (*module)->status;
    if (status != HIPSHIM_OK) {
        hs_error_set("%s", (*module)->error);
        leave(*module);
        *module = NULL;
    }
    return status;
}

hipshim_status_t hs_module_load_code(const char *name, const char *arch, const void *code,
                                     hipModule_t *handle)
{
    hipError_t error = hipModuleLoadData(handle, code);

    if (error != hipSuccess) {
        *handle = NULL;
        hs_error_set("the runtime refuses the kernel \"%.100s\" for %s: %s", name, arch,
                     hipGetErrorName(error));
        return HIPSHIM_ERROR_SYSTEM;
    }
    return HIPSHIM_OK;
}

static hipshim_status_t load_kernel(const void *context, struct hs_module_content *content)
{
    const hipshim_kernel_options_t *options = context;
    hipshim_status_t status = hipshim_kernel_compile(options, &content->kernel);

    if (status != HIPSHIM_OK) {
        hs_kernel_error_add_log(content->kernel);
        return status;
    }
    return hs_module_load_code(options->name, options->arch,
                               hipshim_kernel_code(content->kernel, NULL), &content->handle);
}

/* The digest of all that the code depends on, except the compiler, of which a process has one. */
static hipshim_status_t digest_job(struct hs_kernel_job *job, unsigned char digest[HS_CACHE_KEY])
{
    struct hs_cache messages = {0};
    unsigned flags = job->options.flags & ~(unsigned)HIPSHIM_KERNEL_NO_CACHE;
    const char *hipcc = job->options.hipcc ? job->options.hipcc : "";
    unsigned char key[HS_CACHE_KEY];
    struct hs_sha256 sum;

    (void)hs_hermetic_refusal(&job->options, &job->reads_hip);
    if (!hs_kernel_key(job, "", &messages, key)) {
        hs_error_set("%s", messages.note);
        return HIPSHIM_ERROR_SYSTEM;
    }
    hs_sha256_begin(&sum);
    hs_sha256_add(&sum, "kernel", sizeof "kernel");
    hs_sha256_add(&sum, key, sizeof key);
    hs_sha256_add(&sum, &flags, sizeof flags);
    hs_sha256_add(&sum, hipcc, strlen(hipcc));
    hs_sha256_end(&sum, digest);
    return HIPSHIM_OK;
}

hipshim_status_t hipshim_module_get(const hipshim_kernel_options_t *options,
                                    hipshim_module_t **module)
{
    struct hs_kernel_job job;
    unsigned char digest[HS_CACHE_KEY];

    if (!module) {
        hs_error_set("hipshim_module_get: `module` is NULL");
        return HIPSHIM_ERROR_INVALID;
    }
    *module = NULL;
    hipshim_status_t status = hs_kernel_job_read(&job, options);

    if (status == HIPSHIM_OK) {
        status = hipshim_init(); /* a compiler without a runtime is not enough */
    }
    if (status == HIPSHIM_OK) {
        status = digest_job(&job, digest);
    }
    if (status != HIPSHIM_OK) {
        return status;
    }
    job.options.arch = job.arch;
    return hs_module_share(digest, load_kernel, &job.options, module);
}

hipModule_t hipshim_module_handle(const hipshim_module_t *module)
{
    return module ? module->content.handle : NULL;
}

const hipshim_kernel_t *hipshim_module_kernel(const hipshim_module_t *module)
{
    return module ? module->content.kernel : NULL;
}

void hipshim_module_release(hipshim_module_t *module)
{
    if (module) {
        leave(module);
    }
}
