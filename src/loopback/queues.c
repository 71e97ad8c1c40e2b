/* SPDX-License-Identifier: MIT */
/*
 * Queues.  Each has a thread, so a stream that waits does not stop the others.  The
 * thread executes one packet after the other; it checks a barrier again until its
 * signals are zero.  The runtime raises a signal by one to hold a queue during a
 * callback.  The ring starts with INVALID packets, because type 0 is VENDOR.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { PACKET = 64, NEWEST_QUEUE_INFO = 8, HANDLERS_NS = 1000000000 };

struct queue {
    amd_queue_v2_t amd; /* the first member, because the runtime reads it */
    void (*callback)(hsa_status_t, hsa_queue_t *, void *);
    void *data;
    char *ring;
    hsa_agent_t agent;
    bool stop, stopped, faulty, busy;
    struct queue *next;
};
static struct queue *queues;

/* HIP 5 and 6 end the process then; HIP 7 reports an error of the launch. */
static void fault(struct queue *queue, hsa_status_t status)
{
    queue->faulty = true;
    if (queue->callback) {
        queue->callback(status, &queue->amd.hsa_queue, queue->data);
    }
}

static void dispatch(struct queue *queue, const hsa_kernel_dispatch_packet_t *packet)
{
    const struct lb_kernel *kernel = lb_kernel_find(packet->kernel_object);
    if (!kernel) {
        lb_unknown(HSA_STATUS_ERROR, "dispatch of an unknown kernel object 0x%llx",
                   (unsigned long long)packet->kernel_object);
        return;
    }
    if (lb_settings.fault_kernel && !queue->faulty && !lb_is_of_runtime(kernel)) {
        lb_log("a fault was asked for");
        fault(queue, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
        return;
    }
    lb_log("kernel %s, grid %u %u %u, group %u %u %u", kernel->name, packet->grid_size_x,
           packet->grid_size_y, packet->grid_size_z, packet->workgroup_size_x,
           packet->workgroup_size_y, packet->workgroup_size_z);
    struct isa_launch launch = {kernel, packet, &queue->amd, queue->amd.read_dispatch_id};
    hsa_status_t status = queue->faulty ? HSA_STATUS_SUCCESS : lb_isa_launch(&launch);
    if (status != HSA_STATUS_SUCCESS) {
        fault(queue, status);
    }
}

static bool signals_down(const hsa_signal_t *signals, bool all)
{
    bool any = false;
    bool some = false;
    for (int i = 0; i < 5; i++) {
        if (!signals[i].handle) {
            continue;
        }
        some = true;
        bool down = lb_signal_value(signals[i]) == 0;
        if (all && !down) {
            return false;
        }
        any = any || down;
    }
    return all || any || !some;
}

/* True if the packet at the head may be executed. */
static bool may_go(const void *packet, unsigned type)
{
    const hsa_barrier_and_packet_t *barrier = packet;
    const hsa_amd_barrier_value_packet_t *value = packet;
    switch (type) {
    case HSA_PACKET_TYPE_BARRIER_AND:
        return signals_down(barrier->dep_signal, true);
    case HSA_PACKET_TYPE_BARRIER_OR:
        return signals_down(barrier->dep_signal, false);
    case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
        if (value->header.AmdFormat != HSA_AMD_PACKET_TYPE_BARRIER_VALUE) {
            lb_unknown(HSA_STATUS_ERROR, "unknown vendor packet %u", value->header.AmdFormat);
            return true;
        }
        return !value->signal.handle ||
               lb_condition(value->cond, lb_signal_value(value->signal) & value->mask,
                            value->value);
    case HSA_PACKET_TYPE_KERNEL_DISPATCH:
        return true;
    default:
        lb_unknown(HSA_STATUS_ERROR, "unknown packet type %u", type);
        return true;
    }
}

/* The completion signal is the last word of every kind of packet. */
static void carry_out(struct queue *queue, char *packet, unsigned type)
{
    uint64_t start = lb_now();
    hsa_signal_t done;
    memcpy(&done, packet + PACKET - sizeof done, sizeof done);
    if (type == HSA_PACKET_TYPE_KERNEL_DISPATCH) {
        dispatch(queue, (const hsa_kernel_dispatch_packet_t *)packet);
    }
    __atomic_store_n((uint16_t *)packet, HSA_PACKET_TYPE_INVALID, __ATOMIC_RELEASE);
    __atomic_add_fetch(&queue->amd.read_dispatch_id, 1, __ATOMIC_RELEASE);
    lb_signal_complete(done, start);
}

/*
 * True if a place of the ring was taken, as it always is when its packet is there.  The
 * load orders the writes before it (the kernel's arguments) before the reads here.  Both
 * of its operations are in this library, because ThreadSanitizer does not see the
 * runtime's own store of the packet's header.
 */
static bool reserved(const struct queue *queue, uint64_t index)
{
    return index < __atomic_load_n(&queue->amd.write_dispatch_id, __ATOMIC_ACQUIRE);
}

bool lb_queues_idle_locked(void)
{
    for (const struct queue *queue = queues; queue; queue = queue->next) {
        if (queue->busy || (reserved(queue, queue->amd.read_dispatch_id) && !queue->faulty)) {
            return false;
        }
    }
    return true;
}

static void *serve(void *argument)
{
    struct queue *queue = argument;
    lb_lock();
    while (!queue->stop) {
        uint64_t index = queue->amd.read_dispatch_id;
        char *packet = queue->ring + index % queue->amd.hsa_queue.size * PACKET;
        unsigned type = __atomic_load_n((uint16_t *)packet, __ATOMIC_ACQUIRE) & 0xff;
        if (type == HSA_PACKET_TYPE_INVALID || !reserved(queue, index)) {
            lb_wait_locked(100000);
        } else if (!may_go(packet, type)) {
            lb_wait_locked(1000);
        } else {
            queue->busy = true;
            lb_unlock();
            carry_out(queue, packet, type);
            lb_lock();
            queue->busy = false;
        }
    }
    queue->stopped = true;
    lb_wake_locked();
    lb_unlock();
    return NULL;
}

hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                              void (*callback)(hsa_status_t, hsa_queue_t *, void *), void *data,
                              uint32_t private_size, uint32_t group_size, hsa_queue_t **result)
{
    static uint64_t last;
    (void)private_size;
    (void)group_size;
    if (lb_agent_index(agent) < 1) {
        return HSA_STATUS_ERROR_INVALID_AGENT;
    }
    if (size == 0 || (size & (size - 1)) || !result) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    struct queue *queue = aligned_alloc(AMD_QUEUE_ALIGN_BYTES, (sizeof *queue + 63) / 64 * 64);
    char *ring = aligned_alloc(PACKET, (size_t)size * PACKET);
    if (!queue || !ring) {
        lb_fatal("no memory for a queue");
    }
    *queue = (struct queue){.callback = callback, .data = data, .ring = ring, .agent = agent};
    memset(ring, 0, (size_t)size * PACKET);
    for (uint32_t i = 0; i < size; i++) {
        ring[(size_t)i * PACKET] = HSA_PACKET_TYPE_INVALID;
    }
    queue->amd.hsa_queue.type = type;
    queue->amd.hsa_queue.features = HSA_QUEUE_FEATURE_KERNEL_DISPATCH;
    queue->amd.hsa_queue.base_address = ring;
    queue->amd.hsa_queue.size = size;
    queue->amd.hsa_queue.id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    queue->amd.group_segment_aperture_base_hi = 0x10000;
    queue->amd.private_segment_aperture_base_hi = 0x20000;
    queue->amd.max_cu_id = 103;
    queue->amd.max_wave_id = 31;
    hsa_signal_create(0, 0, NULL, &queue->amd.hsa_queue.doorbell_signal);
    hsa_signal_create(0, 0, NULL, &queue->amd.queue_inactive_signal);
    lb_lock();
    queue->next = queues;
    queues = queue;
    lb_unlock();
    lb_thread_start(serve, queue);
    *result = &queue->amd.hsa_queue;
    return HSA_STATUS_SUCCESS;
}

