/* SPDX-License-Identifier: MIT */
#include "engine/dispatch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/at_exit.h"
#include "base/error.h"
#include "engine/by_caller.h"
#include "engine/hooks.h"
#include "functions.h"

hs_function hs_runtime_functions[HS_FUNCTION_COUNT];

/*
 * The function that each slot resolves to; NULL if the runtime lacks it.  Filled once, except that
 * hooks may change some of them later while threads read them.
 */
static hs_function targets[HS_FUNCTION_COUNT];

/* What the slots held at first, and hold again once the runtime has ended. */
static hs_function resolvers[HS_FUNCTION_COUNT];
static atomic_bool ended;

/* Nothing is converted; see hs_by_caller_is_native. */
static bool is_native;

static const struct hs_runtime *_Atomic runtime;

/* What the last search found that the next call repeats; NULL if there was none. */
static const struct hs_runtime *_Atomic unsettled;
static pthread_once_t runtime_once = PTHREAD_ONCE_INIT;
static pthread_once_t hiprtc_once = PTHREAD_ONCE_INIT;

/*
 * Set while this thread opens a library.  A constructor of that library may call HIP and so come
 * back here; the thread must not wait for itself.
 */
static _Thread_local bool opening;

hs_function hs_dispatch_target(unsigned function)
{
    return __atomic_load_n(&targets[function], __ATOMIC_ACQUIRE);
}

static void fill_slot(unsigned function, hs_function target)
{
    if (!target) {
        return;
    }
    __atomic_store_n(&targets[function], target, __ATOMIC_RELEASE);
    if (hs_by_caller_wrapper(function) || (hs_hooks.defers && hs_hooks.defers(function))) {
        return; /* the slot holds what goes on to the target */
    }
    if (!resolvers[function]) {
        resolvers[function] = hs_dispatch_slot(function);
    }
    __atomic_store_n(&hs_slots[function], target, __ATOMIC_RELEASE);
    /* Again, because another thread may have stored the wrapper just before that. */
    hs_function wrapper = hs_by_caller_wrapper(function);
    if (wrapper) {
        __atomic_store_n(&hs_slots[function], wrapper, __ATOMIC_RELEASE);
    }
}

static hs_function runtime_export(unsigned function, const char *symbol, bool is_hiprtc)
{
    void *address = hs_loader_symbol(runtime, symbol, is_hiprtc);
    for (const char *other = hs_names_exported(function); !address && *other;
         other += strlen(other) + 1) {
        address = hs_loader_symbol(runtime, other, is_hiprtc);
    }
    return (hs_function)address;
}

/* The function of the library that was opened early, if it serves this call. */
static hs_function find_early(unsigned function)
{
    const struct hs_runtime *early = hs_hooks.early_entry ? hs_loader_preopened() : NULL;
    bool is_used = early && (!runtime || runtime->handle == early->handle);

    return is_used ? hs_hooks.early_entry(early, function) : NULL;
}

static hs_function find_target(unsigned function, bool is_hiprtc)
{
    hs_function early = find_early(function);
    if (early) {
        return early;
    }
    unsigned plan = hs_tables_plan((unsigned)runtime->api_set, function);
    if (plan == HS_PLAN_MISSING) {
        return NULL;
    }
    if (plan == HS_PLAN_DIRECT) {
        return runtime_export(function, hs_tables_name(function), is_hiprtc);
    }
    const struct hs_adapter *adapter = &hs_adapters[plan];
    hs_function own = is_native && adapter->kind == HS_ADAPTER_CONVERT
                          ? runtime_export(function, hs_tables_name(function), is_hiprtc)
                          : NULL;
    if (own) {
        return own;
    }
    if (adapter->kind == HS_ADAPTER_EMULATE) {
        return adapter->entry;
    }
    hs_runtime_functions[function] = runtime_export(function, adapter->symbol, is_hiprtc);
    return hs_runtime_functions[function] ? adapter->entry : NULL;
}

static hs_function find_substitute(const struct hs_substitute *list, unsigned function)
{
    for (const struct hs_substitute *at = list; at->entry; at++) {
        if (at->function == function) {
            return at->entry;
        }
    }
    return NULL;
}

static void fill_slots(bool is_hiprtc)
{
    for (unsigned f = 0; f < HS_FUNCTION_COUNT; f++) {
        if (hs_tables_is_hiprtc(f) == is_hiprtc) {
            hs_function target = find_target(f, is_hiprtc);
            fill_slot(f, target ? target : find_substitute(hs_substitutes_without_export, f));
        }
    }
}

