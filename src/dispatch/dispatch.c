/* SPDX-License-Identifier: MIT */
#include "dispatch/dispatch.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#ifdef HS_DROP_IN
#include "dispatch/by_caller.h"
#endif
#include "tables/names.h"

hs_function hs_runtime_functions[HS_FUNCTION_COUNT];

/* What each slot resolves to; NULL: the runtime lacks it. */
static hs_function targets[HS_FUNCTION_COUNT];

static const struct hs_runtime *_Atomic runtime;
static pthread_once_t runtime_once = PTHREAD_ONCE_INIT;
static pthread_once_t hiprtc_once = PTHREAD_ONCE_INIT;

/*
 * Set while this thread opens a library.  A library's constructor may call HIP
 * and so come back here; it must not wait for itself.
 */
static _Thread_local bool opening;

#ifdef HS_DROP_IN
static _Atomic bool routes_by_caller;

/* What stands before the target where who calls matters, or NULL. */
static hs_function caller_routed_entry(unsigned function)
{
    for (unsigned i = 0; i < hs_caller_routed_entry_count; i++) {
        if (hs_caller_routed_entries[i].function == function) {
            return hs_caller_routed_entries[i].entry;
        }
    }
    return NULL;
}

void hs_dispatch_route_by_caller(void)
{
    routes_by_caller = true;
    for (unsigned i = 0; i < hs_caller_routed_entry_count; i++) {
        __atomic_store_n(&hs_slots[hs_caller_routed_entries[i].function], hs_caller_routed_entries[i].entry,
                         __ATOMIC_RELEASE);
    }
}
#endif

static void fill_slot(unsigned function, hs_function target)
{
    if (!target) {
        return;
    }
    targets[function] = target;
#ifdef HS_DROP_IN
    hs_function asking = caller_routed_entry(function);
    if (asking && routes_by_caller) {
        return; /* the slot asks already, and comes to the target afterwards */
    }
#endif
    __atomic_store_n(&hs_slots[function], target, __ATOMIC_RELEASE);
#ifdef HS_DROP_IN
    /* Again: another thread may have put the asking there just before that. */
    if (asking && routes_by_caller) {
        __atomic_store_n(&hs_slots[function], asking, __ATOMIC_RELEASE);
    }
#endif
}

static hs_function find_target(unsigned function, int is_hiprtc)
{
    unsigned action = hs_tables_plan((unsigned)runtime->api_set, function);
    if (action == HS_PLAN_MISSING) {
        return NULL;
    }
    const struct hs_adapter *adapter = &hs_adapters[action];
    if (action != HS_PLAN_DIRECT && adapter->kind == HS_ADAPTER_EMULATE) {
        return adapter->entry;
    }
    const char *symbol = action == HS_PLAN_DIRECT ? hs_tables_name(function) : adapter->symbol;
    hs_function address = (hs_function)hs_loader_symbol(runtime, symbol, is_hiprtc);
    const char *other = address ? NULL : hs_names_exported(function);
    if (other) {
        address = (hs_function)hs_loader_symbol(runtime, other, is_hiprtc);
    }
    if (action == HS_PLAN_DIRECT || !address) {
        return address;
    }
    hs_runtime_functions[function] = address;
    return adapter->entry;
}

static void fill_slots(int is_hiprtc)
{
    for (unsigned f = 0; f < HS_FUNCTION_COUNT; f++) {
        if (hs_tables_is_hiprtc(f) == is_hiprtc) {
            fill_slot(f, find_target(f, is_hiprtc));
        }
    }
}

static void fill_runtime_slots(void)
{
    if (runtime->handle) {
#ifdef HS_DROP_IN
        /* What is loaded later and needs the runtime's own major is given the runtime. */
        if (runtime->major != HS_DROP_IN) {
            hs_dispatch_route_by_caller();
        }
#endif
        fill_slots(0);
        return;
    }
#ifdef HS_DROP_IN
    /* Nobody who calls a drop-in can ask for the error text. */
    fprintf(stderr, "hipshim: libamdhip64.so.%d: %s\n", HS_DROP_IN, runtime->reason);
#endif
    for (unsigned i = 0; i < hs_no_runtime_entry_count; i++) {
        fill_slot(hs_no_runtime_entries[i].function, hs_no_runtime_entries[i].entry);
    }
}

static void fill_hiprtc_slots(void)
{
    if (runtime->handle) {
        fill_slots(1);
    }
}

