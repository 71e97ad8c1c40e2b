/* SPDX-License-Identifier: MIT */
/*
 * A dispatch: reads the kernel's descriptor, sets the registers of each wave as the hardware does,
 * and carries out one group after the other.  A wave has the turn until a barrier, its end, or so
 * many instructions that it probably waits for another wave.
 */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"

enum { TURN = 1 << 16, WAVE_INIT_MODE_SHIFT = 12, PRELOAD_SKIP = 256 };
enum { SCRATCH_MIN = 16384 }; /* for calls whose depth the compiler did not know */

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

struct descriptor {
    uint32_t group, private_size, kernarg;
    uint32_t reserved;
    int64_t entry;
    uint32_t unused[5];
    uint32_t rsrc3, rsrc1, rsrc2;
    uint16_t properties, preload;
    uint32_t rest;
};
_Static_assert(sizeof(struct descriptor) == 64, "a descriptor has 64 bytes");

struct launch {
    const struct isa_launch *request;
    struct descriptor descriptor;
    const char *entry;  /* as agents see it */
    uint32_t counts[3]; /* groups */
    uint32_t group_threads, waves, vectors;
    uint32_t lds, scratch;
    bool has_agprs;
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

static void set_system_registers(const struct launch *launch, struct wave *w)
{
    uint32_t bits = launch->descriptor.rsrc2;
    unsigned at = bits >> 1 & 31;
    for (unsigned i = 0; i < 3; i++) {
        if (bits >> (7 + i) & 1) {
            w->s[at++] = w->group->id[i];
        }
    }
    if (bits >> 10 & 1) {
        w->s[at++] = 0;
    }
    if (bits & 1) {
        w->s[at++] = 0; /* each wave has scratch of its own, so the offset in it is 0 */
    }
}

/* The work-item's three numbers in 10 bits each. */
static void set_work_items(const struct launch *launch, struct wave *w, uint32_t first)
{
    const hsa_kernel_dispatch_packet_t *packet = launch->request->packet;
    uint32_t x = packet->workgroup_size_x;
    uint32_t y = packet->workgroup_size_y;
    uint64_t active = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t item = first + i;
        uint32_t id[3] = {item % x, item / x % y, item / (x * y)};
        uint64_t inside = item < launch->group_threads;
        const uint32_t grid[3] = {packet->grid_size_x, packet->grid_size_y, packet->grid_size_z};
        const uint32_t size[3] = {x, y, packet->workgroup_size_z};
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
    uint32_t vectors = launch->vectors < AGPRS ? launch->vectors : AGPRS;
    memset(w->v, 0, vectors * sizeof w->v[0]);
    if (launch->has_agprs) {
        memset(w->v + AGPRS, 0, vectors * sizeof w->v[0]);
    }
    memset(w->s, 0, sizeof w->s);
    w->scc = 0;
    w->mode = launch->descriptor.rsrc1 >> WAVE_INIT_MODE_SHIFT & 0xff;
    w->pc = launch->entry;
    w->state = WAVE_RUNS;
    w->trap = NULL;
    set_work_items(launch, w, index * LANES);
    preload(launch, w, set_user_registers(launch, w));
    set_system_registers(launch, w);
    if (exec(w) == 0) {
        w->state = WAVE_ENDED;
    }
}

/* --- turns --- */

static int rounding_of(unsigned bits)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    return modes[bits];
}

/* Of one instruction in another rounding mode than to nearest. */
static void run_rounded(struct wave *w, const struct instruction *in)
{
    bool wide = in->source == FLOAT64 || in->source == FLOAT16;
    fesetround(rounding_of(wide ? rounding_64(w) : rounding_32(w)));
    in->run(w, in);
    fesetround(FE_TONEAREST);
}

static void turn(struct wave *w, struct isa_code *code)
{
    uint64_t executed = 0;
    while (w->state == WAVE_RUNS && executed < TURN && !w->trap) {
        const struct instruction *in = isa_fetch(code, w->pc);
        if (!in) {
            isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION,
                     "a jump out of the code object");
            break;
        }
        if (!in->run) {
            isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
                     "the loopback does not know this instruction");
            break;
        }
        w->pc += in->length;
        if (w->mode & 15) {
            run_rounded(w, in);
        } else {
            in->run(w, in);
        }
        executed++;
        if (w->trap) {
            w->pc -= in->length;
        }
    }
    w->group->worker->executed += executed;
}

/* True if a wave could go on.  When all that have not ended wait, the barrier is over. */
static bool group_turn(struct group *group, struct isa_code *code)
{
    uint32_t ended = 0;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < group->wave_count; i++) {
        struct wave *w = &group->waves[i];
        if (w->state == WAVE_RUNS) {
            turn(w, code);
        }
        if (w->trap) {
            return false;
        }
        ended += w->state == WAVE_ENDED;
        waiting += w->state == WAVE_WAITS;
    }
    for (uint32_t i = 0; waiting + ended == group->wave_count && i < group->wave_count; i++) {
        if (group->waves[i].state == WAVE_WAITS) {
            group->waves[i].state = WAVE_RUNS;
        }
    }
    return ended < group->wave_count;
}

