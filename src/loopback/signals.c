/* SPDX-License-Identifier: MIT */
/*
 * Signals.  A handle is the address of an amd_signal_t, whose value the runtime may
 * also change through hsa_amd_signal_value_pointer, so waiters check it every
 * millisecond.  Async handlers run on one thread, without the mutex, and are removed
 * when they return false.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* A kernel may write to a signal, so the loopback has to know all of them. */
struct signal {
    amd_signal_t amd; /* the first member, because the handle is its address */
    struct signal *next, **from;
};
static struct signal *signals;
enum {
    SIGNAL_SIZE = (sizeof(struct signal) + AMD_SIGNAL_ALIGN_BYTES - 1) / AMD_SIGNAL_ALIGN_BYTES *
                  AMD_SIGNAL_ALIGN_BYTES
};

static amd_signal_t *of(hsa_signal_t signal)
{
    return (amd_signal_t *)signal.handle; /* NOLINT: the handle is an address */
}

void *lb_signal_at(const void *address)
{
    lb_lock();
    struct signal *signal = signals;
    while (signal && (uint64_t)address - (uint64_t)signal >= sizeof signal->amd) {
        signal = signal->next;
    }
    lb_unlock();
    return signal;
}

int64_t lb_signal_value(hsa_signal_t signal)
{
    return __atomic_load_n(&of(signal)->value, __ATOMIC_ACQUIRE);
}

bool lb_condition(hsa_signal_condition32_t condition, int64_t value, int64_t wanted)
{
    switch (condition) {
    case HSA_SIGNAL_CONDITION_EQ:
        return value == wanted;
    case HSA_SIGNAL_CONDITION_NE:
        return value != wanted;
    case HSA_SIGNAL_CONDITION_LT:
        return value < wanted;
    default:
        return value >= wanted;
    }
}

/* Sets the times first, because the runtime may destroy the signal right after the decrement. */
void lb_signal_complete(hsa_signal_t signal, uint64_t start)
{
    lb_lock();
    if (signal.handle) {
        of(signal)->start_ts = start;
        of(signal)->end_ts = lb_now();
        __atomic_sub_fetch(&of(signal)->value, 1, __ATOMIC_RELEASE);
    }
    lb_wake_locked();
    lb_unlock();
}

hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                               const hsa_agent_t *consumers, hsa_signal_t *signal)
{
    (void)num_consumers;
    (void)consumers;
    struct signal *created = aligned_alloc(AMD_SIGNAL_ALIGN_BYTES, SIGNAL_SIZE);
    if (!created) {
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    memset(created, 0, sizeof *created);
    created->amd.kind = AMD_SIGNAL_KIND_USER;
    /* The runtime hands it to other threads under locks that ThreadSanitizer cannot see. */
    __atomic_store_n(&created->amd.value, initial_value, __ATOMIC_RELEASE);
    lb_lock();
    created->next = signals;
    created->from = &signals;
    if (signals) {
        signals->from = &created->next;
    }
    signals = created;
    lb_unlock();
    signal->handle = (uint64_t)created;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                   const hsa_agent_t *consumers, uint64_t attributes,
                                   hsa_signal_t *signal)
{
    if (attributes & ~(uint64_t)(HSA_AMD_SIGNAL_AMD_GPU_ONLY | HSA_AMD_SIGNAL_IPC)) {
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown signal attributes 0x%llx",
                          (unsigned long long)attributes);
    }
    return hsa_signal_create(initial_value, num_consumers, consumers, signal);
}

hsa_status_t hsa_signal_destroy(hsa_signal_t signal)
{
    if (!signal.handle) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    lb_lock();
    struct signal *gone = (struct signal *)of(signal);
    *gone->from = gone->next;
    if (gone->next) {
        gone->next->from = gone->from;
    }
    gone->amd.kind = AMD_SIGNAL_KIND_INVALID;
    free(gone);
    lb_unlock();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t signal, volatile hsa_signal_value_t **value)
{
    *value = &of(signal)->value;
    return HSA_STATUS_SUCCESS;
}

hsa_signal_value_t hsa_signal_load_relaxed(hsa_signal_t signal)
{
    return lb_signal_value(signal);
}

void hsa_signal_silent_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value)
{
    __atomic_store_n(&of(signal)->value, value, __ATOMIC_RELEASE);
}

