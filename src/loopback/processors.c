/* SPDX-License-Identifier: MIT */
/* The processors whose code the loopback carries out, as the largest GPU with each of them is. */
#include "internal.h"

#define CHIP(id, units, line, clock, width, memory, simds, engines, arrays, family, dies)          \
    {                                                                                              \
        {HSA_AMD_AGENT_INFO_CHIP_ID, id}, {HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, units},          \
            {HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT, units},                            \
            {HSA_AMD_AGENT_INFO_CACHELINE_SIZE, line},                                             \
            {HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY, clock},                                       \
            {HSA_AMD_AGENT_INFO_MEMORY_WIDTH, width},                                              \
            {HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY, memory},                                     \
            {HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU, simds},                                          \
            {HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES, engines},                                      \
            {HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE, arrays},                                 \
            {HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID, family}, {HSA_AMD_AGENT_INFO_NUM_XCC, dies},       \
    }
#define GFX90A 104, 4, 8, 512, 64, true, CHIP(0x740f, 104, 64, 1700, 4096, 1600, 4, 8, 1, 141, 1)

/* The last one stands for all others. */
static const struct lb_processor processors[] = {
    {"gfx90a", 0x3f, 0, GFX90A},
    {"gfx942", 0x4c, 0x5f, 304, 4, 8, 512, 64, true,
     CHIP(0x74a1, 304, 128, 2100, 8192, 1300, 4, 32, 1, 141, 8)},
    {"gfx1100", 0x41, 0x54, 96, 2, 16, 1536, 32, false,
     CHIP(0x744c, 96, 128, 2482, 384, 1249, 2, 6, 2, 145, 1)},
    {NULL, 0, 0, GFX90A},
};

const struct lb_processor *lb_processor(const char *gfx)
{
    const struct lb_processor *processor = processors;
    while (processor->gfx && strcmp(gfx, processor->gfx) != 0) {
        processor++;
    }
    return processor;
}
