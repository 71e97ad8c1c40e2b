/* SPDX-License-Identifier: MIT */
/*
 * LDS and what passes between lanes.  An address in LDS is an offset of 32 bits; what lies outside
 * of the group's LDS is a memory fault.
 */
#include <stdio.h>
#include <string.h>

#include "isa.h"
#include "numbers.h"

/* From here on rocBLAS reads on purpose what no group has, which is 0. */
enum { NOWHERE = 0xf00000, NOWHERE_SIZE = 0x10000 };
static const char nothing[16];

static inline char *place(struct wave *w, uint32_t offset, size_t size, bool store)
{
    const struct group *group = w->group;
    if (size <= group->lds_size && offset <= group->lds_size - size) {
        return group->lds + offset;
    }
    if (!store && offset - NOWHERE < NOWHERE_SIZE) {
        return (char *)nothing;
    }
    return isa_reach_flat(w, SHARED_BASE | offset, size, 0);
}

/* The byte offset of the first or second place. */
static uint32_t place_offset(const struct instruction *in, unsigned second)
{
    uint32_t unit =
        in->argument & PAIR ? (in->argument & BYTES) * (in->argument & FAR ? 64U : 1U) : 1;
    return (uint32_t)(second ? in->offset1 : in->offset) * unit;
}

/* Whether another wave was at the word since the last barrier, and one of the two changed it. */
static void check_race(struct wave *w, const struct instruction *in, uint32_t offset, bool changes)
{
    struct group *group = w->group;
    struct touch *touch = &group->touches[offset / 4];
    uint16_t me = (uint16_t)(1U << (w - group->waves));
    if (touch->barriers != group->barriers) {
        *touch = (struct touch){.barriers = group->barriers};
    }
    unsigned others = (touch->changes | (changes ? touch->loads : 0U)) & ~(unsigned)me;
    if (others && !w->trap) {
        snprintf(group->race, sizeof group->race,
                 "wave %d races in LDS at 0x%x with wave %u, which was there at code offset 0x%x",
                 (int)(w - group->waves), offset, first_one(others), touch->place);
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_EXCEPTION, group->race);
    }
    touch->loads |= changes ? 0 : me;
    touch->changes |= changes ? me : 0;
    touch->place = (uint32_t)(w->pc - group->worker->request->kernel->code->start) - in->length;
}

/* DATA, ADDRESS for a load, ADDRESS, DATA[, DATA] for a store. */
static void ds_move(struct wave *w, const struct instruction *in)
{
    uint64_t active = exec(w);
    bool store = in->argument & STORE;
    const struct group *group = w->group;
    unsigned size = in->argument & BYTES;
    w->effects |= store ? CHANGED : 0;
    uint32_t at[LANES]; /* the result may lie in the register of the address */
    memcpy(at, w->v[in->operand[store ? 0 : 1].reg], sizeof at);
    for (unsigned second = 0; second < (in->argument & PAIR ? 2 : 1); second++) {
        unsigned reg =
            store ? in->operand[1 + second].reg : in->operand[0].reg + second * (size / 4);
        uint32_t offset = place_offset(in, second);
        for (int i = 0; i < LANES && !w->trap; i++) {
            char *bytes = is_on(active, i) ? place(w, at[i] + offset, size, store) : NULL;
            if (bytes && size < 4) {
                isa_move(w, in->argument, reg, i, bytes);
                continue;
            }
            for (unsigned k = 0; bytes && k < size; k += 4) {
                uint32_t *word = &w->v[reg + k / 4][i];
                if (group->touches && bytes != nothing) {
                    check_race(w, in, at[i] + offset + k, store && memcmp(word, bytes + k, 4) != 0);
                }
                memcpy(store ? bytes + k : (char *)word, store ? (char *)word : bytes + k, 4);
            }
        }
    }
}

/* --- between lanes --- */

static void ds_permute_b32(struct wave *w, const struct instruction *in)
{
    uint32_t values[LANES] = {0};
    uint64_t active = exec(w);
    for (int i = 0; i < LANES; i++) {
        uint32_t to = (w->v[in->operand[1].reg][i] + (uint32_t)in->offset) / 4 % w->lanes;
        if (is_on(active, i)) {
            values[to] = w->v[in->operand[2].reg][i];
        }
    }
    isa_result(w, in, values);
}

static void ds_bpermute_b32(struct wave *w, const struct instruction *in)
{
    uint32_t values[LANES];
    uint64_t active = exec(w);
    for (int i = 0; i < LANES; i++) {
        uint32_t from = (w->v[in->operand[1].reg][i] + (uint32_t)in->offset) / 4 % w->lanes;
        values[i] = is_on(active, (int)from) ? w->v[in->operand[2].reg][from] : 0;
    }
    isa_result(w, in, values);
}

