/* SPDX-License-Identifier: MIT */
/* What a group starts with: memory, and the registers of each wave as the hardware sets them. */
#include <stdlib.h>
#include <string.h>

#include "launch.h"

enum { WAVE_INIT_MODE_SHIFT = 12, PRELOAD_SKIP = 256 };

/* Properties of a descriptor: which registers are set before the first instruction. */
enum {
    PRIVATE_BUFFER = 1,
    DISPATCH_POINTER = 2,
    QUEUE_POINTER = 4,
    KERNARG_POINTER = 8,
    DISPATCH_ID = 16,
    FLAT_SCRATCH_INIT = 32,
    PRIVATE_SIZE = 64,
};

/* --- the first state of a wave --- */

static unsigned set_user_registers(const struct launch *launch, struct wave *w)
{
    const struct isa_launch *request = launch->request;
    unsigned properties = launch->descriptor.properties;
    unsigned at = 0;
    if (properties & PRIVATE_BUFFER) {
        set_pair(w, 0, (uint64_t)w->scratch | UINT64_C(1) << 63); /* interleaved */
        w->s[2] = w->scratch_size * LANES;
        at = 4;
    }
    const struct {
        unsigned property;
        uint64_t value;
    } pairs[] = {
        {DISPATCH_POINTER, (uint64_t)request->packet},
        {QUEUE_POINTER, (uint64_t)request->queue},
        {KERNARG_POINTER, (uint64_t)request->packet->kernarg_address},
        {DISPATCH_ID, request->id},
        {FLAT_SCRATCH_INIT, 0},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (properties & pairs[i].property) {
            set_pair(w, at, pairs[i].value);
            at += 2;
        }
    }
    if (properties & PRIVATE_SIZE) {
        w->s[at++] = w->scratch_size;
    }
    return at;
}

/* Arguments that the hardware loads into registers: a count, and an offset from bit 7 on. */
static void preload(const struct launch *launch, struct wave *w, unsigned at)
{
    unsigned count = launch->descriptor.preload & 127;
    unsigned offset = launch->descriptor.preload >> 7;
    if (count) {
        uint64_t from = (uint64_t)launch->request->packet->kernarg_address + 4 * (uint64_t)offset;
        const char *bytes = isa_reach(w, from, (size_t)count * 4);
        if (bytes && at + count <= FLAT_SCRATCH) {
            memcpy(&w->s[at], bytes, (size_t)count * 4);
        }
        w->pc += PRELOAD_SKIP;
    }
}

/* Two that may follow are 0: the size of the group, and the offset in the wave's own scratch. */
static void set_system_registers(const struct launch *launch, struct wave *w)
{
    uint32_t bits = launch->descriptor.rsrc2;
    unsigned at = bits >> 1 & 31;
    for (unsigned i = 0; i < 3; i++) {
        if (bits >> (7 + i) & 1) {
            w->s[at++] = w->group->id[i];
        }
    }
}

/* The work-item's three numbers in 10 bits each. */
static void set_work_items(const struct launch *launch, struct wave *w, uint32_t first)
{
    const hsa_kernel_dispatch_packet_t *packet = launch->request->packet;
    const uint32_t grid[3] = {packet->grid_size_x, packet->grid_size_y, packet->grid_size_z};
    const uint32_t size[3] = {packet->workgroup_size_x, packet->workgroup_size_y,
                              packet->workgroup_size_z};
    uint64_t active = 0;
    for (uint32_t i = 0; i < w->lanes; i++) {
        uint32_t item = first + i;
        uint32_t id[3] = {item % size[0], item / size[0] % size[1], item / (size[0] * size[1])};
        uint64_t inside = item < launch->group_threads;
        for (int k = 0; k < 3; k++) { /* the last group may be cut */
            inside &= (uint64_t)w->group->id[k] * size[k] + id[k] < grid[k];
        }
        w->v[0][i] = id[0] | id[1] << 10 | id[2] << 20;
        active |= inside << i;
    }
    set_pair(w, EXEC, active);
}

static void wave_begin(const struct launch *launch, struct wave *w, uint32_t index)
{
    memset(w->v, 0, launch->vectors * sizeof w->v[0]);
    memset(w->v + AGPRS, 0, launch->accumulators * sizeof w->v[0]);
    memset(w->s, 0, sizeof w->s);
    w->scc = 0;
    w->mode = launch->descriptor.rsrc1 >> WAVE_INIT_MODE_SHIFT & 0xff;
    w->pc = launch->entry;
    w->state = WAVE_RUNS;
    w->rests = w->spins = false;
    w->trap = NULL;
    w->lanes = lb_settings.processor->lanes;
    w->all = UINT64_MAX >> (LANES - w->lanes);
    set_work_items(launch, w, index * w->lanes);
    preload(launch, w, set_user_registers(launch, w));
    set_system_registers(launch, w);
    if (exec(w) == 0) {
        w->state = WAVE_ENDED;
    }
}

struct group *isa_group_new(const struct launch *launch)
{
    struct group *group = lb_new(sizeof *group);
    size_t scratch = (size_t)launch->scratch * LANES;
    group->waves = aligned_alloc(64, (sizeof(struct wave) + 63) / 64 * 64 * launch->waves);
    group->lds = malloc(launch->lds + 1);
    group->touches =
        lb_settings.check ? lb_new((launch->lds / 4 + 2) * sizeof *group->touches) : NULL;
    group->scratch = malloc(scratch * launch->waves + 1);
    if (!group->waves || !group->lds || !group->scratch) {
        lb_fatal("no memory for the waves of a kernel");
    }
    group->lds_size = launch->lds;
    group->wave_count = launch->waves;
    group->vectors = launch->vectors;
    group->accumulators = launch->accumulators;
    for (uint32_t i = 0; i < launch->waves; i++) {
        group->waves[i].group = group;
        group->waves[i].scratch = group->scratch + i * scratch;
        group->waves[i].scratch_size = launch->scratch;
    }
    return group;
}

void isa_group_free(struct group *group)
{
    free(group->waves);
    free(group->lds);
    free(group->touches);
    free(group->scratch);
    free(group);
}

void isa_group_begin(const struct launch *launch, struct group *group)
{
    const uint32_t *n = launch->counts;
    group->id[0] = (uint32_t)(group->index % n[0]);
    group->id[1] = (uint32_t)(group->index / n[0] % n[1]);
    group->id[2] = (uint32_t)(group->index / n[0] / n[1]);
    memset(group->lds, 0, group->lds_size);
    group->barriers++; /* no wave was at LDS since then */
    for (uint32_t i = 0; i < group->wave_count; i++) {
        wave_begin(launch, &group->waves[i], i);
    }
}
