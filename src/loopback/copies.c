/* SPDX-License-Identifier: MIT */
/*
 * The "DMA engines" are one list of copies and one thread.  The thread takes the first
 * copy whose signals have all fallen, so a copy that waits does not delay the others.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct job {
    struct lb_copy copy;
    struct job *next;
    hsa_signal_t waits[];
};

static struct job *jobs;
static bool running, moving;

static void move(const struct lb_copy *copy)
{
    if (copy->size == 0 || copy->rows == 0 || copy->slices == 0) {
        return;
    }
    size_t dst_size = (copy->slices - 1) * copy->dst_slice + (copy->rows - 1) * copy->dst_pitch;
    size_t src_size = (copy->slices - 1) * copy->src_slice + (copy->rows - 1) * copy->src_pitch;
    char *dst = lb_host_address(copy->dst, dst_size + copy->size);
    const char *src = lb_host_address(copy->src, src_size + copy->size);
    if (!dst || !src) {
        return;
    }
    for (size_t z = 0; z < copy->slices; z++) {
        for (size_t y = 0; y < copy->rows; y++) {
            memmove(dst + z * copy->dst_slice + y * copy->dst_pitch,
                    src + z * copy->src_slice + y * copy->src_pitch, copy->size);
        }
    }
}

static bool ready(const struct job *job)
{
    for (uint32_t i = 0; i < job->copy.wait_count; i++) {
        if (lb_signal_value(job->waits[i]) > 0) {
            return false;
        }
    }
    return true;
}

static struct job *take_locked(void)
{
    for (struct job **at = &jobs; *at; at = &(*at)->next) {
        if (ready(*at)) {
            struct job *job = *at;
            *at = job->next;
            return job;
        }
    }
    return NULL;
}

static void *work(void *unused)
{
    lb_lock();
    for (;;) {
        struct job *job = take_locked();
        if (!job) {
            lb_wait_locked(jobs ? 1000 : 1000000);
            continue;
        }
        moving = true;
        lb_unlock();
        uint64_t start = lb_now();
        move(&job->copy);
        lb_signal_complete(job->copy.done, start);
        free(job);
        lb_lock();
        moving = false;
    }
    return unused;
}

bool lb_copies_idle_locked(void)
{
    return !jobs && !moving;
}

hsa_status_t lb_copy_submit(const struct lb_copy *copy)
{
    size_t waits = copy->wait_count * sizeof(hsa_signal_t);
    struct job *job = lb_new(sizeof *job + waits);
    job->copy = *copy;
    if (waits) {
        memcpy(job->waits, copy->waits, waits);
    }
    lb_lock();
    struct job **at = &jobs;
    while (*at) {
        at = &(*at)->next;
    }
    *at = job;
    if (!running) {
        running = true;
        lb_thread_start(work, NULL);
    }
    lb_wake_locked();
    lb_unlock();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_async_copy(void *dst, hsa_agent_t dst_agent, const void *src,
                                       hsa_agent_t src_agent, size_t size, uint32_t wait_count,
                                       const hsa_signal_t *waits, hsa_signal_t done)
{
    if (lb_agent_index(dst_agent) < 0 || lb_agent_index(src_agent) < 0) {
        return HSA_STATUS_ERROR_INVALID_AGENT;
    }
    if (!dst || !src) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    struct lb_copy copy = {.dst = dst,
                           .src = src,
                           .size = size,
                           .rows = 1,
                           .slices = 1,
                           .waits = waits,
                           .wait_count = wait_count,
                           .done = done};
    return lb_copy_submit(&copy);
}

hsa_status_t hsa_amd_memory_async_copy_on_engine(void *dst, hsa_agent_t dst_agent, const void *src,
                                                 hsa_agent_t src_agent, size_t size,
                                                 uint32_t wait_count, const hsa_signal_t *waits,
                                                 hsa_signal_t done, hsa_amd_sdma_engine_id_t engine,
                                                 bool force)
{
    (void)engine;
    (void)force;
    return hsa_amd_memory_async_copy(dst, dst_agent, src, src_agent, size, wait_count, waits, done);
}

/* HIP 7.14 submits copies in batches.  The headers of 7.2 do not declare it. */
struct batched {
    uint16_t version, type, entries, traffic_class;
    hsa_signal_t done;
    const void *src;
    hsa_agent_t src_agent, dst_agent;
    void *dst;
    size_t size, unused;
};
enum { BATCHED_LINEAR = 0 };
hsa_status_t hsa_amd_memory_async_batch_copy(const struct batched *, uint32_t, uint32_t,
                                             const hsa_signal_t *);

hsa_status_t hsa_amd_memory_async_batch_copy(const struct batched *batch, uint32_t count,
                                             uint32_t wait_count, const hsa_signal_t *waits)
{
    for (uint32_t i = 0; i < count; i++) {
        if (batch[i].type != BATCHED_LINEAR || batch[i].entries > 1) {
            return lb_refuse((hsa_status_t)HSA_STATUS_ERROR_NOT_SUPPORTED, __func__,
                             "only linear copies");
        }
    }
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (uint32_t i = 0; i < count && status == HSA_STATUS_SUCCESS; i++) {
        const struct batched *one = &batch[i];
        status = hsa_amd_memory_async_copy(one->dst, one->dst_agent, one->src, one->src_agent,
                                           one->size, wait_count, waits, one->done);
    }
    return status;
}

static size_t start_of(const hsa_pitched_ptr_t *area, const hsa_dim3_t *offset)
{
    return offset->z * area->slice + offset->y * area->pitch + offset->x;
}

hsa_status_t hsa_amd_memory_async_copy_rect(const hsa_pitched_ptr_t *dst,
                                            const hsa_dim3_t *dst_offset,
                                            const hsa_pitched_ptr_t *src,
                                            const hsa_dim3_t *src_offset, const hsa_dim3_t *range,
                                            hsa_agent_t agent, hsa_amd_copy_direction_t direction,
                                            uint32_t wait_count, const hsa_signal_t *waits,
                                            hsa_signal_t done)
{
    (void)direction;
    if (lb_agent_index(agent) < 0) {
        return HSA_STATUS_ERROR_INVALID_AGENT;
    }
    struct lb_copy copy = {.dst = (char *)dst->base + start_of(dst, dst_offset),
                           .src = (char *)src->base + start_of(src, src_offset),
                           .size = range->x,
                           .rows = range->y,
                           .slices = range->z,
                           .dst_pitch = dst->pitch,
                           .dst_slice = dst->slice,
                           .src_pitch = src->pitch,
                           .src_slice = src->slice,
                           .waits = waits,
                           .wait_count = wait_count,
                           .done = done};
    return lb_copy_submit(&copy);
}

hsa_status_t hsa_amd_memory_copy_engine_status(hsa_agent_t dst, hsa_agent_t src, uint32_t *mask)
{
    (void)dst;
    (void)src;
    *mask = HSA_AMD_SDMA_ENGINE_0 | HSA_AMD_SDMA_ENGINE_1;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_get_preferred_copy_engine(hsa_agent_t dst, hsa_agent_t src,
                                                      uint32_t *mask)
{
    return hsa_amd_memory_copy_engine_status(dst, src, mask);
}

hsa_status_t hsa_memory_copy(void *dst, const void *src, size_t size)
{
    struct lb_copy copy = {.dst = dst, .src = src, .size = size, .rows = 1, .slices = 1};
    move(&copy);
    return HSA_STATUS_SUCCESS;
}
