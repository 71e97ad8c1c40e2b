/* SPDX-License-Identifier: MIT */
/*
 * The system, its agents and their instruction sets.  One CPU agent and
 * lb_settings.gpus GPU agents; a handle is the index plus 0x100.  Every answer
 * has exactly the width that the header documents: a wider one would corrupt the
 * caller.  A question that no released runtime is known to ask is lb_unknown.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static int uses;

hsa_agent_t lb_agent(int index)
{
    hsa_agent_t agent = {0x100 + (uint64_t)index};
    return agent;
}

int lb_agent_index(hsa_agent_t agent)
{
    return agent.handle >= 0x100 && agent.handle <= 0x100 + (uint64_t)lb_settings.gpus
               ? (int)(agent.handle - 0x100)
               : -1;
}

hsa_status_t hsa_init(void)
{
    lb_lock();
    if (uses++ == 0) {
        lb_settings_read();
        lb_settle_at_exit();
    }
    lb_unlock();
    lb_log("hsa_init: %d GPUs, %s", lb_settings.gpus, lb_settings.isa);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_shut_down(void)
{
    lb_lock();
    bool last = uses > 0 && --uses == 0;
    lb_unlock();
    lb_log("hsa_shut_down%s", last ? " for the last time" : "");
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_status_string(hsa_status_t status, const char **text)
{
    static _Thread_local char words[64];
    if (!text) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    snprintf(words, sizeof words, "loopback: HSA status 0x%x", (unsigned)status);
    *text = status == HSA_STATUS_SUCCESS ? "HSA_STATUS_SUCCESS: no error" : words;
    return HSA_STATUS_SUCCESS;
}

#define ANSWERS(type, ...)                                                                         \
    do {                                                                                           \
        type answer[] = {__VA_ARGS__};                                                             \
        memcpy(value, answer, sizeof answer);                                                      \
        return HSA_STATUS_SUCCESS;                                                                 \
    } while (0)

hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value)
{
    switch ((unsigned)attribute) {
    case HSA_SYSTEM_INFO_VERSION_MAJOR:
        ANSWER(uint16_t, 1);
    case HSA_SYSTEM_INFO_VERSION_MINOR:
        ANSWER(uint16_t, 1);
    case HSA_SYSTEM_INFO_TIMESTAMP:
        ANSWER(uint64_t, lb_now());
    case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
        ANSWER(uint64_t, 1000000000);
    case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
        ANSWER(uint64_t, UINT64_MAX);
    case HSA_SYSTEM_INFO_ENDIANNESS:
        ANSWER(uint32_t, HSA_ENDIANNESS_LITTLE);
    case HSA_SYSTEM_INFO_MACHINE_MODEL:
        ANSWER(uint32_t, HSA_MACHINE_MODEL_LARGE);
    case HSA_SYSTEM_INFO_EXTENSIONS:
        memset(value, 0, 128);
        ((uint8_t *)value)[0] = 1 << HSA_EXTENSION_IMAGES;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
        ANSWER(const char *, "loopback");
    case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
        ANSWER(bool, true);
    case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT:
        ANSWER(bool, false);
    case HSA_AMD_SYSTEM_INFO_MWAITX_ENABLED:
        ANSWER(bool, false);
    case HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED:
        ANSWER(bool, false);
    case HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED:
        ANSWER(bool, true);
    case HSA_AMD_SYSTEM_INFO_XNACK_ENABLED:
        ANSWER(bool, false);
    case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR:
        ANSWER(uint16_t, HSA_AMD_INTERFACE_VERSION_MAJOR);
    case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR:
        ANSWER(uint16_t, HSA_AMD_INTERFACE_VERSION_MINOR);
    default:
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown system info 0x%x",
                          (unsigned)attribute);
    }
}

hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t major, uint16_t minor,
                                            bool *result)
{
    (void)minor;
    *result =
        major == 1 && (extension == HSA_EXTENSION_IMAGES || extension == HSA_EXTENSION_AMD_LOADER);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t major,
                                           uint16_t minor, bool *result)
{
    hsa_status_t status = hsa_system_extension_supported(extension, major, minor, result);
    *result = *result && lb_agent_index(agent) > 0;
    return status;
}

static hsa_status_t host_address(const void *device, const void **host)
{
    (void)device;
    *host = NULL;
    return lb_refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "hsa_ven_amd_loader_query_host_address",
                     "no address of code is told");
}

hsa_status_t hsa_system_get_major_extension_table(uint16_t extension, uint16_t major, size_t size,
                                                  void *table)
{
    if (extension != HSA_EXTENSION_AMD_LOADER || major != 1) {
        return lb_refuse(HSA_STATUS_ERROR, "hsa_system_get_major_extension_table",
                         "only the loader's is there");
    }
    hsa_ven_amd_loader_1_03_pfn_t loader = {.hsa_ven_amd_loader_query_host_address = host_address};
    memset(table, 0, size);
    memcpy(table, &loader, size < sizeof loader ? size : sizeof loader);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t, void *), void *data)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (int i = 0; i <= lb_settings.gpus && status == HSA_STATUS_SUCCESS; i++) {
        status = callback(lb_agent(i), data);
    }
    return status;
}

hsa_status_t hsa_agent_iterate_isas(hsa_agent_t agent, hsa_status_t (*callback)(hsa_isa_t, void *),
                                    void *data)
{
    hsa_isa_t isa = {0x200};
    return lb_agent_index(agent) > 0 ? callback(isa, data) : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void *value)
{
    if (isa.handle != 0x200) {
        return HSA_STATUS_ERROR_INVALID_ISA;
    }
    switch (attribute) {
    case HSA_ISA_INFO_NAME_LENGTH: /* counts the NUL */
        ANSWER(uint32_t, (uint32_t)strlen(lb_settings.isa) + 1);
    case HSA_ISA_INFO_NAME:
        memcpy(value, lb_settings.isa, strlen(lb_settings.isa) + 1);
        return HSA_STATUS_SUCCESS;
    default:
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown ISA info %d", (int)attribute);
    }
}

