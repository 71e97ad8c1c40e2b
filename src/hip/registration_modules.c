/* SPDX-License-Identifier: MIT */
#include "hip/registration_modules.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "caller_abi.h"
#include "engine/dispatch.h"
#include "functions.h"
#include "hip/registration.h"
#include "hip/registration_calls.h"

static struct hs_registration_reader reader;

/* The runtime reads the code as long as the module is loaded. */
struct adapted {
    struct adapted *next;
    hipModule_t module;
    void *code;
};

/* Protects the list; no call is made while it is held. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct adapted *first;

static void keep(struct adapted *adapted)
{
    pthread_mutex_lock(&mutex);
    adapted->next = first;
    first = adapted;
    pthread_mutex_unlock(&mutex);
}

static struct adapted *take(hipModule_t module)
{
    pthread_mutex_lock(&mutex);
    struct adapted **at = &first, *found = NULL;

    while (*at && (*at)->module != module) {
        at = &(*at)->next;
    }
    if (*at) {
        found = *at;
        *at = found->next;
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

/* Reported once for the process, because a program may try one code after the other. */
static hipError_t refuse(const char *subject, const char *reason)
{
    static atomic_flag is_reported = ATOMIC_FLAG_INIT;

    hs_error_set("%s: %s", subject, reason);
    if (!atomic_flag_test_and_set(&is_reported)) {
        hs_registered_report();
    }
    return hs_registered_refuse();
}

typedef hipError_t (*load_function)(hipModule_t *module, const void *image, void *context);

/* Loads the code in the form that the runtime reads. */
static hipError_t load(const char *subject, hipModule_t *module, const void *image, size_t size,
                       load_function next, void *context)
{
    char reason[HS_BUNDLE_REASON];
    void *code = NULL;

    if (module && image && !hs_bundle_adapt(image, size, &reader, &code, reason)) {
        return refuse(subject, reason);
    }
    hipError_t result = next(module, code ? code : image, context);
    if (code) {
        struct adapted *adapted = result == hipSuccess ? malloc(sizeof *adapted) : NULL;

        if (adapted) {
            *adapted = (struct adapted){.module = *module, .code = code};
            keep(adapted);
        } else if (result != hipSuccess) {
            free(code);
        }
    }
    return result;
}

#define NEXT(name) ((__typeof__(&name))next_##name)

static hs_function next_hipModuleLoadData, next_hipModuleLoadDataEx, next_hipModuleLoad,
    next_hipModuleUnload;

static hipError_t load_data(hipModule_t *module, const void *image, void *context)
{
    (void)context;
    return NEXT(hipModuleLoadData)(module, image);
}

static hipError_t adapt_hipModuleLoadData(hipModule_t *module, const void *image)
{
    return load("hipModuleLoadData", module, image, 0, load_data, NULL);
}

struct extended {
    unsigned count;
    hipJitOption *options;
    void **values;
};

static hipError_t load_extended(hipModule_t *module, const void *image, void *context)
{
    const struct extended *with = context;

    return NEXT(hipModuleLoadDataEx)(module, image, with->count, with->options, with->values);
}

static hipError_t adapt_hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned count,
                                            hipJitOption *options, void **values)
{
    return load("hipModuleLoadDataEx", module, image, 0, load_extended,
                &(struct extended){count, options, values});
}

/* The file itself goes to the runtime unless its code has to be adapted. */
struct file {
    const char *name;
    const void *image;
};

static hipError_t load_file(hipModule_t *module, const void *image, void *context)
{
    const struct file *file = context;

    return image == file->image ? NEXT(hipModuleLoad)(module, file->name)
                                : HS_SLOT(hipModuleLoadData)(module, image);
}

static hipError_t adapt_hipModuleLoad(hipModule_t *module, const char *name)
{
    int descriptor = module && name ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    struct stat status = {.st_size = 0};
    void *image = MAP_FAILED;

    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
        image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (image == MAP_FAILED) {
        return NEXT(hipModuleLoad)(module, name);
    }
    hipError_t result =
        load(name, module, image, (size_t)status.st_size, load_file, &(struct file){name, image});
    munmap(image, (size_t)status.st_size);
    return result;
}

static hipError_t adapt_hipModuleUnload(hipModule_t module)
{
    struct adapted *adapted = take(module);
    hipError_t result = NEXT(hipModuleUnload)(module);

    if (adapted && result != hipSuccess) {
        keep(adapted);
    } else if (adapted) {
        free(adapted->code);
        free(adapted);
    }
    return result;
}

#define ADAPT(name) hs_dispatch_wrap(HS_FN_##name, (hs_function)adapt_##name, &next_##name)

void hs_module_code_adapt(const struct hs_runtime *runtime)
{
    if (hs_registered_describe(&reader, runtime->major, runtime->minor)) {
        ADAPT(hipModuleLoadData);
        ADAPT(hipModuleLoadDataEx);
        ADAPT(hipModuleLoad);
        ADAPT(hipModuleUnload);
    }
}