/*
 * Exit handlers run in the reverse order of their registration.  This one is registered right
 * after the runtime was opened, so it runs just before the handlers with which the runtime ends.
 * Handlers and destructors that were registered before the first HIP call run later still, and
 * their calls must not reach the ended runtime.
 */
static void end_slots(void)
{
    if (!hs_at_exit_is_now()) {
        return;
    }
    ended = true;
    for (unsigned f = 0; f < HS_FUNCTION_COUNT; f++) {
        hs_function target = hs_dispatch_target(f);
        if (target && resolvers[f]) {
            /* A slot that holds a wrapper keeps it: the wrapper asks hs_dispatch_resolve. */
            __atomic_compare_exchange_n(&hs_slots[f], &target, resolvers[f], false,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED);
        }
    }
}

static void end_slots_with(const struct hs_runtime *opened)
{
    if (hs_hooks.before_exit_handler) {
        hs_hooks.before_exit_handler();
    }
    /* Another module's runtime ends when that module's handlers run, which is not known. */
    if (opened->found_by != HIPSHIM_SEARCH_SOURCE_LOADED) {
        hs_at_exit(end_slots);
    }
}

static void fill_runtime_slots(void)
{
    hs_by_caller_runtime_opened(runtime);
    is_native = hs_by_caller_is_native(runtime);
    if (runtime->handle) {
        const struct hs_runtime *early = hs_loader_preopened();
        if (!early || early->handle != runtime->handle) {
            end_slots_with(runtime);
        }
        fill_slots(false);
        if (hs_hooks.runtime_opened) {
            hs_hooks.runtime_opened(runtime);
        }
        return;
    }
    for (const struct hs_substitute *at = hs_substitutes_without_runtime; at->entry; at++) {
        fill_slot(at->function, at->entry);
    }
}

static void fill_hiprtc_slots(void)
{
    if (runtime->handle) {
        fill_slots(true);
    }
}

/*
 * Opens the runtime and fills the slots.  False if that is not done: this thread is opening the
 * runtime already, or the search lacked memory or file descriptors, and the next call repeats it.
 * Libraries are opened first, with no lock held (base/once.h); filling the slots opens none.
 */
static bool is_ready(bool is_hiprtc)
{
    if (opening) {
        hs_error_set("called while the HIP runtime is being opened");
        return false;
    }
    opening = true;
    const struct hs_runtime *opened = hs_loader_open();
    const struct hs_hiprtc *hiprtc = is_hiprtc ? hs_loader_hiprtc(opened) : NULL;
    opening = false;
    if (!hs_loader_is_settled()) {
        unsettled = opened;
        hs_error_set("%s", opened->reason);
        return false;
    }
    if (hiprtc && !hs_loader_hiprtc_is_settled(opened)) {
        hs_error_set("%s", hiprtc->reason);
        return false;
    }
    runtime = opened;
    pthread_once(&runtime_once, fill_runtime_slots);
    if (is_hiprtc) {
        pthread_once(&hiprtc_once, fill_hiprtc_slots);
    }
    return true;
}

const struct hs_runtime *hs_dispatch_preopen(void)
{
    opening = true;
    const struct hs_runtime *opened = hs_loader_preopen();
    opening = false;
    if (opened) {
        end_slots_with(opened);
    }
    return opened;
}

const struct hs_runtime *hs_dispatch_runtime(void)
{
    static const struct hs_runtime none = {
        .release = -1,
        .nearest = -1,
        .api_set = -1,
        .match_text = "",
        .used_as = "",
        .reason = "the HIP runtime is not open yet",
    };
    if (is_ready(false)) {
        return runtime;
    }
    return unsettled ? unsettled : &none;
}

bool hs_dispatch_has_runtime(void)
{
    return hs_dispatch_runtime()->handle != NULL;
}

bool hs_dispatch_has_ended(void)
{
    return ended;
}