void hsa_signal_store_screlease(hsa_signal_t signal, hsa_signal_value_t value)
{
    lb_lock();
    hsa_signal_silent_store_relaxed(signal, value);
    lb_wake_locked();
    lb_unlock();
}

void hsa_signal_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value)
{
    hsa_signal_store_screlease(signal, value);
}

void hsa_signal_add_relaxed(hsa_signal_t signal, hsa_signal_value_t value)
{
    lb_lock();
    __atomic_add_fetch(&of(signal)->value, value, __ATOMIC_ACQ_REL);
    lb_wake_locked();
    lb_unlock();
}

void hsa_signal_subtract_relaxed(hsa_signal_t signal, hsa_signal_value_t value)
{
    hsa_signal_add_relaxed(signal, -value);
}

hsa_signal_value_t hsa_signal_wait_scacquire(hsa_signal_t signal, hsa_signal_condition_t condition,
                                             hsa_signal_value_t wanted, uint64_t timeout,
                                             hsa_wait_state_t hint)
{
    (void)hint;
    uint64_t start = lb_now();
    int64_t value = lb_signal_value(signal);
    if (lb_condition(condition, value, wanted)) {
        return value;
    }
    lb_lock();
    for (;;) {
        value = lb_signal_value(signal);
        if (lb_condition(condition, value, wanted) || lb_now() - start >= timeout) {
            break;
        }
        lb_wait_locked(1000);
    }
    lb_unlock();
    return value;
}

/* --- async handlers --- */

struct handler {
    hsa_signal_t signal;
    hsa_signal_condition_t condition;
    hsa_signal_value_t wanted;
    hsa_amd_signal_handler function;
    void *argument;
    struct handler *next;
};

static struct handler *handlers;
static bool handlers_run, handling;
static _Thread_local bool is_handler;

/* The link of the first handler in the list that is due. */
static struct handler **due_locked(int64_t *value)
{
    for (struct handler **at = &handlers; *at; at = &(*at)->next) {
        *value = lb_signal_value((*at)->signal);
        if (lb_condition((*at)->condition, *value, (*at)->wanted)) {
            return at;
        }
    }
    return NULL;
}

bool lb_handlers_idle_locked(void)
{
    int64_t value;
    return is_handler || (!handling && !due_locked(&value));
}

static void append_locked(struct handler *one)
{
    struct handler **at = &handlers;
    while (*at) {
        at = &(*at)->next;
    }
    *at = one;
}

static void *handle(void *unused)
{
    is_handler = true;
    lb_lock();
    for (;;) {
        int64_t value;
        struct handler **at = due_locked(&value);
        if (!at) {
            lb_wait_locked(handlers ? 1000 : 1000000);
            continue;
        }
        struct handler *one = *at;
        *at = one->next;
        one->next = NULL;
        handling = true;
        lb_unlock();
        bool again = one->function(value, one->argument);
        lb_lock();
        handling = false;
        if (again) {
            append_locked(one);
        } else {
            free(one);
        }
    }
    return unused;
}

hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t condition,
                                          hsa_signal_value_t value, hsa_amd_signal_handler function,
                                          void *argument)
{
    struct handler *one = lb_new(sizeof *one);
    one->signal = signal;
    one->condition = condition;
    one->wanted = value;
    one->function = function;
    one->argument = argument;
    lb_lock();
    append_locked(one);
    if (!handlers_run) {
        handlers_run = true;
        lb_thread_start(handle, NULL);
    }
    lb_wake_locked();
    lb_unlock();
    return HSA_STATUS_SUCCESS;
}

/* --- times --- */

hsa_status_t hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                                 hsa_amd_profiling_dispatch_time_t *time)
{
    if (lb_agent_index(agent) < 1) {
        return HSA_STATUS_ERROR_INVALID_AGENT;
    }
    time->start = of(signal)->start_ts;
    time->end = of(signal)->end_ts;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_get_async_copy_time(hsa_signal_t signal,
                                                   hsa_amd_profiling_async_copy_time_t *time)
{
    time->start = of(signal)->start_ts;
    time->end = of(signal)->end_ts;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_set_profiler_enabled(hsa_queue_t *queue, int enable)
{
    (void)queue;
    (void)enable;
    return HSA_STATUS_SUCCESS; /* times are always kept */
}

hsa_status_t hsa_amd_profiling_async_copy_enable(bool enable)
{
    (void)enable;
    return HSA_STATUS_SUCCESS;
}