static struct queue *of(const hsa_queue_t *queue)
{
    return (struct queue *)queue;
}

/*
 * The exit handler of HIP 7 submits a last packet with an async handler, waits for its signal
 * alone, destroys the queue, and then frees what the handler uses.  So this waits for handlers.
 * Not for long, since the caller may hold a lock that one of them needs.
 */
hsa_status_t hsa_queue_destroy(hsa_queue_t *handle)
{
    struct queue *queue = of(handle);
    if (!queue) {
        return HSA_STATUS_ERROR_INVALID_QUEUE;
    }
    uint64_t end = lb_now() + HANDLERS_NS;
    lb_lock();
    queue->stop = true;
    lb_wake_locked();
    while (!queue->stopped || (!lb_handlers_idle_locked() && lb_now() < end)) {
        lb_wait_locked(1000);
    }
    struct queue **at = &queues;
    while (*at != queue) {
        at = &(*at)->next;
    }
    *at = queue->next;
    lb_unlock();
    hsa_signal_destroy(handle->doorbell_signal);
    hsa_signal_destroy(queue->amd.queue_inactive_signal);
    free(queue->ring);
    free(queue);
    return HSA_STATUS_SUCCESS;
}

uint64_t hsa_queue_load_read_index_scacquire(const hsa_queue_t *queue)
{
    return __atomic_load_n(&of(queue)->amd.read_dispatch_id, __ATOMIC_ACQUIRE);
}

