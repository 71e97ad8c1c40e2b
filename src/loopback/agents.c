/* SPDX-License-Identifier: MIT */
/*
 * The system, its agents and their instruction sets.  There are one CPU agent and
 * lb_settings.gpus GPU agents; a handle is the index plus 0x100.  Every answer has
 * exactly the width that the header documents, because a wider one would overwrite
 * memory of the caller.  A query that no known runtime makes is lb_unknown.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static int uses;

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

/*
 * The loopback says that it is HSA 1.15.  HIP 7.14 asks for what HSA up to 1.21 added as well,
 * and does without what an older HSA refuses.
 */
enum { NEWEST_SYSTEM_INFO = 0x209, NEWEST_AGENT_INFO = 0xa123 };

static hsa_status_t unknown_info(const char *what, unsigned attribute, unsigned last,
                                 unsigned newest)
{
    if (attribute <= last || attribute > newest) {
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown %s 0x%x", what, attribute);
    }
    __atomic_store_n(&lb_settings.newer, true, __ATOMIC_RELAXED);
    return lb_refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, what, "a query newer than HSA 1.15");
}

#define ANSWERS(type, ...)                                                                         \
    lb_answer(value, (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}))

/* An answer that is the same number for every agent of a kind. */
struct fixed_answer {
    unsigned attribute;
    unsigned size; /* bytes, as the HSA headers document them */
    uint64_t number;
};

/* Finds the answer; NULL if the table has none.  x86-64 is little-endian, so a prefix suffices. */
static const struct fixed_answer *find_fixed(const struct fixed_answer *table, size_t count,
                                             unsigned attribute)
{
    for (size_t i = 0; i < count; i++) {
        if (table[i].attribute == attribute) {
            return &table[i];
        }
    }
    return NULL;
}

static const struct fixed_answer system_answers[] = {
    {HSA_SYSTEM_INFO_VERSION_MAJOR, 2, 1},
    {HSA_SYSTEM_INFO_VERSION_MINOR, 2, 1},
    {HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, 8, 1000000000},
    {HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT, 8, UINT64_MAX},
    {HSA_SYSTEM_INFO_ENDIANNESS, 4, HSA_ENDIANNESS_LITTLE},
    {HSA_SYSTEM_INFO_MACHINE_MODEL, 4, HSA_MACHINE_MODEL_LARGE},
    {HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED, 1, true},
    {HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT, 1, false},
    {HSA_AMD_SYSTEM_INFO_MWAITX_ENABLED, 1, false},
    {HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED, 1, false},
    {HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED, 1, true},
    {HSA_AMD_SYSTEM_INFO_XNACK_ENABLED, 1, false},
    {HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR, 2, HSA_AMD_INTERFACE_VERSION_MAJOR},
    {HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR, 2, HSA_AMD_INTERFACE_VERSION_MINOR},
};

hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value)
{
    const struct fixed_answer *fixed = find_fixed(
        system_answers, sizeof system_answers / sizeof system_answers[0], (unsigned)attribute);
    if (fixed) {
        return lb_answer(value, &fixed->number, fixed->size);
    }
    switch ((unsigned)attribute) {
    case HSA_SYSTEM_INFO_TIMESTAMP:
        return ANSWER(uint64_t, lb_now());
    case HSA_SYSTEM_INFO_EXTENSIONS:
        memset(value, 0, 128);
        ((uint8_t *)value)[0] = 1 << HSA_EXTENSION_IMAGES;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
        return ANSWER(const char *, "loopback");
    default:
        return unknown_info("system info", (unsigned)attribute,
                            HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR, NEWEST_SYSTEM_INFO);
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
                     "host addresses of code are not supported");
}

hsa_status_t hsa_system_get_major_extension_table(uint16_t extension, uint16_t major, size_t size,
                                                  void *table)
{
    if (extension != HSA_EXTENSION_AMD_LOADER || major != 1) {
        return lb_refuse(HSA_STATUS_ERROR, "hsa_system_get_major_extension_table",
                         "only the loader extension is supported");
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
        return ANSWER(uint32_t, (uint32_t)strlen(lb_settings.isa) + 1);
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
        return ANSWER(uint32_t, 16384);
    case HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS:
        return ANSWER(uint32_t, UINT32_MAX);
    case HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS:
        return ANSWERS(uint32_t, 16384, 16385);
    case HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS:
        return ANSWERS(uint32_t, 2048, 2049, 2050);
    case HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS:
        return ANSWER(uint32_t, 2048);
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES:
        return ANSWER(uint32_t, 128);
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES:
        return ANSWER(uint32_t, 64);
    case HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS:
        return ANSWER(uint32_t, 16);
    case HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT:
        return ANSWER(uint32_t, 256);
    default:
        return unknown_info("agent info", attribute, HSA_AMD_AGENT_INFO_CLOCK_COUNTERS,
                            NEWEST_AGENT_INFO);
    }
}

