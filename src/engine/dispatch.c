/* SPDX-License-Identifier: MIT */
#include "engine/dispatch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/at_exit.h"
#include "base/error.h"
#include "engine/api.h"

static atomic_bool ended;

/* Nothing is converted; see struct hs_routing. */
static bool is_native;

static const struct hs_runtime *_Atomic runtime;

/* What the last search found that the next call repeats; NULL if there was none. */
static const struct hs_runtime *_Atomic unsettled;

/* By library.  pthread_once passes no argument, so the thread that fills has its number. */
static pthread_once_t filled[HS_LIBRARY_ROOM] = {[0 ... HS_LIBRARY_ROOM - 1] = PTHREAD_ONCE_INIT};
static _Thread_local unsigned filling;

/*
 * Set while this thread opens a library.  A constructor of that library may make a call and so
 * come back here; the thread must not wait for itself.
 */
static _Thread_local bool opening;

hs_function hs_dispatch_target(unsigned function)
{
    return __atomic_load_n(&hs_targets[function], __ATOMIC_ACQUIRE);
}

static bool is_routed(unsigned function)
{
    return __atomic_load_n(&hs_routed[function], __ATOMIC_SEQ_CST);
}

static void set_slot(unsigned function, hs_function to)
{
    __atomic_store_n(&hs_slots[function], to, __ATOMIC_SEQ_CST);
}

void hs_dispatch_route(unsigned function)
{
    __atomic_store_n(&hs_routed[function], true, __ATOMIC_SEQ_CST);
    set_slot(function, hs_resolver(function));
}

static void fill_slot(unsigned function, hs_function target)
{
    if (!target) {
        return;
    }
    __atomic_store_n(&hs_targets[function], target, __ATOMIC_RELEASE);
    if (hs_api.hooks->defers && hs_api.hooks->defers(function)) {
        return; /* the slot holds its resolver, which goes on to the target */
    }
    if (!is_routed(function)) {
        set_slot(function, target);
    }
    if (is_routed(function)) { /* another thread may have begun to route in between */
        set_slot(function, hs_resolver(function));
    }
}

static unsigned library_of(unsigned function)
{
    return hs_function_entries[function].library;
}

static hs_function runtime_export(unsigned function, const char *symbol)
{
    unsigned library = library_of(function);
    void *address = hs_loader_symbol(runtime, symbol, library);
    for (const char *other = hs_names_exported(function); !address && *other;
         other += strlen(other) + 1) {
        address = hs_loader_symbol(runtime, other, library);
    }
    return (hs_function)address;
}

/* The function of the library that was opened early, if it serves this call. */
static hs_function find_early(unsigned function)
{
    const struct hs_runtime *early = hs_api.hooks->early_entry ? hs_loader_preopened() : NULL;
    bool is_used = early && (!runtime || runtime->handle == early->handle);

    return is_used ? hs_api.hooks->early_entry(early, function) : NULL;
}

static hs_function find_target(unsigned function)
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
        return runtime_export(function, hs_tables_name(function));
    }
    const struct hs_adapter *adapter = &hs_adapters[plan];
    hs_function own = is_native && adapter->kind == HS_ADAPTER_CONVERT
                          ? runtime_export(function, hs_tables_name(function))
                          : NULL;
    if (own) {
        return own;
    }
    if (adapter->kind == HS_ADAPTER_EMULATE) {
        return adapter->entry;
    }
    hs_function theirs = runtime_export(function, adapter->symbol);
    if (!theirs || !adapter->entry) {
        return theirs;
    }
    hs_runtime_functions[function] = theirs;
    return adapter->entry;
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

static void fill_slots(unsigned library)
{
    for (unsigned f = 0; f < hs_function_count; f++) {
        if (library_of(f) == library) {
            hs_function target = find_target(f);
            fill_slot(f, target ? target : find_substitute(hs_substitutes_without_export, f));
        }
    }
}

