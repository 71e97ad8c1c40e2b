/* SPDX-License-Identifier: MIT */
/*
 * Where a module is loaded: the current device and context, and the `reset_id` of the device,
 * which a reset ends.
 *
 * No function of HIP tells that a device was reset.  hipDeviceReset frees all memory of the
 * device, though, and HIP never gives two allocations the same HIP_POINTER_ATTRIBUTE_BUFFER_ID.
 * So each device gets a sentinel, one byte of its memory: as long as the byte has its id, the
 * device was not reset, also not by a library that calls the runtime without hipshim.
 */
#include "kernel/kernel.h"

#include <hip/hip_runtime_api.h>
#include <hipshim/hipshim.h>

#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"

/* The list only grows, because other threads may be reading it.  The newest of a device counts. */
struct sentinel {
    struct sentinel *older;
    int device;
    void *memory; /* NULL if the runtime has no ids */
    uint64_t id;
};
static struct sentinel *_Atomic sentinels;

static struct sentinel *newest_sentinel(struct sentinel *from, int device)
{
    while (from && from->device != device) {
        from = from->older;
    }
    return from;
}

/* 0 if the memory is not allocated, or the runtime has no ids. */
static uint64_t id_of_memory(void *memory)
{
    uint64_t id = 0; /* the releases write 4 or 8 bytes */

    return hipPointerGetAttribute(&id, HIP_POINTER_ATTRIBUTE_BUFFER_ID, memory) == hipSuccess ? id
                                                                                              : 0;
}

static struct sentinel *make_sentinel(int device)
{
    struct sentinel *made = calloc(1, sizeof *made);
    hipError_t error = made ? hipMalloc(&made->memory, 1) : hipErrorOutOfMemory;

    if (error != hipSuccess) {
        hs_error_set("device %d: no memory to notice a reset: %s", device, hipGetErrorName(error));
        free(made);
        return NULL;
    }
    made->device = device;
    made->id = id_of_memory(made->memory);
    if (made->id == 0) {
        (void)hipFree(made->memory);
        made->memory = NULL;
    }
    return made;
}

static void discard_sentinel(struct sentinel *sentinel)
{
    if (sentinel->memory) {
        (void)hipFree(sentinel->memory);
    }
    free(sentinel);
}

/* The sentinel that counts; NULL with the error text. */
static const struct sentinel *find_sentinel(int device)
{
    struct sentinel *head = atomic_load(&sentinels), *known = newest_sentinel(head, device);

    if (known && (!known->memory || id_of_memory(known->memory) == known->id)) {
        return known;
    }
    struct sentinel *made = make_sentinel(device);

    if (!made) {
        return NULL;
    }
    do {
        struct sentinel *other = newest_sentinel(head, device);

        if (other != known) { /* another thread was faster */
            discard_sentinel(made);
            return other;
        }
        made->older = head;
    } while (!atomic_compare_exchange_weak(&sentinels, &head, made));
    return made;
}

static hipshim_status_t find_place(struct hs_place *place)
{
    hipError_t error = hipGetDevice(&place->device);
    hipCtx_t context = NULL;

    if (error != hipSuccess) {
        hs_error_set("hipshim_module: there is no current device: %s", hipGetErrorName(error));
        return HIPSHIM_ERROR_SYSTEM;
    }
    /* A release without contexts has one for each device. */
    place->context = hipCtxGetCurrent(&context) == hipSuccess ? (uintptr_t)context : 0;

    const struct sentinel *sentinel = find_sentinel(place->device);

    place->reset_id = sentinel ? sentinel->id : 0;
    return sentinel ? HIPSHIM_OK : HIPSHIM_ERROR_SYSTEM;
}

hipshim_status_t hs_place_find(struct hs_place *place)
{
    hipshim_status_t status = hipshim_init();

    if (status != HIPSHIM_OK) {
        return status;
    }
    hipError_t before = hipPeekAtLastError();

    status = find_place(place);
    if (before == hipSuccess) {
        (void)hipGetLastError(); /* that of a sentinel which a reset freed */
    }
    return status;
}