hipshim_kind_t hs_dispatch_kind(unsigned function)
{
    if (!is_ready(hs_tables_is_hiprtc(function)) || !hs_dispatch_target(function)) {
        return HIPSHIM_KIND_MISSING;
    }
    if (!runtime->handle) {
        return HIPSHIM_KIND_EMULATED; /* one of hs_substitutes_without_runtime */
    }
    if (hs_dispatch_target(function) == find_substitute(hs_substitutes_without_export, function)) {
        return HIPSHIM_KIND_EMULATED;
    }
    hipshim_kind_t kind = hs_tables_kind((unsigned)runtime->api_set, function);
    bool is_wrapped =
        kind == HIPSHIM_KIND_DIRECT &&
        hs_dispatch_target(function) !=
            runtime_export(function, hs_tables_name(function), hs_tables_is_hiprtc(function));
    return is_wrapped ? HIPSHIM_KIND_CONVERTED : kind;
}

/* "6.4.43484 at /usr/lib/libamdhip64.so.6", the end of every text below. */
#define RUNTIME_FORMAT "%d.%d.%u%s at %s"
#define RUNTIME_VALUES                                                                             \
    runtime->major, runtime->minor, runtime->patch, runtime->used_as, runtime->path

static void explain_missing(unsigned function)
{
    const char *name = hs_tables_name(function);
    const struct hs_function_entry *entry = &hs_function_entries[function];
    unsigned api_set = (unsigned)runtime->api_set;

    if (hs_tables_is_hiprtc(function) && !hs_loader_hiprtc(runtime)->handle) {
        hs_error_set("%s: %s", name, hs_loader_hiprtc(runtime)->reason);
    } else if (api_set < entry->first) {
        hipshim_release_t first = hs_tables_api_set(entry->first);
        hs_error_set("%s needs HIP %u.%u; this is " RUNTIME_FORMAT, name, first.major, first.minor,
                     RUNTIME_VALUES);
    } else if (api_set > entry->last) {
        hipshim_release_t last = hs_tables_api_set(entry->last);
        hs_error_set("%s was last declared by HIP %u.%u; this is " RUNTIME_FORMAT, name, last.major,
                     last.minor, RUNTIME_VALUES);
    } else {
        hs_error_set("%s is not exported by this build of HIP " RUNTIME_FORMAT, name,
                     RUNTIME_VALUES);
    }
}

static void report_failure(unsigned function, enum hs_failure kind)
{
    if (hs_hooks.failed) {
        hs_hooks.failed(function, kind);
    }
}

static hs_function go_on(unsigned function)
{
    if (hs_hooks.before_call) {
        hs_hooks.before_call(function);
    }
    return hs_dispatch_target(function);
}

hs_function hs_dispatch_resolve(unsigned function)
{
    if (ended) {
        hs_error_set("%s: the HIP runtime has ended, because the process exits",
                     hs_tables_name(function));
        return find_substitute(hs_substitutes_after_end, function);
    }
    hs_function early = runtime ? NULL : find_early(function);
    if (early) {
        return early;
    }
    if (!is_ready(hs_tables_is_hiprtc(function))) {
        return NULL;
    }
    if (hs_dispatch_target(function)) {
        return go_on(function);
    }
    if (runtime->handle) {
        explain_missing(function);
        report_failure(function, HS_FAILURE_MISSING);
    } else {
        hs_error_set("%s: %s", hs_tables_name(function), runtime->reason);
        report_failure(function, HS_FAILURE_NO_RUNTIME);
    }
    return NULL;
}

hs_function hs_dispatch_address(unsigned function)
{
    if (!ended && is_ready(hs_tables_is_hiprtc(function)) && hs_dispatch_target(function)) {
        return go_on(function);
    }
    return hs_entries[function];
}

void hs_dispatch_set_target(unsigned function, hs_function target)
{
    fill_slot(function, target);
}

hs_function hs_dispatch_runtime_function(unsigned function)
{
    if (hs_runtime_functions[function]) {
        return hs_runtime_functions[function];
    }
    return (hs_function)hs_loader_symbol(runtime, hs_tables_name(function),
                                         hs_tables_is_hiprtc(function));
}

hs_function hs_dispatch_runtime_symbol(const char *symbol)
{
    return (hs_function)hs_loader_symbol(runtime, symbol, false);
}

void hs_dispatch_unrepresentable(unsigned function, const char *member)
{
    hs_error_set("%s: %s cannot be represented in HIP " RUNTIME_FORMAT, hs_tables_name(function),
                 member, RUNTIME_VALUES);
    report_failure(function, HS_FAILURE_UNREPRESENTABLE);
}

void hs_dispatch_no_memory(unsigned function)
{
    hs_error_set("%s: no memory for its lists", hs_tables_name(function));
    report_failure(function, HS_FAILURE_NO_MEMORY);
}