/*
 * Exit handlers run in the reverse order of their registration.  This one is registered right
 * after the runtime was opened, so it runs just before the handlers with which the runtime ends.
 * Handlers and destructors that were registered before the first call run later still, and
 * their calls must not reach the ended runtime.
 */
static void end_slots(void)
{
    if (!hs_at_exit_is_now()) {
        return;
    }
    ended = true;
    for (unsigned f = 0; f < hs_function_count; f++) {
        set_slot(f, hs_resolver(f));
    }
}

static void end_slots_with(const struct hs_runtime *opened)
{
    if (hs_api.hooks->before_exit_handler) {
        hs_api.hooks->before_exit_handler();
    }
    /* Another module's runtime ends when that module's handlers run, which is not known. */
    if (opened->found_by != HIPSHIM_SEARCH_SOURCE_LOADED) {
        hs_at_exit(end_slots);
    }
}

bool hs_dispatch_is_native(const struct hs_runtime *opened)
{
    return hs_api.routing->is_native && hs_api.routing->is_native(opened);
}

static void fill_runtime_slots(void)
{
    if (hs_api.routing->runtime_opened) {
        hs_api.routing->runtime_opened(runtime);
    }
    is_native = hs_dispatch_is_native(runtime);
    if (runtime->handle) {
        const struct hs_runtime *early = hs_loader_preopened();
        if (!early || early->handle != runtime->handle) {
            end_slots_with(runtime);
        }
        fill_slots(0);
        if (hs_api.hooks->runtime_opened) {
            hs_api.hooks->runtime_opened(runtime);
        }
        return;
    }
    for (const struct hs_substitute *at = hs_substitutes_without_runtime; at->entry; at++) {
        fill_slot(at->function, at->entry);
    }
}

static void fill_library(void)
{
    if (filling == 0) {
        fill_runtime_slots();
    } else if (runtime->handle) {
        fill_slots(filling);
    }
}

static void fill_once(unsigned library)
{
    filling = library;
    pthread_once(&filled[library], fill_library);
}

/*
 * Opens the runtime and the library, and fills their slots.  False if that is not done: this thread
 * is opening the runtime already, or the search lacked memory or file descriptors, and the next
 * call repeats it.  Libraries are opened first, with no lock held (base/once.h); filling the slots
 * opens none.
 */