static hsa_status_t text(void *value, size_t size, const char *words)
{
    memset(value, 0, size);
    memcpy(value, words, strlen(words));
    return HSA_STATUS_SUCCESS;
}

/* The sizes of images: uint32_t throughout, as the runtimes read them. */
static hsa_status_t image_info(unsigned attribute, void *value)
{
    switch (attribute) {
    case HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_1DA_MAX_ELEMENTS:
        ANSWER(uint32_t, 16384);
    case HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS:
        ANSWER(uint32_t, UINT32_MAX);
    case HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS:
        ANSWERS(uint32_t, 16384, 16385);
    case HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS:
        ANSWERS(uint32_t, 2048, 2049, 2050);
    case HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS:
        ANSWER(uint32_t, 2048);
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES:
        ANSWER(uint32_t, 128);
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES:
        ANSWER(uint32_t, 64);
    case HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS:
        ANSWER(uint32_t, 16);
    case HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT:
        ANSWER(uint32_t, 256);
    default:
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown agent info 0x%x", attribute);
    }
}

static hsa_status_t node_info(int index, unsigned attribute, void *value)
{
    char uuid[24];
    hsa_amd_hdp_flush_t flush = {0};
    switch (attribute) {
    case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
        ANSWER(uint32_t, (uint32_t)index);
    case HSA_AMD_AGENT_INFO_BDFID:
        ANSWER(uint32_t, index ? (uint32_t)(0x10 + index) << 8 : 0);
    case HSA_AMD_AGENT_INFO_DOMAIN:
        ANSWER(uint32_t, 0);
    case HSA_AMD_AGENT_INFO_UUID:
        snprintf(uuid, sizeof uuid, "GPU-%016x", 0x100bac00u + (unsigned)index);
        return text(value, 21, index ? uuid : "CPU-XX");
    case HSA_AMD_AGENT_INFO_HDP_FLUSH:
        memcpy(value, &flush, sizeof flush);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
        return text(value, 64, index ? "Loopback GPU" : "Loopback CPU");
    case HSA_AMD_AGENT_INFO_DRIVER_UID:
        ANSWER(uint32_t, 0x1000u + (uint32_t)index);
    case HSA_AMD_AGENT_INFO_NEAREST_CPU:
        ANSWER(hsa_agent_t, lb_agent(LB_CPU));
    case HSA_AMD_AGENT_INFO_MEMORY_AVAIL:
        ANSWER(uint64_t, LB_VRAM - lb_gpu_used(index));
    case HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES:
    case HSA_AMD_AGENT_INFO_AQL_EXTENSIONS:
        memset(value, 0, 8);
        return HSA_STATUS_SUCCESS;
    default:
        return image_info(attribute, value);
    }
}

