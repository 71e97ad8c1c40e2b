/* SPDX-License-Identifier: MIT */
/*
 * Memory with an owner: pools, registered ("locked") host memory, and the table of
 * both, which hsa_amd_pointer_info and every access read.
 *
 * GPU memory is mapped from one sparse file in memory, whose offsets are never
 * used twice.  It starts as zeros, costs nothing until it is accessed, and can be shared
 * with another process.  In guard mode a program gets a mapping without access
 * and the loopback works through a second one.  Locked host memory gets another
 * address for agents, as on a discrete card; HIP 5.2 relies on that.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

#define GPU_FILE_SIZE (INT64_C(1) << 46)

static struct lb_block *blocks;
static int gpu_file = -1;
static uint64_t gpu_next;
static uint64_t gpu_used[LB_GPUS_MAX + 1];
uint64_t lb_range_changes = 1;

size_t lb_pages(size_t size)
{
    return (size + LB_PAGE - 1) & ~(size_t)(LB_PAGE - 1);
}

static bool within(const char *address, const char *start, size_t size)
{
    return address >= start && (size_t)(address - start) < size;
}

struct lb_block *lb_block_find_locked(const void *address)
{
    struct lb_block *wider = NULL;
    for (struct lb_block *block = blocks; block; block = block->next) {
        if (within(address, block->base, block->mapped) ||
            within(address, block->host, block->kind == LB_LOCKED ? block->size : block->mapped)) {
            /* A reservation encloses the mappings in it. */
            if (block->kind != LB_RESERVED) {
                return block;
            }
            wider = block;
        }
    }
    return wider;
}

/* 0 inside. */
static uint64_t distance_to(const struct lb_block *block, uint64_t address)
{
    uint64_t start = (uint64_t)block->base;
    uint64_t end = start + block->size;
    return address < start ? start - address : address < end ? 0 : address - end + 1;
}

const struct lb_block *lb_block_nearest_locked(const void *address, uint64_t *distance)
{
    const struct lb_block *nearest = NULL;
    for (const struct lb_block *block = blocks; block; block = block->next) {
        uint64_t far = distance_to(block, (uint64_t)address);
        if (block->kind != LB_RESERVED && (!nearest || far < *distance)) {
            nearest = block;
            *distance = far;
        }
    }
    return nearest;
}

void lb_ranges_changed(void)
{
    __atomic_add_fetch(&lb_range_changes, 1, __ATOMIC_RELEASE);
}

void lb_block_add_locked(struct lb_block *block)
{
    block->next = blocks;
    blocks = block;
    lb_ranges_changed();
}

void lb_block_remove_locked(struct lb_block *block)
{
    for (struct lb_block **at = &blocks; *at; at = &(*at)->next) {
        if (*at == block) {
            *at = block->next;
            lb_ranges_changed();
            return;
        }
    }
}

void *lb_host_address(const void *address, size_t size)
{
    char *result = (char *)address;
    lb_lock();
    struct lb_block *block = lb_block_find_locked(address);
    if (block && within(address, block->base, block->mapped)) {
        size_t offset = (size_t)((const char *)address - block->base);
        if (size > block->mapped - offset && block->kind != LB_VMEM && block->kind != LB_RESERVED) {
            lb_unlock();
            lb_unknown(HSA_STATUS_ERROR, "an access of %zu bytes at %p goes past its %zu bytes",
                       size, address, block->size - offset);
            return NULL;
        }
        result = block->backing + offset;
    }
    lb_unlock();
    return result;
}

int lb_gpu_file(void)
{
    return gpu_file;
}

uint64_t lb_gpu_used(int agent)
{
    lb_lock();
    uint64_t used = gpu_used[agent];
    lb_unlock();
    return used;
}

static bool gpu_file_open(void)
{
    if (gpu_file < 0) {
        gpu_file = memfd_create("loopback GPU memory", MFD_CLOEXEC);
        if (gpu_file < 0 || ftruncate(gpu_file, GPU_FILE_SIZE)) {
            lb_fatal("no file for GPU memory");
        }
    }
    return true;
}

/* The heap of device code finds the start of its blocks of 2 MiB by their alignment. */
enum { LARGE = 1 << 21 };

static char *map_gpu_memory(size_t size, int access)
{
    size_t spare = size >= LARGE ? LARGE : 0;
    char *room =
        mmap(NULL, size + spare, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return MAP_FAILED;
    }
    size_t before = spare ? -(uintptr_t)room % LARGE : 0;
    if (before) {
        munmap(room, before);
    }
    if (spare > before) {
        munmap(room + before + size, spare - before);
    }
    return mmap(room + before, size, access, MAP_SHARED | MAP_FIXED, gpu_file, (off_t)gpu_next);
}