uint64_t hsa_queue_load_read_index_relaxed(const hsa_queue_t *queue)
{
    return hsa_queue_load_read_index_scacquire(queue);
}

uint64_t hsa_queue_load_write_index_relaxed(const hsa_queue_t *queue)
{
    return __atomic_load_n(&of(queue)->amd.write_dispatch_id, __ATOMIC_ACQUIRE);
}

uint64_t hsa_queue_load_write_index_scacquire(const hsa_queue_t *queue)
{
    return hsa_queue_load_write_index_relaxed(queue);
}

uint64_t hsa_queue_add_write_index_screlease(const hsa_queue_t *queue, uint64_t value)
{
    return __atomic_fetch_add(&of(queue)->amd.write_dispatch_id, value, __ATOMIC_ACQ_REL);
}

hsa_status_t hsa_amd_queue_get_info(hsa_queue_t *queue, hsa_queue_info_attribute_t attribute,
                                    void *value)
{
    switch (attribute) {
    case HSA_AMD_QUEUE_INFO_AGENT:
        return ANSWER(hsa_agent_t, of(queue)->agent);
    case HSA_AMD_QUEUE_INFO_DOORBELL_ID:
        return ANSWER(uint64_t, queue->doorbell_signal.handle);
    default: /* HIP 7.14 asks for those that HSA after 1.15 added */
        return (unsigned)attribute <= NEWEST_QUEUE_INFO
                   ? lb_refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__, "newer than HSA 1.15")
                   : lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown queue info %u",
                                (unsigned)attribute);
    }
}

hsa_status_t hsa_amd_queue_cu_set_mask(const hsa_queue_t *queue, uint32_t count,
                                       const uint32_t *mask)
{
    /* A mask of compute units has no effect, because there are no compute units. */
    return queue && (count == 0 || mask) && count % 32 == 0 ? HSA_STATUS_SUCCESS
                                                            : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_amd_queue_set_priority(hsa_queue_t *queue, hsa_amd_queue_priority_t priority)
{
    return queue && (unsigned)priority <= HSA_AMD_QUEUE_PRIORITY_HIGH
               ? HSA_STATUS_SUCCESS
               : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
