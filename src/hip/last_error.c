/* SPDX-License-Identifier: MIT */
#include "hip/last_error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine/dispatch.h"
#include "functions.h"
#include "hip/emulate.h"

/* Used without a runtime only. */
static _Thread_local hipError_t last;

/* The runtime's own function, NULL if it has none. */
#define RUNTIME(name) ((__typeof__(&name))hs_dispatch_runtime_function(HS_FN_##name))

hipError_t hs_last_error_set(hipError_t error)
{
    if (!hs_dispatch_has_runtime()) {
        last = error;
        return error;
    }
    /*
     * No release of the runtime on AMD supports this call, and the call has no effect but to
     * record hipErrorNotSupported.  hipErrorOutOfMemory is recorded as hipErrorNotSupported too:
     * a call that runs out of memory could end a stream capture.
     */
    __typeof__(&hipCtxSetCacheConfig) not_supported = RUNTIME(hipCtxSetCacheConfig);
    if (error != hipErrorInvalidValue && not_supported &&
        not_supported(hipFuncCachePreferNone) != hipSuccess) {
        return error;
    }
    __typeof__(&hipGetDevice) invalid_value = RUNTIME(hipGetDevice);
    if (invalid_value) {
        invalid_value(NULL);
    }
    return error;
}

hs_last_error_function hs_last_error_of_last_call(void)
{
    static hs_last_error_function _Atomic function;
    static atomic_bool is_known;

    /* Threads that look it up at the same time store the same address. */
    if (!atomic_load_explicit(&is_known, memory_order_acquire)) {
        atomic_store_explicit(
            &function, (hs_last_error_function)hs_dispatch_runtime_symbol("hipExtGetLastError"),
            memory_order_relaxed);
        atomic_store_explicit(&is_known, true, memory_order_release);
    }
    return atomic_load_explicit(&function, memory_order_relaxed);
}

void hs_last_error_clear(void)
{
    __typeof__(&hipGetLastError) last_error = RUNTIME(hipGetLastError);
    if (last_error) {
        last_error();
    }
    hs_last_error_function result_of_last_call = hs_last_error_of_last_call();
    if (result_of_last_call) {
        result_of_last_call();
    }
}

hipError_t hs_last_error_result(hipError_t result)
{
    if (result != hipSuccess) {
        return hs_last_error_set(result);
    }
#ifdef HS_SEMANTICS_older_hipGetLastError
    hs_last_error_clear();
#endif
    return hipSuccess;
}

void hs_last_error_failed(unsigned function, enum hs_failure kind)
{
    static const hipError_t errors[] = {
        [HS_FAILURE_MISSING] = hipErrorNotSupported,
        [HS_FAILURE_NO_RUNTIME] = hipErrorInsufficientDriver,
        [HS_FAILURE_UNREPRESENTABLE] = hipErrorNotSupported,
        [HS_FAILURE_NO_MEMORY] = hipErrorOutOfMemory,
    };
    if (hs_function_entries[function].library == 0) {
        hs_last_error_set(errors[kind]);
    }
}

hipError_t hs_emulate_hipGetLastError(void)
{
    hipError_t error = last;
    last = hipSuccess;
    return error;
}

hipError_t hs_emulate_hipPeekAtLastError(void)
{
    return last;
}
