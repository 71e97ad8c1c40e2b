/* SPDX-License-Identifier: MIT */
/* Reads a kernel's descriptor and the packet of a launch. */
#include <string.h>

#include "launch.h"

enum { SCRATCH_MIN = 16384 }; /* for calls whose depth the compiler did not know */
enum { UNIT_LDS = 65536, WAVE32 = 1 << 10 /* of a descriptor's properties */ };
/* Registers come in so many at a time where waves have 32 lanes. */
enum { RDNA_PORTION = 24 };

static uint32_t groups_of(uint32_t grid, uint32_t group)
{
    return group ? grid / group + (grid % group != 0) : 0;
}

/* A wave's registers are divided into vector registers and, from the accumulators' offset on,
 * accumulators. */
static void count_registers(struct launch *launch)
{
    const struct descriptor *descriptor = &launch->descriptor;
    const struct lb_processor *processor = lb_settings.processor;
    uint32_t all = ((descriptor->rsrc1 & 63) + 1) * 8;
    uint32_t offset = processor->is_cdna ? ((descriptor->rsrc3 & 63) + 1) * 4 : all;
    launch->vectors = all < offset ? all : offset;
    launch->accumulators = all - launch->vectors;
    all = processor->is_cdna ? all : (all + RDNA_PORTION - 1) / RDNA_PORTION * RDNA_PORTION;
    uint32_t waves = processor->simd_vectors / all;
    waves = waves < processor->simd_waves ? waves : processor->simd_waves;
    uint64_t by_waves = waves * processor->simds / launch->waves;
    uint64_t by_lds = launch->lds ? UNIT_LDS / launch->lds : by_waves;
    launch->resident = (by_waves < by_lds ? by_waves : by_lds) * processor->units;
    if (launch->resident == 0) { /* more than the hardware has does not stop the loopback */
        launch->resident = 1;
    }
}

static void count_groups(struct launch *launch, const hsa_kernel_dispatch_packet_t *packet)
{
    launch->counts[0] = groups_of(packet->grid_size_x, packet->workgroup_size_x);
    launch->counts[1] = groups_of(packet->grid_size_y, packet->workgroup_size_y);
    launch->counts[2] = groups_of(packet->grid_size_z, packet->workgroup_size_z);
    launch->groups = (uint64_t)launch->counts[0] * launch->counts[1] * launch->counts[2];
    launch->group_threads =
        (uint32_t)packet->workgroup_size_x * packet->workgroup_size_y * packet->workgroup_size_z;
    launch->waves = groups_of(launch->group_threads, lb_settings.processor->lanes);
}

/* With LOOPBACK_STRICT=0 the kernel does nothing. */
static hsa_status_t refuse(const struct isa_launch *request, const char *why, const char *known)
{
    lb_say("kernel %.200s: %s %s%s", request->kernel->name, why, lb_settings.gfx, known);
    return lb_settings.strict ? (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION
                              : HSA_STATUS_SUCCESS;
}

static hsa_status_t refuse_code(const struct isa_launch *request)
{
    return !lb_settings.processor->gfx ? refuse(request, "the loopback does not compute code for",
                                                ", but for gfx90a, gfx942 and gfx1100")
           : isa_comgr_ready() ? refuse(request, "its code is for another processor than", "")
                               : refuse(request, "no comgr in this process decodes code for", "");
}

hsa_status_t lb_isa_launch(const struct isa_launch *request)
{
    const hsa_kernel_dispatch_packet_t *packet = request->packet;
    struct launch launch = {.request = request};
    if (!request->kernel->code) {
        return refuse_code(request);
    }
    uint64_t object = request->kernel->object;
    const char *bytes = lb_host_address((void *)object, sizeof launch.descriptor); /* NOLINT */
    if (!bytes) {
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    }
    memcpy(&launch.descriptor, bytes, sizeof launch.descriptor);
    if (!lb_settings.processor->is_cdna && !(launch.descriptor.properties & WAVE32)) {
        return refuse(request, "the loopback does not compute waves of 64 lanes for", "");
    }
    launch.entry = (const char *)object + launch.descriptor.entry; /* NOLINT */
    count_groups(&launch, packet);
    if (launch.groups == 0 || launch.waves == 0) {
        return HSA_STATUS_SUCCESS;
    }
    launch.lds = packet->group_segment_size;
    launch.scratch = packet->private_segment_size;
    if (launch.scratch && launch.scratch < SCRATCH_MIN) {
        launch.scratch = SCRATCH_MIN;
    }
    count_registers(&launch);
    return isa_groups_run(&launch);
}