/* The offset holds a permutation of four lanes, or masks for the number of a lane in 32. */
static void ds_swizzle_b32(struct wave *w, const struct instruction *in)
{
    uint32_t values[LANES];
    uint64_t active = exec(w);
    uint32_t code = (uint32_t)in->offset;
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t from = code & 0x8000
                            ? (i & ~3U) + (code >> i % 4 * 2 & 3)
                            : (i & 32) | (((i & code & 31) | (code >> 5 & 31)) ^ (code >> 10 & 31));
        values[i] = is_on(active, (int)from) ? w->v[in->operand[1].reg][from] : 0;
    }
    isa_result(w, in, values);
}

static void v_readlane_b32(struct wave *w, const struct instruction *in)
{
    uint32_t lane = isa_scalar(w, in, 2) % w->lanes;
    isa_set_scalar(w, &in->operand[0], w->v[in->operand[1].reg][lane]);
}

static void v_readfirstlane_b32(struct wave *w, const struct instruction *in)
{
    uint64_t active = exec(w);
    uint32_t lane = active ? first_one(active) : 0;
    isa_set_scalar(w, &in->operand[0], w->v[in->operand[1].reg][lane]);
}

static void v_writelane_b32(struct wave *w, const struct instruction *in)
{
    uint32_t lane = isa_scalar(w, in, 2) % w->lanes;
    w->v[in->operand[0].reg][lane] = isa_scalar(w, in, 1);
}

/*
 * DATA, SOURCE, LOW, HIGH: the lane of its row, or with `in->argument` of the other row in 32, that
 * each one of a row reads.  op_sel says whether inactive lanes are read, and whether a lane that
 * reads none of the active ones gets 0.
 */
static void v_permlane16_b32(struct wave *w, const struct instruction *in)
{
    const uint32_t *from = w->v[in->operand[1].reg];
    uint64_t lanes = isa_scalar(w, in, 2) | (uint64_t)isa_scalar(w, in, 3) << 32;
    uint64_t readable = in->op_sel & 1 ? w->all : exec(w);
    uint32_t values[LANES];
    for (int i = 0; i < LANES; i++) {
        int other = ((i & ~15) ^ in->argument) + (int)(lanes >> 4 * (i & 15) & 15);
        values[i] = is_on(readable, other) ? from[other]
                    : in->op_sel & 2       ? 0
                                           : w->v[in->operand[0].reg][i];
    }
    struct instruction plain = *in;
    plain.abides = false;
    isa_result(w, &plain, values);
}

#define READ(name, argument)  {"ds_read" name, ds_move, argument, INTEGER, INTEGER, 0},
#define WRITE(name, argument) {"ds_write" name, ds_move, STORE | (argument), INTEGER, INTEGER, 0},
#define LANE(name)            {#name, name, 0, INTEGER, INTEGER, 0},

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_lds_rows[] = {
    READ("_u8", 1) READ("_i8", 1 | SIGNED) READ("_u16", 2) READ("_i16", 2 | SIGNED)
    READ("_u8_d16", 1 | LOW_HALF) READ("_u8_d16_hi", 1 | HIGH_HALF)
    READ("_i8_d16", 1 | SIGNED | LOW_HALF) READ("_i8_d16_hi", 1 | SIGNED | HIGH_HALF)
    READ("_u16_d16", 2 | LOW_HALF) READ("_u16_d16_hi", 2 | HIGH_HALF) READ("_b32", 4)
    READ("_b64", 8) READ("_b96", 12) READ("_b128", 16) READ("2_b32", 4 | PAIR)
    READ("2_b64", 8 | PAIR) READ("2st64_b32", 4 | PAIR | FAR) READ("2st64_b64", 8 | PAIR | FAR)
    WRITE( "_b8", 1) WRITE("_b16", 2) WRITE("_b8_d16_hi", 1 | HIGH_HALF)
    WRITE("_b16_d16_hi", 2 | HIGH_HALF) WRITE("_b32", 4) WRITE("_b64", 8) WRITE("_b96", 12)
    WRITE("_b128", 16) WRITE("2_b32", 4 | PAIR) WRITE("2_b64", 8 | PAIR)
    WRITE("2st64_b32", 4 | PAIR | FAR) WRITE("2st64_b64", 8 | PAIR | FAR) LANE(ds_permute_b32)
    LANE(ds_bpermute_b32) LANE(ds_swizzle_b32) LANE(v_readlane_b32) LANE(v_readfirstlane_b32)
    LANE(v_writelane_b32) LANE(v_permlane16_b32)
    {"v_permlanex16_b32", v_permlane16_b32, 16, INTEGER, INTEGER, 0},
    {NULL, NULL, 0, 0, 0, 0},
};