/* --- a launch --- */

/* What the launch ends with: the reason of a wave that could not go on. */
static hsa_status_t report(const struct launch *launch, const struct wave *w)
{
    const struct isa_launch *request = launch->request;
    const struct instruction *in = isa_fetch(request->kernel->code, w->pc);
    char where[64] = "";
    if (w->status == (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT) {
        snprintf(where, sizeof where, " at 0x%llx", (unsigned long long)w->bad);
    }
    lb_say("kernel %s, group %u %u %u: %s%s, in \"%s\" at code offset 0x%llx",
           request->kernel->name, w->group->id[0], w->group->id[1], w->group->id[2], w->trap, where,
           in ? in->text : "no instruction",
           (unsigned long long)(w->pc - request->kernel->code->start));
    return w->status;
}

static hsa_status_t run_group(const struct launch *launch, struct group *group)
{
    struct isa_code *code = launch->request->kernel->code;
    memset(group->lds, 0, group->lds_size);
    group->wave_count = launch->waves;
    for (uint32_t i = 0; i < group->wave_count; i++) {
        group->waves[i].group = group;
        wave_begin(launch, &group->waves[i], i);
    }
    while (group_turn(group, code)) {
    }
    for (uint32_t i = 0; i < group->wave_count; i++) {
        if (group->waves[i].trap) {
            return report(launch, &group->waves[i]);
        }
    }
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t run_groups(const struct launch *launch)
{
    struct worker worker = {.request = launch->request};
    struct group group = {.worker = &worker, .lds_size = launch->lds};
    hsa_status_t status = HSA_STATUS_SUCCESS;
    group.waves = aligned_alloc(64, (sizeof(struct wave) + 63) / 64 * 64 * launch->waves);
    group.lds = malloc(launch->lds + 1);
    size_t scratch = (size_t)launch->scratch * LANES;
    char *all_scratch = malloc(scratch * launch->waves + 1);
    if (!group.waves || !group.lds || !all_scratch) {
        lb_fatal("no memory for the waves of a kernel");
    }
    for (uint32_t i = 0; i < launch->waves; i++) {
        group.waves[i].scratch = all_scratch + i * scratch;
        group.waves[i].scratch_size = launch->scratch;
    }
    const uint32_t *n = launch->counts;
    for (uint64_t k = 0; k < (uint64_t)n[0] * n[1] * n[2] && !status; k++) {
        group.id[0] = (uint32_t)(k % n[0]);
        group.id[1] = (uint32_t)(k / n[0] % n[1]);
        group.id[2] = (uint32_t)(k / n[0] / n[1]);
        status = run_group(launch, &group);
    }
    lb_log("kernel %s: %llu instructions of waves", launch->request->kernel->name,
           (unsigned long long)worker.executed);
    free(group.waves);
    free(group.lds);
    free(all_scratch);
    return status;
}

static uint32_t groups_of(uint32_t grid, uint32_t group)
{
    return group ? grid / group + (grid % group != 0) : 0;
}

hsa_status_t lb_isa_launch(const struct isa_launch *request)
{
    const hsa_kernel_dispatch_packet_t *packet = request->packet;
    struct launch launch = {.request = request};
    const struct isa_code *code = request->kernel->code;
    if (!code) {
        lb_say("kernel %s: %s", request->kernel->name,
               isa_comgr_ready() ? "the loopback computes code for gfx90a only"
                                 : "no comgr was found in this process, which decodes kernels");
        return lb_settings.strict ? (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION
                                  : HSA_STATUS_SUCCESS;
    }
    uint64_t object = request->kernel->object;
    const char *bytes = lb_host_address((void *)object, sizeof launch.descriptor); /* NOLINT */
    if (!bytes) {
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    }
    memcpy(&launch.descriptor, bytes, sizeof launch.descriptor);
    launch.entry = (const char *)object + launch.descriptor.entry; /* NOLINT */
    launch.counts[0] = groups_of(packet->grid_size_x, packet->workgroup_size_x);
    launch.counts[1] = groups_of(packet->grid_size_y, packet->workgroup_size_y);
    launch.counts[2] = groups_of(packet->grid_size_z, packet->workgroup_size_z);
    launch.group_threads =
        (uint32_t)packet->workgroup_size_x * packet->workgroup_size_y * packet->workgroup_size_z;
    launch.waves = groups_of(launch.group_threads, LANES);
    launch.vectors = ((launch.descriptor.rsrc1 & 63) + 1) * 8;
    launch.has_agprs = launch.vectors > ((launch.descriptor.rsrc3 & 63) + 1) * 4;
    launch.lds = packet->group_segment_size;
    launch.scratch = packet->private_segment_size;
    if (launch.scratch && launch.scratch < SCRATCH_MIN) {
        launch.scratch = SCRATCH_MIN;
    }
    return run_groups(&launch);
}
