/* SPDX-License-Identifier: MIT */
/*
 * Memory pools, and which agents may access them.  A handle is 0x1000 + 16 times
 * the agent's index + the kind.  The CPU reaches GPU memory (a "large BAR")
 * unless guard mode is on.
 */
#include <string.h>

#include "internal.h"

bool lb_pool(hsa_amd_memory_pool_t pool, int *agent, enum lb_pool_kind *kind)
{
    uint64_t code = pool.handle - 0x1000;
    if (code >= 16 * ((uint64_t)lb_settings.gpus + 1)) {
        return false;
    }
    *agent = (int)(code / 16);
    *kind = (enum lb_pool_kind)(code % 16);
    return *agent == LB_CPU ? *kind <= LB_POOL_COARSE
                            : *kind >= LB_POOL_GPU_COARSE && *kind <= LB_POOL_GROUP;
}

uint32_t lb_pool_flags(enum lb_pool_kind kind)
{
    switch (kind) {
    case LB_POOL_KERNARG:
        return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED |
               HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
    case LB_POOL_COARSE:
    case LB_POOL_GPU_COARSE:
        return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
    case LB_POOL_GROUP:
        return 0;
    default:
        return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
    }
}

hsa_status_t hsa_amd_agent_iterate_memory_pools(
    hsa_agent_t agent, hsa_status_t (*callback)(hsa_amd_memory_pool_t, void *), void *data)
{
    int index = lb_agent_index(agent);
    if (index < 0) {
        return HSA_STATUS_ERROR_INVALID_AGENT;
    }
    int kind = index ? LB_POOL_GPU_COARSE : LB_POOL_FINE;
    int last = index ? LB_POOL_GROUP : LB_POOL_COARSE;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (; kind <= last && status == HSA_STATUS_SUCCESS; kind++) {
        hsa_amd_memory_pool_t pool = {0x1000 + 16 * (uint64_t)index + (uint64_t)kind};
        status = callback(pool, data);
    }
    return status;
}

hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t pool,
                                          hsa_amd_memory_pool_info_t attribute, void *value)
{
    int agent;
    enum lb_pool_kind kind;
    if (!lb_pool(pool, &agent, &kind)) {
        return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    }
    bool group = kind == LB_POOL_GROUP;
    size_t size = group ? 65536 : agent ? LB_VRAM : LB_RAM;
    switch (attribute) {
    case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
        return ANSWER(uint32_t, group ? HSA_AMD_SEGMENT_GROUP : HSA_AMD_SEGMENT_GLOBAL);
    case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
        return ANSWER(uint32_t, lb_pool_flags(kind));
    case HSA_AMD_MEMORY_POOL_INFO_SIZE:
    case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
        return ANSWER(size_t, size);
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
        return ANSWER(bool, !group);
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
        return ANSWER(size_t, group ? 0 : LB_PAGE);
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE:
        return ANSWER(size_t, group ? 0 : agent ? 2097152 : LB_PAGE);
    case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
        return ANSWER(bool, agent == LB_CPU);
    case HSA_AMD_MEMORY_POOL_INFO_LOCATION:
        return ANSWER(uint32_t,
                      agent ? HSA_AMD_MEMORY_POOL_LOCATION_GPU : HSA_AMD_MEMORY_POOL_LOCATION_CPU);
    default:
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown pool info %d",
                          (int)attribute);
    }
}

static uint32_t access_of(int agent, int owner, enum lb_pool_kind kind)
{
    if (agent == owner || owner == LB_CPU) {
        return HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT;
    }
    if (kind == LB_POOL_GROUP || (agent == LB_CPU && lb_settings.guard)) {
        return HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    }
    return HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT;
}

hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent, hsa_amd_memory_pool_t pool,
                                                hsa_amd_agent_memory_pool_info_t attribute,
                                                void *value)
{
    int owner;
    enum lb_pool_kind kind;
    int index = lb_agent_index(agent);
    if (index < 0 || !lb_pool(pool, &owner, &kind)) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    hsa_amd_memory_pool_link_info_t link = {
        .min_latency = 100,
        .max_latency = 200,
        .min_bandwidth = 16000,
        .max_bandwidth = 32000,
        .atomic_support_32bit = true,
        .atomic_support_64bit = true,
        .coherent_support = true,
        .link_type = HSA_AMD_LINK_INFO_TYPE_PCIE,
        .numa_distance = 20,
    };
    switch (attribute) {
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
        return ANSWER(uint32_t, access_of(index, owner, kind));
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
        return ANSWER(uint32_t, index != owner);
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO:
        if (index != owner) {
            memcpy(value, &link, sizeof link);
        }
        return HSA_STATUS_SUCCESS;
    default:
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown agent pool info %d",
                          (int)attribute);
    }
}
