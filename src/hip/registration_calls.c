/* SPDX-License-Identifier: MIT */
#include "hip/registration_calls.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"
#include "caller_abi.h"
#include "engine/dispatch.h"
#include "engine/search_log.h"
#include "functions.h"
#include "hip/last_error.h"
#include "hip/registration.h"

/* This thread's last error, which the runtime has as hipErrorNotSupported (last_error.c). */
static _Thread_local bool has_no_binary;

/* A module was refused; see hs_registered_refuse. */
static atomic_bool has_refused_module;

hipError_t hs_registered_refuse(void)
{
    if (!atomic_exchange(&has_refused_module, true)) {
        hs_registered_update();
    }
    hs_last_error_set(hipErrorNoBinaryForGpu);
    has_no_binary = true;
    return hipErrorNoBinaryForGpu;
}

void hs_registered_report(void)
{
    if (hs_dropin_number >= 0) {
        hs_search_log_print("%s", hs_error_get());
    }
}

static bool is_refused(const void *host)
{
    bool is_first;

    if (!hs_registration_explain(host, &is_first)) {
        return false;
    }
    if (is_first) {
        hs_registered_report();
    }
    hs_registered_refuse();
    return true;
}

static hipError_t last_error(hipError_t of_runtime, bool is_cleared)
{
    bool is_refusal = has_no_binary && of_runtime == hipErrorNotSupported;

    has_no_binary = is_refusal && !is_cleared;
    return is_refusal ? hipErrorNoBinaryForGpu : of_runtime;
}

/* explain_NAME goes before the function at next_NAME. */
#define HS_REGISTERED(name, result, parameters, arguments, address, failure)                       \
    static hs_function next_##name;                                                                \
    static result explain_##name parameters                                                        \
    {                                                                                              \
        if (is_refused(address)) {                                                                 \
            return failure;                                                                        \
        }                                                                                          \
        return ((__typeof__(&name))next_##name)arguments;                                          \
    }
#include "registered_functions.h"
#undef HS_REGISTERED

#define LAST_ERROR(name, is_cleared)                                                               \
    static hs_function next_##name;                                                                \
    static hipError_t explain_##name(void)                                                         \
    {                                                                                              \
        return last_error(((__typeof__(&name))next_##name)(), is_cleared);                         \
    }
LAST_ERROR(hipGetLastError, true)
LAST_ERROR(hipPeekAtLastError, false)
#ifdef HS_OFFERS_hipExtGetLastError
LAST_ERROR(hipExtGetLastError, true)
#endif

static const struct wrapper {
    unsigned function;
    hs_function entry;
    hs_function *next;
} wrappers[] = {
#define WRAPPER(name)            {HS_FN_##name, (hs_function)explain_##name, &next_##name},
#define HS_REGISTERED(name, ...) WRAPPER(name)
#include "registered_functions.h"
    WRAPPER(hipGetLastError) WRAPPER(hipPeekAtLastError)
#ifdef HS_OFFERS_hipExtGetLastError
        WRAPPER(hipExtGetLastError)
#endif
};

/* Held while targets change, which opens nothing and calls nothing of the runtime. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void hs_registered_update(void)
{
    pthread_mutex_lock(&mutex);
    bool is_refused = hs_registration_has_refused() || has_refused_module;
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
        const struct wrapper *wrapper = &wrappers[i];

        if (is_refused) {
            hs_dispatch_wrap(wrapper->function, wrapper->entry, wrapper->next);
        }
        hs_dispatch_set_target(wrapper->function, hs_dispatch_target(wrapper->function));
    }
    pthread_mutex_unlock(&mutex);
}

bool hs_registered_describe(struct hs_registration_reader *reader, int major, int minor)
{
    int release = major * 100 + minor;

    reader->newest_object = release < HS_SINCE_CODE_OBJECT_5   ? 4
                            : release < HS_SINCE_CODE_OBJECT_6 ? 5
                                                               : INT_MAX;
    reader->newest_bundle = release < HS_SINCE_COMPRESSED_BUNDLE_2 ? 0
                            : release < HS_SINCE_ALL_CODE          ? 2
                                                                   : INT_MAX;
    reader->needs_all_devices = release < HS_SINCE_PART_OF_THE_DEVICES;
    return release < HS_SINCE_ALL_CODE;
}