static hsa_status_t node_info(int index, unsigned attribute, void *value)
{
    char uuid[24];
    hsa_amd_hdp_flush_t flush = {0};
    switch (attribute) {
    case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
        return ANSWER(uint32_t, (uint32_t)index);
    case HSA_AMD_AGENT_INFO_BDFID:
        return ANSWER(uint32_t, index ? (uint32_t)(0x10 + index) << 8 : 0);
    case HSA_AMD_AGENT_INFO_DOMAIN:
        return ANSWER(uint32_t, 0);
    case HSA_AMD_AGENT_INFO_UUID:
        snprintf(uuid, sizeof uuid, "GPU-%016x", 0x100bac00u + (unsigned)index);
        return text(value, 21, index ? uuid : "CPU-XX");
    case HSA_AMD_AGENT_INFO_HDP_FLUSH:
        memcpy(value, &flush, sizeof flush);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
        return text(value, 64, index ? "Loopback GPU" : "Loopback CPU");
    case HSA_AMD_AGENT_INFO_DRIVER_UID:
        return ANSWER(uint32_t, 0x1000u + (uint32_t)index);
    case HSA_AMD_AGENT_INFO_NEAREST_CPU:
        return ANSWER(hsa_agent_t, lb_agent(LB_CPU));
    case HSA_AMD_AGENT_INFO_MEMORY_AVAIL:
        return ANSWER(uint64_t, LB_VRAM - lb_gpu_used(index));
    case HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES:
    case HSA_AMD_AGENT_INFO_AQL_EXTENSIONS:
        memset(value, 0, 8);
        return HSA_STATUS_SUCCESS;
    default:
        return image_info(attribute, value);
    }
}

static const struct fixed_answer chip_answers[] = {
    {HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS, 4, 4},
    {HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU, 4, 32},
    {HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES, 1, true},
    {HSA_AMD_AGENT_INFO_ASIC_REVISION, 4, 1},
    {HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS, 1, true},
    {HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY, 8, 100000000},
    {HSA_AMD_AGENT_INFO_UCODE_VERSION, 4, 8},
    {HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION, 4, 8},
    {HSA_AMD_AGENT_INFO_NUM_SDMA_ENG, 4, 2},
    {HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG, 4, 0},
    {HSA_AMD_AGENT_INFO_IOMMU_SUPPORT, 4, HSA_IOMMU_SUPPORT_NONE},
    {HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX, 8, UINT64_C(1) << 32},
    {HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT, 8, UINT64_C(1) << 30},
};

static hsa_status_t chip_info(int index, unsigned attribute, void *value)
{
    const struct fixed_answer *fixed =
        find_fixed(chip_answers, sizeof chip_answers / sizeof chip_answers[0], attribute);
    if (fixed) {
        return lb_answer(value, &fixed->number, fixed->size);
    }
    if (!index && attribute == HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT) {
        return ANSWER(uint32_t, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
    }
    for (size_t i = 0; i < LB_FACTS; i++) {
        if (lb_settings.processor->facts[i].attribute == attribute) {
            return ANSWER(uint32_t, lb_settings.processor->facts[i].number);
        }
    }
    return node_info(index, attribute, value);
}

static hsa_status_t queue_info(int index, unsigned attribute, void *value)
{
    hsa_isa_t isa = {0x200};
    switch (attribute) {
    case HSA_AGENT_INFO_QUEUES_MAX:
        return ANSWER(uint32_t, index ? 128 : 0);
    case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
        return ANSWER(uint32_t, 64);
    case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
        return ANSWER(uint32_t, 131072);
    case HSA_AGENT_INFO_QUEUE_TYPE:
        return ANSWER(uint32_t, HSA_QUEUE_TYPE_MULTI);
    case HSA_AGENT_INFO_ISA:
        return ANSWER(hsa_isa_t, isa);
    case HSA_AGENT_INFO_EXTENSIONS:
        memset(value, 0, 128);
        ((uint8_t *)value)[0] = index ? 1 << HSA_EXTENSION_IMAGES : 0;
        return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_VERSION_MAJOR:
    case HSA_AGENT_INFO_VERSION_MINOR:
        return ANSWER(uint16_t, 1);
    default:
        return chip_info(index, attribute, value);
    }
}

static hsa_status_t agent_info(int index, unsigned attribute, void *value)
{
    hsa_dim3_t grid = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    switch (attribute) {
    case HSA_AGENT_INFO_NAME:
        return text(value, 64, index ? lb_settings.gfx : "Loopback CPU");
    case HSA_AGENT_INFO_VENDOR_NAME:
        return text(value, 64, index ? "AMD" : "CPU");
    case HSA_AGENT_INFO_FEATURE:
        return ANSWER(uint32_t, index ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0);
    case HSA_AGENT_INFO_MACHINE_MODEL:
        return ANSWER(uint32_t, HSA_MACHINE_MODEL_LARGE);
    case HSA_AGENT_INFO_PROFILE: /* with FULL the runtimes would copy by memcpy, which is wrong here
                                  */
        return ANSWER(uint32_t, index ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
    case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
        return ANSWER(uint32_t, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
    case HSA_AGENT_INFO_WAVEFRONT_SIZE:
        return ANSWER(uint32_t, !index ? 0 : lb_settings.wave32 ? 32 : 64);
    case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
        return ANSWERS(uint16_t, 1024, 1024, 1024);
    case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
        return ANSWER(uint32_t, 1024);
    case HSA_AGENT_INFO_GRID_MAX_DIM:
        return lb_answer(value, &grid, sizeof grid);
    case HSA_AGENT_INFO_GRID_MAX_SIZE:
        return ANSWER(uint32_t, UINT32_MAX);
    case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
    case HSA_AGENT_INFO_FAST_F16_OPERATION:
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown agent info %d", attribute);
    case HSA_AGENT_INFO_NODE:
        return ANSWER(uint32_t, (uint32_t)index);
    case HSA_AGENT_INFO_DEVICE:
        return ANSWER(uint32_t, index ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU);
    case HSA_AGENT_INFO_CACHE_SIZE:
        return ANSWERS(uint32_t, 16384, 8388608, 0, 0);
    default:
        return queue_info(index, attribute, value);
    }
}

hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void *value)
{
    int index = lb_agent_index(agent);
    if (index < 0 || !value) {
        return index < 0 ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    return agent_info(index, (unsigned)attribute, value);
}
