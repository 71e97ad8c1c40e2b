/* SPDX-License-Identifier: MIT */
/*
 * GPU memory shared between processes.  A handle is {process, file descriptor,
 * offset, size, agent}; attaching opens the other process's memory file in /proc.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

struct handle {
    int32_t process;
    int32_t file;
    uint64_t offset;
    uint64_t size;
    int32_t agent;
    uint32_t check;
};
_Static_assert(sizeof(struct handle) == sizeof(hsa_amd_ipc_memory_t), "fits");
enum { CHECK = 0x6c6f6f70 };

hsa_status_t hsa_amd_ipc_memory_create(void *ptr, size_t size, hsa_amd_ipc_memory_t *result)
{
    struct handle handle = {.process = getpid(), .check = CHECK};
    lb_lock();
    const struct lb_block *block = lb_block_find_locked(ptr);
    bool ours = block && block->kind == LB_GPU && block->base == ptr && size <= block->mapped;
    if (ours) {
        handle.file = lb_gpu_file();
        handle.offset = block->offset;
        handle.size = block->mapped;
        handle.agent = block->agent;
    }
    lb_unlock();
    if (!ours) {
        return lb_refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "hsa_amd_ipc_memory_create",
                         "not the start of GPU memory");
    }
    memcpy(result, &handle, sizeof handle);
    return HSA_STATUS_SUCCESS;
}

static char *map(const struct handle *handle)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)handle->process, (int)handle->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return NULL;
    }
    char *base =
        mmap(NULL, handle->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)handle->offset);
    close(file);
    return base == MAP_FAILED ? NULL : base;
}

hsa_status_t hsa_amd_ipc_memory_attach(const hsa_amd_ipc_memory_t *given, size_t size,
                                       uint32_t count, const hsa_agent_t *agents, void **result)
{
    struct handle handle;
    (void)count;
    (void)agents;
    memcpy(&handle, given, sizeof handle);
    if (handle.check != CHECK || size > handle.size) {
        lb_log("attach: check %x, size %zu of %llu", handle.check, size,
               (unsigned long long)handle.size);
        return lb_refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "hsa_amd_ipc_memory_attach",
                         "no handle of ours, or more than the memory's size");
    }
    char *base = map(&handle);
    if (!base) {
        return lb_refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "hsa_amd_ipc_memory_attach",
                         "the owner's memory is not there");
    }
    struct lb_block *block = lb_new(sizeof *block);
    block->base = block->host = block->backing = base;
    block->size = block->mapped = handle.size;
    block->kind = LB_IPC;
    block->agent = handle.agent <= lb_settings.gpus ? handle.agent : 1;
    block->flags = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
    lb_lock();
    lb_block_add_locked(block);
    lb_unlock();
    *result = base;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_ipc_memory_detach(void *base)
{
    lb_lock();
    struct lb_block *block = lb_block_find_locked(base);
    bool ours = block && block->kind == LB_IPC && block->base == base;
    if (ours) {
        lb_block_remove_locked(block);
        munmap(base, block->mapped);
        free(block);
    }
    lb_unlock();
    return ours ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