static bool is_ready(unsigned library)
{
    if (opening) {
        hs_error_set("called while the %s is being opened", hs_api.noun);
        return false;
    }
    opening = true;
    const struct hs_runtime *opened = hs_loader_open();
    const struct hs_companion *companion = library ? hs_loader_companion(opened, library) : NULL;
    opening = false;
    if (!hs_loader_is_settled()) {
        unsettled = opened;
        hs_error_set("%s", opened->reason);
        return false;
    }
    if (companion && !hs_loader_companion_is_settled(opened, library)) {
        hs_error_set("%s", companion->reason);
        return false;
    }
    runtime = opened;
    fill_once(0);
    if (library) {
        fill_once(library);
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
    if (is_ready(0)) {
        return runtime;
    }
    return unsettled ? unsettled : &hs_api.not_open;
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
    if (!is_ready(library_of(function)) || !hs_dispatch_target(function)) {
        return HIPSHIM_KIND_MISSING;
    }
    if (!runtime->handle || /* one of hs_substitutes_without_runtime */
        hs_dispatch_target(function) == find_substitute(hs_substitutes_without_export, function)) {
        return HIPSHIM_KIND_EMULATED;
    }
    hipshim_kind_t kind = hs_tables_kind((unsigned)runtime->api_set, function);
    bool is_wrapped =
        kind == HIPSHIM_KIND_DIRECT &&
        hs_dispatch_target(function) != runtime_export(function, hs_tables_name(function));
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
    unsigned api_set = (unsigned)runtime->api_set, library = library_of(function);
    const struct hs_companion *companion =
        runtime->handle && library ? hs_loader_companion(runtime, library) : NULL;

    if (!runtime->handle || (companion && !companion->handle)) {
        hs_error_set("%s: %s", name, companion ? companion->reason : runtime->reason);
    } else if (api_set < entry->first || api_set > entry->last) {
        bool is_old = api_set < entry->first;
        hipshim_release_t other = hs_tables_api_set(is_old ? entry->first : entry->last);
        hs_error_set("%s %s %s %u.%u; this is " RUNTIME_FORMAT, name,
                     is_old ? "needs" : "was last declared by", hs_api.name, other.major,
                     other.minor, RUNTIME_VALUES);
    } else {
        hs_error_set("%s is not exported by this build of %s " RUNTIME_FORMAT, name, hs_api.name,
                     RUNTIME_VALUES);
    }
}

static void report_failure(unsigned function, enum hs_failure kind)
{
    if (hs_api.hooks->failed) {
        hs_api.hooks->failed(function, kind);
    }
}

static hs_function go_on(unsigned function)
{
    if (hs_api.hooks->before_call) {
        hs_api.hooks->before_call(function);
    }
    return hs_dispatch_target(function);
}

static hs_function resolve(unsigned function)
{
    if (ended) {
        hs_error_set("%s: the %s has ended, because the process exits", hs_tables_name(function),
                     hs_api.noun);
        return find_substitute(hs_substitutes_after_end, function);
    }
    hs_function early = runtime ? NULL : find_early(function);
    if (early) {
        return early;
    }
    /* With a target the library is open; but is_ready also waits for what the hooks do then. */
    const struct hs_hooks *hooks = hs_api.hooks;
    bool is_open = hs_dispatch_target(function) && !hooks->defers && !hooks->runtime_opened;
    if (!is_open && !is_ready(library_of(function))) {
        return NULL;
    }
    if (hs_dispatch_target(function)) {
        return go_on(function);
    }
    explain_missing(function);
    report_failure(function, runtime->handle ? HS_FAILURE_MISSING : HS_FAILURE_NO_RUNTIME);
    return NULL;
}

hs_function hs_dispatch_enter(unsigned function, const void *caller)
{
    hs_function target;
    bool routed;
    do { /* again if this call opened the runtime, and calls go by their caller since then */
        routed = is_routed(function);
        target = routed ? hs_api.routing->target(function, caller) : NULL;
        target = target ? target : resolve(function);
    } while (routed != is_routed(function));
    return target ? target : hs_failures[hs_failure_of[function]];
}

hs_function hs_dispatch_address(unsigned function)
{
    if (!ended && is_ready(library_of(function)) && hs_dispatch_target(function)) {
        return go_on(function);
    }
    return hs_entries[function];
}

void hs_dispatch_set_target(unsigned function, hs_function target)
{
    fill_slot(function, target);
}

void hs_dispatch_wrap(unsigned function, hs_function wrapper, hs_function *next)
{
    hs_function target = hs_dispatch_target(function);

    if (target && target != wrapper) {
        *next = target;
        fill_slot(function, wrapper);
    }
}

hs_function hs_dispatch_runtime_function(unsigned function)
{
    if (hs_runtime_functions[function]) {
        return hs_runtime_functions[function];
    }
    return (hs_function)hs_loader_symbol(runtime, hs_tables_name(function), library_of(function));
}

hs_function hs_dispatch_runtime_symbol(const char *symbol)
{
    return (hs_function)hs_loader_symbol(runtime, symbol, 0);
}

void hs_dispatch_unrepresentable(unsigned function, const char *member)
{
    hs_error_set("%s: %s cannot be represented in %s " RUNTIME_FORMAT, hs_tables_name(function),
                 member, hs_api.name, RUNTIME_VALUES);
    report_failure(function, HS_FAILURE_UNREPRESENTABLE);
}

void hs_dispatch_no_memory(unsigned function)
{
    hs_error_set("%s: no memory for its lists", hs_tables_name(function));
    report_failure(function, HS_FAILURE_NO_MEMORY);
}