/*
 * False when called from within the opening itself.  Libraries are opened
 * first, with no lock held (see turn.h); filling the slots opens none.
 */
static bool ready(int is_hiprtc)
{
    if (opening) {
        hs_error_set("called while the HIP runtime is being opened");
        return false;
    }
    opening = true;
    runtime = hs_loader_open();
    if (is_hiprtc) {
        hs_loader_hiprtc(runtime);
    }
    opening = false;
    pthread_once(&runtime_once, fill_runtime_slots);
    if (is_hiprtc) {
        pthread_once(&hiprtc_once, fill_hiprtc_slots);
    }
    return true;
}

const struct hs_runtime *hs_dispatch_runtime(void)
{
    static const struct hs_runtime none = {
        .release = -1,
        .nearest = -1,
        .api_set = -1,
        .match_text = "",
        .reason = "the HIP runtime is being opened",
    };
    return ready(0) ? runtime : &none;
}

bool hs_dispatch_has_runtime(void)
{
    return hs_dispatch_runtime()->handle != NULL;
}

enum hs_kind hs_dispatch_kind(unsigned function)
{
    if (!ready(hs_tables_is_hiprtc(function)) || !targets[function]) {
        return HS_KIND_MISSING;
    }
    unsigned action = runtime->handle ? hs_tables_plan((unsigned)runtime->api_set, function) : HS_PLAN_MISSING;
    if (action == HS_PLAN_DIRECT) {
        return HS_KIND_DIRECT;
    }
    if (action != HS_PLAN_MISSING && hs_adapters[action].kind == HS_ADAPTER_CONVERT) {
        return HS_KIND_CONVERTED;
    }
    return HS_KIND_EMULATED;
}

/* "6.4.43484 at /usr/lib/libamdhip64.so.6", the end of every text below. */
#define RUNTIME_FORMAT "%d.%d.%u at %s"
#define RUNTIME_VALUES runtime->major, runtime->minor, runtime->patch, runtime->path

static void explain_missing(unsigned function)
{
    const char *name = hs_tables_name(function);
    const struct hs_function_entry *entry = &hs_function_entries[function];
    const struct hs_api_set *first = &hs_api_sets[entry->first];
    const struct hs_api_set *last = &hs_api_sets[entry->last];
    unsigned api_set = (unsigned)runtime->api_set;

    if (hs_tables_is_hiprtc(function) && hs_loader_open_hiprtc(runtime) != 0) {
        hs_error_set("%s: %s", name, hs_loader_hiprtc(runtime)->reason);
    } else if (api_set < entry->first) {
        hs_error_set("%s needs HIP %d.%d; this is " RUNTIME_FORMAT, name, first->major,
                     first->minor, RUNTIME_VALUES);
    } else if (api_set > entry->last) {
        hs_error_set("%s was last declared by HIP %d.%d; this is " RUNTIME_FORMAT, name,
                     last->major, last->minor, RUNTIME_VALUES);
    } else {
        hs_error_set("%s is not exported by this build of HIP " RUNTIME_FORMAT, name,
                     RUNTIME_VALUES);
    }
}

hs_function hs_dispatch_resolve(enum hs_function_id function)
{
    if (!ready(hs_tables_is_hiprtc(function))) {
        return NULL;
    }
    if (!targets[function]) {
        if (runtime->handle) {
            explain_missing(function);
        } else {
            hs_error_set("%s: %s", hs_tables_name(function), runtime->reason);
        }
    }
    return targets[function];
}

hs_function hs_dispatch_address(unsigned function)
{
    if (ready(hs_tables_is_hiprtc(function)) && targets[function]) {
        return targets[function];
    }
    return hs_entries[function];
}

hs_function hs_dispatch_raw(unsigned function)
{
    if (hs_runtime_functions[function]) {
        return hs_runtime_functions[function];
    }
    return (hs_function)hs_loader_symbol(runtime, hs_tables_name(function),
                                         hs_tables_is_hiprtc(function));
}

hs_function hs_dispatch_named(const char *symbol)
{
    return (hs_function)hs_loader_symbol(runtime, symbol, 0);
}

void hs_dispatch_unrepresentable(enum hs_function_id function, const char *member)
{
    hs_error_set("%s: %s cannot be expressed in HIP " RUNTIME_FORMAT, hs_tables_name(function),
                 member, RUNTIME_VALUES);
}

void hs_dispatch_no_memory(enum hs_function_id function)
{
    hs_error_set("%s: no memory for its lists", hs_tables_name(function));
}
