/* SPDX-License-Identifier: MIT */
#include "dispatch/registered.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/at_exit.h"
#include "caller_abi.h"
#include "dispatch/dispatch.h"
#include "dispatch/last_error.h"
#include "functions.h"
#include "registration/registration.h"

enum { DEVICES = 64 };

/* tests/dispatch/kernels_are_waited_for.t compares this list with the declarations. */
static const bool takes_registered[HS_FUNCTION_COUNT] = {
    [HS_FN_hipBindTexture] = true,
    [HS_FN_hipBindTexture2D] = true,
    [HS_FN_hipBindTextureToArray] = true,
    [HS_FN_hipBindTextureToMipmappedArray] = true,
    [HS_FN_hipExtLaunchKernel] = true,
    [HS_FN_hipExtLaunchMultiKernelMultiDevice] = true,
    [HS_FN_hipFuncGetAttributes] = true,
    [HS_FN_hipFuncSetAttribute] = true,
    [HS_FN_hipFuncSetCacheConfig] = true,
    [HS_FN_hipFuncSetSharedMemConfig] = true,
    [HS_FN_hipGetFuncBySymbol] = true,
    [HS_FN_hipGetSymbolAddress] = true,
    [HS_FN_hipGetSymbolSize] = true,
    [HS_FN_hipGetTextureAlignmentOffset] = true,
    [HS_FN_hipGetTextureReference] = true,
    [HS_FN_hipGraphAddKernelNode] = true,
    [HS_FN_hipGraphAddMemcpyNodeFromSymbol] = true,
    [HS_FN_hipGraphAddMemcpyNodeToSymbol] = true,
    [HS_FN_hipGraphAddNode] = true,
    [HS_FN_hipGraphExecKernelNodeSetParams] = true,
    [HS_FN_hipGraphExecMemcpyNodeSetParamsFromSymbol] = true,
    [HS_FN_hipGraphExecMemcpyNodeSetParamsToSymbol] = true,
    [HS_FN_hipGraphExecNodeSetParams] = true,
    [HS_FN_hipGraphKernelNodeSetParams] = true,
    [HS_FN_hipGraphMemcpyNodeSetParamsFromSymbol] = true,
    [HS_FN_hipGraphMemcpyNodeSetParamsToSymbol] = true,
    [HS_FN_hipGraphNodeSetParams] = true,
    [HS_FN_hipKernelNameRefByPtr] = true,
    [HS_FN_hipLaunchByPtr] = true,
    [HS_FN_hipLaunchCooperativeKernel] = true,
    [HS_FN_hipLaunchCooperativeKernelMultiDevice] = true,
    [HS_FN_hipLaunchCooperativeKernel_spt] = true,
    [HS_FN_hipLaunchKernel] = true,
    [HS_FN_hipLaunchKernelExC] = true,
    [HS_FN_hipLaunchKernel_spt] = true,
    [HS_FN_hipMemcpyFromSymbol] = true,
    [HS_FN_hipMemcpyFromSymbolAsync] = true,
    [HS_FN_hipMemcpyFromSymbolAsync_spt] = true,
    [HS_FN_hipMemcpyFromSymbol_spt] = true,
    [HS_FN_hipMemcpyToSymbol] = true,
    [HS_FN_hipMemcpyToSymbolAsync] = true,
    [HS_FN_hipMemcpyToSymbolAsync_spt] = true,
    [HS_FN_hipMemcpyToSymbol_spt] = true,
    [HS_FN_hipOccupancyAvailableDynamicSMemPerBlock] = true,
    [HS_FN_hipOccupancyMaxActiveBlocksPerMultiprocessor] = true,
    [HS_FN_hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags] = true,
    [HS_FN_hipOccupancyMaxActiveClusters] = true,
    [HS_FN_hipOccupancyMaxPotentialBlockSize] = true,
    [HS_FN_hipOccupancyMaxPotentialClusterSize] = true,
    [HS_FN_hipUnbindTexture] = true,
};

/*
 * `is_direct` is set when a call needs what is registered: a fat binary that comes later is handed
 * over as it comes.  `is_done` is set after all that was there is handed over; from then on the
 * slots are as those of other functions.
 */
static atomic_bool is_direct;
static atomic_bool is_done;

bool hs_registered_defers(unsigned function)
{
    return takes_registered[function] && !is_done;
}

/* --- calls that name a refused fat binary --- */

/* This thread's last error, which the runtime has as hipErrorNotSupported (last_error.c). */
static _Thread_local bool has_no_binary;

static bool is_refused(const void *host)
{
    if (!hs_registration_explain(host)) {
        return false;
    }
    hs_last_error_set(hipErrorNoBinaryForGpu);
    has_no_binary = true;
    return true;
}

static hipError_t last_error(hipError_t of_runtime, bool is_cleared)
{
    bool is_refusal = has_no_binary && of_runtime == hipErrorNotSupported;

    has_no_binary = is_refusal && !is_cleared;
    return is_refusal ? hipErrorNoBinaryForGpu : of_runtime;
}