struct lb_block *lb_gpu_new_locked(int agent, size_t size, uint32_t flags)
{
    size_t mapped = lb_pages(size);
    if (mapped < size || mapped > LB_VRAM - gpu_used[agent] || !gpu_file_open()) {
        return NULL;
    }
    int access = lb_settings.guard ? PROT_NONE : PROT_READ | PROT_WRITE;
    char *base = map_gpu_memory(mapped, access);
    if (base == MAP_FAILED) {
        return NULL;
    }
    char *backing = base;
    if (lb_settings.guard) {
        backing = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, gpu_file, (off_t)gpu_next);
        if (backing == MAP_FAILED) {
            munmap(base, mapped);
            return NULL;
        }
    }
    struct lb_block *block = lb_new(sizeof *block);
    block->base = block->host = base;
    block->backing = backing;
    block->size = size;
    block->mapped = mapped;
    block->kind = LB_GPU;
    block->agent = agent;
    block->flags = flags;
    block->offset = gpu_next;
    gpu_next += mapped;
    gpu_used[agent] += mapped;
    lb_block_add_locked(block);
    return block;
}

void lb_gpu_free_locked(struct lb_block *block)
{
    lb_block_remove_locked(block);
    gpu_used[block->agent] -= block->mapped;
    if (block->backing != block->base) {
        munmap(block->backing, block->mapped);
    }
    munmap(block->base, block->mapped);
    fallocate(gpu_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)block->offset,
              (off_t)block->mapped);
    free(block);
}

static struct lb_block *host_new_locked(size_t size, uint32_t flags)
{
    size_t mapped = lb_pages(size);
    char *base = mapped < size || mapped > LB_RAM
                     ? MAP_FAILED
                     : mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return NULL;
    }
    struct lb_block *block = lb_new(sizeof *block);
    block->base = block->host = block->backing = base;
    block->size = size;
    block->mapped = mapped;
    block->kind = LB_HOST;
    block->flags = flags;
    lb_block_add_locked(block);
    return block;
}

hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags,
                                          void **ptr)
{
    int agent;
    enum lb_pool_kind kind;
    (void)flags;
    if (!lb_pool(pool, &agent, &kind) || kind == LB_POOL_GROUP) {
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    }
    if (size == 0 || !ptr) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    lb_lock();
    struct lb_block *block = agent ? lb_gpu_new_locked(agent, size, lb_pool_flags(kind))
                                   : host_new_locked(size, lb_pool_flags(kind));
    *ptr = block ? block->base : NULL;
    lb_unlock();
    return block ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t hsa_amd_memory_pool_free(void *ptr)
{
    if (!ptr) {
        return HSA_STATUS_SUCCESS;
    }
    lb_lock();
    struct lb_block *block = lb_block_find_locked(ptr);
    bool ours = block && block->base == ptr && (block->kind == LB_HOST || block->kind == LB_GPU);
    if (ours && block->kind == LB_GPU) {
        lb_gpu_free_locked(block);
    } else if (ours) {
        lb_block_remove_locked(block);
        munmap(block->base, block->mapped);
        free(block);
    }
    lb_unlock();
    return ours ? HSA_STATUS_SUCCESS
                : lb_unknown(HSA_STATUS_ERROR_INVALID_ALLOCATION,
                             "hsa_amd_memory_pool_free: %p was never given out (the runtime freed "
                             "it; LOOPBACK_STRICT=0 goes on)",
                             ptr);
}

hsa_status_t hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t *agents,
                                         const uint32_t *flags, const void *ptr)
{
    (void)flags;
    for (uint32_t i = 0; i < count; i++) {
        if (lb_agent_index(agents[i]) < 0) {
            return HSA_STATUS_ERROR_INVALID_AGENT;
        }
    }
    lb_lock();
    bool known = lb_block_find_locked(ptr) != NULL;
    lb_unlock();
    return known ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

/* --- registered host memory --- */

/* The lock that begins there, or else one that encloses the address: locks may share pages. */
static struct lb_block *locked_at(const char *host)
{
    struct lb_block *enclosing = NULL;
    for (struct lb_block *block = blocks; block; block = block->next) {
        if (block->kind != LB_LOCKED || !within(host, block->host, block->size)) {
            continue;
        }
        if (block->host == host) {
            return block;
        }
        enclosing = block;
    }
    return enclosing;
}

/* Both addresses have the same offset in their page. */
static struct lb_block *lock_new(char *host, size_t size, uint32_t flags)
{
    size_t in_page = (uintptr_t)host % LB_PAGE;
    size_t mapped = lb_pages(in_page + size);
    struct lb_block *block = lb_new(sizeof *block);
    block->host = block->backing = host;
    block->size = block->mapped = size;
    char *alias = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (alias == MAP_FAILED) {
        lb_fatal("no address space for locked memory");
    }
    block->base = alias + in_page;
    block->kind = LB_LOCKED;
    block->flags = flags;
    lb_block_add_locked(block);
    return block;
}

hsa_status_t hsa_amd_memory_lock_to_pool(void *host, size_t size, hsa_agent_t *agents, int count,
                                         hsa_amd_memory_pool_t pool, uint32_t flags, void **result)
{
    int agent;
    enum lb_pool_kind kind;
    (void)agents;
    (void)count;
    (void)flags;
    if (!lb_pool(pool, &agent, &kind) || agent != LB_CPU) {
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    }
    if (!host || size == 0 || !result) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    lb_lock();
    struct lb_block *block = locked_at(host);
    if (!block || !within((char *)host + size - 1, block->host, block->size)) {
        block = lock_new(host, size, lb_pool_flags(kind));
    }
    block->locks++;
    *result = block->base + ((char *)host - block->host);
    lb_unlock();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_unlock(void *host)
{
    lb_lock();
    struct lb_block *block = locked_at(host);
    if (block && --block->locks == 0) {
        lb_block_remove_locked(block);
        if (block->base != block->host) {
            size_t in_page = (uintptr_t)block->host % LB_PAGE;
            munmap(block->base - in_page, lb_pages(in_page + block->size));
        }
        free(block);
    }
    lb_unlock();
    return block ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_memory_register(void *address, size_t size)
{
    (void)size;
    return address ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_memory_deregister(void *address, size_t size)
{
    return hsa_memory_register(address, size);
}

/* --- queries --- */

static hsa_amd_pointer_type_t type_of(const struct lb_block *block)
{
    switch (block->kind) {
    case LB_LOCKED:
        return HSA_EXT_POINTER_TYPE_LOCKED;
    case LB_IPC:
        return HSA_EXT_POINTER_TYPE_IPC;
    case LB_RESERVED:
        return HSA_EXT_POINTER_TYPE_RESERVED_ADDR;
    case LB_VMEM:
        return HSA_EXT_POINTER_TYPE_HSA_VMEM;
    default:
        return HSA_EXT_POINTER_TYPE_HSA;
    }
}

static void describe(const struct lb_block *block, hsa_amd_pointer_info_t *full)
{
    full->type = type_of(block);
    full->agentBaseAddress = block->base;
    full->hostBaseAddress = lb_settings.guard && block->kind == LB_GPU ? NULL : block->host;
    full->sizeInBytes = block->size;
    full->agentOwner = lb_agent(block->agent);
    full->global_flags = block->flags;
    full->registered = block->kind == LB_LOCKED;
}

/* The caller passes the size of the structure as it knows it. */
hsa_status_t hsa_amd_pointer_info(const void *ptr, hsa_amd_pointer_info_t *info,
                                  void *(*allocate)(size_t), uint32_t *count,
                                  hsa_agent_t **accessible)
{
    if (!info || info->size < offsetof(hsa_amd_pointer_info_t, agentBaseAddress)) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    hsa_amd_pointer_info_t full = {.type = HSA_EXT_POINTER_TYPE_UNKNOWN};
    lb_lock();
    const struct lb_block *block = lb_block_find_locked(ptr);
    if (block) {
        describe(block, &full);
    }
    lb_unlock();
    uint32_t size = info->size < sizeof full ? info->size : (uint32_t)sizeof full;
    full.size = size;
    memcpy(info, &full, size);
    if (count && accessible && allocate) {
        *count = full.type == HSA_EXT_POINTER_TYPE_UNKNOWN ? 0 : (uint32_t)lb_settings.gpus;
        *accessible = *count ? allocate(*count * sizeof **accessible) : NULL;
        for (uint32_t i = 0; i < *count; i++) {
            (*accessible)[i] = lb_agent((int)i + 1);
        }
    }
    return HSA_STATUS_SUCCESS;
}
