/* SPDX-License-Identifier: MIT */
/*
 * Virtual memory: addresses are reserved, memory is created, and the memory is mapped to
 * the addresses.  Memory is a file in memory; mprotect sets the access.  HIP 7 takes its
 * managed memory from a reservation with NO_REGISTER, which must be usable at once.  Any
 * other reservation faults until memory is mapped to it and access is allowed.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

struct memory {
    int file;
    int agent;
    int uses; /* handles and mappings */
    size_t size;
    uint32_t flags;
};

struct mapping {
    struct lb_block block; /* first */
    struct memory *memory;
    hsa_access_permission_t access;
};

hsa_status_t hsa_amd_vmem_address_reserve_align(void **va, size_t size, uint64_t address,
                                                uint64_t alignment, uint64_t flags)
{
    bool usable = flags & HSA_AMD_VMEM_ADDRESS_NO_REGISTER;
    if (!va || size == 0 || size % LB_PAGE || (alignment & (alignment - 1))) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    size_t extra = alignment > LB_PAGE ? alignment : 0;
    char *base = mmap((void *)address, size + extra, usable ? PROT_READ | PROT_WRITE : PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    if (extra) {
        size_t skip = (alignment - (uintptr_t)base % alignment) % alignment;
        if (skip) {
            munmap(base, skip);
        }
        munmap(base + skip + size, extra - skip);
        base += skip;
    }
    *va = base;
    struct lb_block *block = lb_new(sizeof *block);
    block->base = block->host = block->backing = base;
    block->size = block->mapped = size;
    block->kind = LB_RESERVED;
    block->closed = !usable;
    lb_lock();
    lb_block_add_locked(block);
    lb_unlock();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_address_reserve(void **va, size_t size, uint64_t address, uint64_t flags)
{
    return hsa_amd_vmem_address_reserve_align(va, size, address, 0, flags);
}

hsa_status_t hsa_amd_vmem_address_free(void *va, size_t size)
{
    lb_lock();
    struct lb_block *block = lb_block_find_locked(va);
    bool ours = block && block->kind == LB_RESERVED && block->base == va && block->size == size;
    if (ours) {
        lb_block_remove_locked(block);
        munmap(va, size);
        free(block);
    }
    lb_unlock();
    return ours ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

static struct memory *memory_of(hsa_amd_vmem_alloc_handle_t handle)
{
    return (struct memory *)handle.handle; /* NOLINT: the handle is an address */
}

static void memory_drop_locked(struct memory *memory)
{
    if (--memory->uses == 0) {
        close(memory->file);
        free(memory);
    }
}

hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool, size_t size,
                                        hsa_amd_memory_type_t type, uint64_t flags,
                                        hsa_amd_vmem_alloc_handle_t *result)
{
    int agent;
    enum lb_pool_kind kind;
    (void)type;
    (void)flags;
    if (!lb_pool(pool, &agent, &kind) || size == 0 || size % LB_PAGE || !result) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    if (size > LB_VRAM) {
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    struct memory *memory = lb_new(sizeof *memory);
    memory->file = memfd_create("loopback memory", MFD_CLOEXEC);
    if (memory->file < 0 || ftruncate(memory->file, (off_t)size)) {
        lb_fatal("no file for memory");
    }
    memory->agent = agent;
    memory->uses = 1;
    memory->size = size;
    memory->flags = lb_pool_flags(kind);
    result->handle = (uint64_t)memory;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t handle)
{
    if (!handle.handle) {
        return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    }
    lb_lock();
    memory_drop_locked(memory_of(handle));
    lb_unlock();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_map(void *va, size_t size, size_t offset,
                              hsa_amd_vmem_alloc_handle_t handle, uint64_t flags)
{
    struct memory *memory = memory_of(handle);
    (void)flags;
    if (!memory || size == 0 || offset > memory->size || size > memory->size - offset) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    lb_lock();
    const struct lb_block *reserved = lb_block_find_locked(va);
    if (!reserved || reserved->kind != LB_RESERVED ||
        (size_t)((char *)va - reserved->base) + size > reserved->size ||
        mmap(va, size, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file, (off_t)offset) ==
            MAP_FAILED) {
        lb_unlock();
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    struct mapping *mapping = lb_new(sizeof *mapping);
    mapping->block.base = mapping->block.host = mapping->block.backing = va;
    mapping->block.size = mapping->block.mapped = size;
    mapping->block.kind = LB_VMEM;
    mapping->block.agent = memory->agent;
    mapping->block.flags = memory->flags;
    mapping->block.closed = true;
    mapping->memory = memory;
    memory->uses++;
    lb_block_add_locked(&mapping->block);
    lb_unlock();
    return HSA_STATUS_SUCCESS;
}

static struct mapping *mapping_at_locked(const void *va)
{
    struct lb_block *block = lb_block_find_locked(va);
    return block && block->kind == LB_VMEM ? (struct mapping *)block : NULL;
}

hsa_status_t hsa_amd_vmem_unmap(void *va, size_t size)
{
    lb_lock();
    struct mapping *mapping = mapping_at_locked(va);
    bool ours = mapping && mapping->block.base == va && mapping->block.size == size;
    if (ours) {
        mmap(va, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        lb_block_remove_locked(&mapping->block);
        memory_drop_locked(mapping->memory);
        free(mapping);
    }
    lb_unlock();
    return ours ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

/* The host gets the access of the last agent in the list. */
hsa_status_t hsa_amd_vmem_set_access(void *va, size_t size,
                                     const hsa_amd_memory_access_desc_t *list, size_t count)
{
    static const int protections[] = {PROT_NONE, PROT_READ, PROT_WRITE, PROT_READ | PROT_WRITE};
    if (!list || count == 0 || (unsigned)list[count - 1].permissions > 3) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    hsa_access_permission_t access = list[count - 1].permissions;
    char *at = va;
    char *end = at + size;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    lb_lock();
    while (at < end && status == HSA_STATUS_SUCCESS) {
        struct mapping *mapping = mapping_at_locked(at);
        if (!mapping || mprotect(mapping->block.base, mapping->block.size, protections[access])) {
            status = HSA_STATUS_ERROR_INVALID_ALLOCATION;
        } else {
            mapping->access = access;
            mapping->block.closed = access != HSA_ACCESS_PERMISSION_RW;
            lb_ranges_changed();
            at = mapping->block.base + mapping->block.size;
        }
    }
    lb_unlock();
    return status;
}

hsa_status_t hsa_amd_vmem_get_access(void *va, hsa_access_permission_t *access, hsa_agent_t agent)
{
    if (lb_agent_index(agent) < 0 || !access) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    lb_lock();
    const struct mapping *mapping = mapping_at_locked(va);
    if (mapping) {
        *access = mapping->access;
    }
    lb_unlock();
    return mapping ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t *handle, void *va)
{
    lb_lock();
    const struct mapping *mapping = mapping_at_locked(va);
    if (mapping) {
        mapping->memory->uses++;
        handle->handle = (uint64_t)mapping->memory;
    }
    lb_unlock();
    return mapping ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_amd_vmem_export_shareable_handle(int *file, hsa_amd_vmem_alloc_handle_t handle,
                                                  uint64_t flags)
{
    (void)flags;
    if (!handle.handle || !file) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    *file = dup(memory_of(handle)->file);
    return *file < 0 ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_import_shareable_handle(int file, hsa_amd_vmem_alloc_handle_t *result)
{
    struct stat status;
    if (fstat(file, &status) || status.st_size <= 0) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    struct memory *memory = lb_new(sizeof *memory);
    memory->file = dup(file);
    memory->agent = 1;
    memory->uses = 1;
    memory->size = (size_t)status.st_size;
    memory->flags = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
    result->handle = (uint64_t)memory;
    return HSA_STATUS_SUCCESS;
}