/* Defines explain_NAME, and behind_NAME for the function that it stands before. */
#define EXPLAINED(name, host, parameters, arguments)                                               \
    static hs_function behind_##name;                                                              \
    static hipError_t explain_##name parameters                                                    \
    {                                                                                              \
        return is_refused(host) ? hipErrorNoBinaryForGpu                                           \
                                : ((__typeof__(&name))behind_##name)arguments;                     \
    }

EXPLAINED(hipLaunchKernel, kernel,
          (const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
           hipStream_t stream),
          (kernel, grid, block, args, shared, stream))
EXPLAINED(hipLaunchKernel_spt, kernel,
          (const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
           hipStream_t stream),
          (kernel, grid, block, args, shared, stream))
EXPLAINED(hipLaunchCooperativeKernel, kernel,
          (const void *kernel, dim3 grid, dim3 block, void **args, unsigned shared,
           hipStream_t stream),
          (kernel, grid, block, args, shared, stream))
EXPLAINED(hipLaunchCooperativeKernel_spt, kernel,
          (const void *kernel, dim3 grid, dim3 block, void **args, unsigned shared,
           hipStream_t stream),
          (kernel, grid, block, args, shared, stream))
EXPLAINED(hipLaunchKernelExC, kernel,
          (const hipLaunchConfig_t *config, const void *kernel, void **args),
          (config, kernel, args))
EXPLAINED(hipExtLaunchKernel, kernel,
          (const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
           hipStream_t stream, hipEvent_t start, hipEvent_t stop, int flags),
          (kernel, grid, block, args, shared, stream, start, stop, flags))
EXPLAINED(hipFuncGetAttributes, kernel, (struct hipFuncAttributes * attributes, const void *kernel),
          (attributes, kernel))
EXPLAINED(hipMemcpyToSymbol, symbol,
          (const void *symbol, const void *from, size_t size, size_t offset, hipMemcpyKind kind),
          (symbol, from, size, offset, kind))
EXPLAINED(hipMemcpyFromSymbol, symbol,
          (void *to, const void *symbol, size_t size, size_t offset, hipMemcpyKind kind),
          (to, symbol, size, offset, kind))
EXPLAINED(hipGetSymbolAddress, symbol, (void **address, const void *symbol), (address, symbol))
EXPLAINED(hipGetSymbolSize, symbol, (size_t * size, const void *symbol), (size, symbol))
EXPLAINED(hipMemcpyToSymbolAsync, symbol,
          (const void *symbol, const void *from, size_t size, size_t offset, hipMemcpyKind kind,
           hipStream_t stream),
          (symbol, from, size, offset, kind, stream))
EXPLAINED(hipMemcpyFromSymbolAsync, symbol,
          (void *to, const void *symbol, size_t size, size_t offset, hipMemcpyKind kind,
           hipStream_t stream),
          (to, symbol, size, offset, kind, stream))
EXPLAINED(hipOccupancyMaxActiveBlocksPerMultiprocessor, kernel,
          (int *blocks, const void *kernel, int threads, size_t shared),
          (blocks, kernel, threads, shared))
EXPLAINED(hipOccupancyMaxPotentialBlockSize, kernel,
          (int *grid, int *block, const void *kernel, size_t shared, int limit),
          (grid, block, kernel, shared, limit))
EXPLAINED(hipFuncSetAttribute, kernel, (const void *kernel, hipFuncAttribute attribute, int value),
          (kernel, attribute, value))
EXPLAINED(hipFuncSetCacheConfig, kernel, (const void *kernel, hipFuncCache_t config),
          (kernel, config))
EXPLAINED(hipGetFuncBySymbol, kernel, (hipFunction_t * function, const void *kernel),
          (function, kernel))
EXPLAINED(hipGraphAddKernelNode, params ? params->func : NULL,
          (hipGraphNode_t * node, hipGraph_t graph, const hipGraphNode_t *needed, size_t count,
           const hipKernelNodeParams *params),
          (node, graph, needed, count, params))
EXPLAINED(hipGraphKernelNodeSetParams, params ? params->func : NULL,
          (hipGraphNode_t node, const hipKernelNodeParams *params), (node, params))
EXPLAINED(hipGraphExecKernelNodeSetParams, params ? params->func : NULL,
          (hipGraphExec_t graph, hipGraphNode_t node, const hipKernelNodeParams *params),
          (graph, node, params))

#define LAST_ERROR(name, is_cleared)                                                               \
    static hs_function behind_##name;                                                              \
    static hipError_t explain_##name(void)                                                         \
    {                                                                                              \
        return last_error(((__typeof__(&name))behind_##name)(), is_cleared);                       \
    }

LAST_ERROR(hipGetLastError, true)
LAST_ERROR(hipPeekAtLastError, false)
LAST_ERROR(hipExtGetLastError, true)

/* Held while targets change, which opens nothing and calls nothing of the runtime. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void put_before(unsigned function, hs_function wrapper, hs_function *behind)
{
    hs_function target = hs_dispatch_target(function);

    if (target && target != wrapper) {
        *behind = target;
        hs_dispatch_set_target(function, wrapper);
    }
}

#define PUT_BEFORE(name) put_before(HS_FN_##name, (hs_function)explain_##name, &behind_##name)

static void put_all_before(void)
{
    PUT_BEFORE(hipLaunchKernel);
    PUT_BEFORE(hipLaunchKernel_spt);
    PUT_BEFORE(hipLaunchCooperativeKernel);
    PUT_BEFORE(hipLaunchCooperativeKernel_spt);
    PUT_BEFORE(hipLaunchKernelExC);
    PUT_BEFORE(hipExtLaunchKernel);
    PUT_BEFORE(hipFuncGetAttributes);
    PUT_BEFORE(hipMemcpyToSymbol);
    PUT_BEFORE(hipMemcpyFromSymbol);
    PUT_BEFORE(hipGetSymbolAddress);
    PUT_BEFORE(hipGetSymbolSize);
    PUT_BEFORE(hipMemcpyToSymbolAsync);
    PUT_BEFORE(hipMemcpyFromSymbolAsync);
    PUT_BEFORE(hipOccupancyMaxActiveBlocksPerMultiprocessor);
    PUT_BEFORE(hipOccupancyMaxPotentialBlockSize);
    PUT_BEFORE(hipFuncSetAttribute);
    PUT_BEFORE(hipFuncSetCacheConfig);
    PUT_BEFORE(hipGetFuncBySymbol);
    PUT_BEFORE(hipGraphAddKernelNode);
    PUT_BEFORE(hipGraphKernelNodeSetParams);
    PUT_BEFORE(hipGraphExecKernelNodeSetParams);
    PUT_BEFORE(hipGetLastError);
    PUT_BEFORE(hipPeekAtLastError);
    PUT_BEFORE(hipExtGetLastError);
}

static void look_for_refused(void)
{
    if (hs_registration_has_refused()) {
        pthread_mutex_lock(&mutex);
        put_all_before();
        pthread_mutex_unlock(&mutex);
    }
}

/* --- the devices, and handing over --- */

struct devices {
    struct hs_registration_reader reader;
    const char *names[DEVICES];
    char text[DEVICES][sizeof((hipDeviceProp_t *)0)->gcnArchName];
};

/* Measured on 5.2, 5.7, 6.4 and 7.2; AMD added the reading of compressed bundles in 6.2. */
static void describe_runtime(struct hs_registration_reader *reader,
                             const struct hs_runtime *runtime)
{
    int release = runtime->major * 100 + runtime->minor;

    reader->newest_object = release < 503 ? 4 : release < 600 ? 5 : INT_MAX;
    reader->reads_compressed = release >= 602;
    reader->needs_all_devices = release < 506;
}

/* The first thread's answer, which stays; NULL without a GPU or without memory. */
static const struct hs_registration_reader *find_devices(void)
{
    static struct devices *_Atomic known;
    struct devices *devices = known, *none = NULL;
    int count = 0;

    if (devices) {
        return &devices->reader;
    }
    if (HS_SLOT(hipGetDeviceCount)(&count) != hipSuccess || count < 1 ||
        !(devices = calloc(1, sizeof *devices))) {
        return NULL;
    }
    for (int i = 0; i < count && i < DEVICES; i++) {
        hipDeviceProp_t properties;

        if (HS_SLOT(hipGetDevicePropertiesR0600)(&properties, i) == hipSuccess) {
            char *text = devices->text[devices->reader.device_count];

            memcpy(text, properties.gcnArchName, sizeof properties.gcnArchName);
            devices->names[devices->reader.device_count++] = text;
        }
    }
    devices->reader.devices = devices->names;
    describe_runtime(&devices->reader, hs_dispatch_runtime());
    if (!atomic_compare_exchange_strong(&known, &none, devices)) {
        free(devices);
        return &none->reader;
    }
    return &devices->reader;
}

/*
 * A program without kernels is spared the question for its devices.  The order of is_direct and
 * of the look at the records leaves none behind that another thread adds meanwhile.
 */
static void hand_over_all(void)
{
    const struct hs_runtime *runtime = hs_dispatch_runtime();

    if (!runtime->handle) {
        return;
    }
    is_direct = true;
    if (hs_registration_has_any()) {
        const struct hs_registration_reader *reader = find_devices();

        if (!reader) {
            return;
        }
        hs_registration_hand_over(runtime, reader);
    }
    pthread_mutex_lock(&mutex);
    is_done = true;
    for (unsigned f = 0; f < HS_FUNCTION_COUNT; f++) {
        if (takes_registered[f]) {
            hs_dispatch_set_target(f, hs_dispatch_target(f));
        }
    }
    pthread_mutex_unlock(&mutex);
    look_for_refused();
}

void hs_registered_added(void)
{
    if (is_direct) {
        hand_over_all();
    }
}

/*
 * This handler is registered later than the runtime's own and so runs before them.  It is
 * registered early, so that it runs after the destructors of objects that are constructed later:
 * these may close plugins, whose kernels have to be unregistered.
 */
void hs_registered_until_exit(void)
{
    hs_at_exit(hs_registration_end);
}

void hs_registered_before(unsigned function)
{
    if (hs_registered_defers(function)) {
        hand_over_all();
    }
}