static hsa_status_t chip_info(int index, unsigned attribute, void *value)
{
    switch (attribute) {
    case HSA_AMD_AGENT_INFO_CHIP_ID:
        ANSWER(uint32_t, 0x740f);
    case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
        ANSWER(uint32_t, 64);
    case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
    case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
        ANSWER(uint32_t, index ? 104 : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
    case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
        ANSWER(uint32_t, 1700);
    case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
        ANSWER(uint32_t, 4);
    case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
        ANSWER(uint32_t, 4096);
    case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
        ANSWER(uint32_t, 1600);
    case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
        ANSWER(uint32_t, 32);
    case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
        ANSWER(uint32_t, 4);
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
        ANSWER(uint32_t, 8);
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
        ANSWER(uint32_t, 1);
    case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
        ANSWER(bool, true);
    case HSA_AMD_AGENT_INFO_ASIC_REVISION:
        ANSWER(uint32_t, 1);
    case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
        ANSWER(bool, true);
    case HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY:
        ANSWER(uint64_t, 100000000);
    case HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID:
        ANSWER(uint32_t, 141);
    case HSA_AMD_AGENT_INFO_UCODE_VERSION:
    case HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION:
        ANSWER(uint32_t, 8);
    case HSA_AMD_AGENT_INFO_NUM_SDMA_ENG:
        ANSWER(uint32_t, 2);
    case HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG:
        ANSWER(uint32_t, 0);
    case HSA_AMD_AGENT_INFO_IOMMU_SUPPORT:
        ANSWER(uint32_t, HSA_IOMMU_SUPPORT_NONE);
    case HSA_AMD_AGENT_INFO_NUM_XCC:
        ANSWER(uint32_t, 1);
    case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX:
        ANSWER(uint64_t, UINT64_C(1) << 32);
    case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT:
        ANSWER(uint64_t, UINT64_C(1) << 30);
    default:
        return node_info(index, attribute, value);
    }
}

static hsa_status_t queue_info(int index, unsigned attribute, void *value)
{
    hsa_isa_t isa = {0x200};
    switch (attribute) {
    case HSA_AGENT_INFO_QUEUES_MAX:
        ANSWER(uint32_t, index ? 128 : 0);
    case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
        ANSWER(uint32_t, 64);
    case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
        ANSWER(uint32_t, 131072);
    case HSA_AGENT_INFO_QUEUE_TYPE:
        ANSWER(uint32_t, HSA_QUEUE_TYPE_MULTI);
    case HSA_AGENT_INFO_ISA:
        ANSWER(hsa_isa_t, isa);
    case HSA_AGENT_INFO_EXTENSIONS:
        memset(value, 0, 128);
        ((uint8_t *)value)[0] = index ? 1 << HSA_EXTENSION_IMAGES : 0;
        return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_VERSION_MAJOR:
    case HSA_AGENT_INFO_VERSION_MINOR:
        ANSWER(uint16_t, 1);
    default:
        return chip_info(index, attribute, value);
    }
}

hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void *value)
{
    int index = lb_agent_index(agent);
    if (index < 0 || !value) {
        return index < 0 ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    hsa_dim3_t grid = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    switch ((unsigned)attribute) {
    case HSA_AGENT_INFO_NAME:
        return text(value, 64, index ? lb_settings.gfx : "Loopback CPU");
    case HSA_AGENT_INFO_VENDOR_NAME:
        return text(value, 64, index ? "AMD" : "CPU");
    case HSA_AGENT_INFO_FEATURE:
        ANSWER(uint32_t, index ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0);
    case HSA_AGENT_INFO_MACHINE_MODEL:
        ANSWER(uint32_t, HSA_MACHINE_MODEL_LARGE);
    case HSA_AGENT_INFO_PROFILE: /* FULL would make the runtimes copy by memcpy, wrongly */
        ANSWER(uint32_t, index ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
    case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
        ANSWER(uint32_t, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
    case HSA_AGENT_INFO_WAVEFRONT_SIZE:
        ANSWER(uint32_t, !index ? 0 : lb_settings.wave32 ? 32 : 64);
    case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
        ANSWERS(uint16_t, 1024, 1024, 1024);
    case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
        ANSWER(uint32_t, 1024);
    case HSA_AGENT_INFO_GRID_MAX_DIM:
        memcpy(value, &grid, sizeof grid);
        return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_GRID_MAX_SIZE:
        ANSWER(uint32_t, UINT32_MAX);
    case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
    case HSA_AGENT_INFO_FAST_F16_OPERATION:
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown agent info %d",
                          (int)attribute);
    case HSA_AGENT_INFO_NODE:
        ANSWER(uint32_t, (uint32_t)index);
    case HSA_AGENT_INFO_DEVICE:
        ANSWER(uint32_t, index ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU);
    case HSA_AGENT_INFO_CACHE_SIZE:
        ANSWERS(uint32_t, 16384, 8388608, 0, 0);
    default:
        return queue_info(index, attribute, value);
    }
}
