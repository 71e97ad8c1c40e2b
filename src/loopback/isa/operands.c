/* SPDX-License-Identifier: MIT */
/* Sources with their modifiers, and results. */
#include "isa.h"
#include "numbers.h"

void isa_trap(struct wave *w, hsa_status_t status, const char *reason)
{
    if (!w->trap) {
        w->trap = reason;
        w->status = status;
    }
}

static uint32_t constant(const struct operand *o, unsigned type)
{
    if (!o->is_float) {
        return (uint32_t)o->value;
    }
    return type == FLOAT16 ? isa_to_half(o->number, 0) : bits32((float)o->number);
}

/* A literal of 32 bits is the upper half of a double; a small integer is its own bits. */
static uint64_t constant_wide(const struct operand *o, unsigned type)
{
    if (o->is_float) {
        return bits64(o->number);
    }
    bool is_inline = (int64_t)o->value >= -16 && (int64_t)o->value <= 64;
    return type == FLOAT64 && !is_inline ? o->value << 32 : o->value;
}

uint32_t isa_scalar(const struct wave *w, const struct instruction *in, unsigned index)
{
    const struct operand *o = &in->operand[index];
    switch (o->kind) {
    case OPERAND_SCALAR:
        return w->s[o->reg];
    case OPERAND_CONSTANT:
        return constant(o, in->source);
    case OPERAND_VECTOR:
        return w->v[o->reg][0];
    default:
        return 0;
    }
}

uint64_t isa_scalar_wide(const struct wave *w, const struct instruction *in, unsigned index)
{
    const struct operand *o = &in->operand[index];
    switch (o->kind) {
    case OPERAND_SCALAR:
        return o->count == 1 ? w->s[o->reg] : pair(w, o->reg);
    case OPERAND_CONSTANT:
        return constant_wide(o, in->source);
    default:
        return 0;
    }
}

/* --- DPP: the lane that another one reads, or -1 --- */

static int in_row(int lane, int other)
{
    return other / 16 == lane / 16 && other >= 0 ? other : -1;
}

static int dpp_lane(const struct instruction *in, int lane)
{
    unsigned control = in->dpp_control;
    int row = lane & ~15;
    int by = (int)(control & 15);
    switch (control >> 4) {
    case 0x10:
        return in_row(lane, lane + by);
    case 0x11:
        return in_row(lane, lane - by);
    case 0x12:
        return row + ((lane - by) & 15);
    case 0x15:
        return row + by;
    case 0x16:
        return row + ((lane & 15) ^ by);
    case DPP8 >> 4:
        return (lane & ~7) + (int)(in->dpp8 >> 3 * (lane & 7) & 7);
    default:
        break;
    }
    switch (control) {
    case 0x130:
        return lane + 1 < LANES ? lane + 1 : -1;
    case 0x134:
        return (lane + 1) % LANES;
    case 0x138:
        return lane - 1;
    case 0x13c:
        return (lane + LANES - 1) % LANES;
    case 0x140:
        return row + 15 - (lane & 15);
    case 0x141:
        return (lane & ~7) + 7 - (lane & 7);
    case 0x142:
        return row - 1;
    case 0x143:
        return lane >= 32 ? 31 : -1;
    default:
        return control < 0x100 ? (lane & ~3) + (int)(control >> (lane % 4 * 2) & 3) : -1;
    }
}

/* The lanes that an instruction with DPP writes: the others keep what they have. */
static uint64_t dpp_written(const struct wave *w, const struct instruction *in)
{
    uint64_t active = exec(w);
    uint64_t written = 0;
    for (int i = 0; i < LANES; i++) {
        int from = dpp_lane(in, i);
        bool is_valid = in->bound || (from >= 0 && (in->fetches_inactive || is_on(active, from)));
        if (is_valid && (in->row_mask >> i / 16 & 1) && (in->bank_mask >> i / 4 % 4 & 1)) {
            written |= UINT64_C(1) << i;
        }
    }
    return written;
}

static void dpp_read(const struct wave *w, const struct instruction *in, const uint32_t *values,
                     uint32_t room[LANES])
{
    uint64_t active = in->fetches_inactive ? w->all : exec(w);
    for (int i = 0; i < LANES; i++) {
        int from = dpp_lane(in, i);
        room[i] = from >= 0 && is_on(active, from) ? values[from] : 0;
    }
}

/* --- sources --- */

static void select_part(const struct operand *o, const uint32_t *values, uint32_t room[LANES])
{
    unsigned width = o->select <= 4 ? 8 : 16;
    unsigned start = o->select <= 4 ? (o->select - 1) * 8U : (o->select - 5) * 16U;
    for (int i = 0; i < LANES; i++) {
        uint32_t part = values[i];
        room[i] = o->sign_extend ? signed_field(part, start, width) : field(part, start, width);
    }
}

static void modify(const struct operand *o, unsigned type, const uint32_t *values,
                   uint32_t room[LANES])
{
    uint32_t sign = type == FLOAT16 ? 0x8000 : 0x80000000;
    uint32_t keep = o->absolute ? ~sign : UINT32_MAX;
    uint32_t flip = o->negate ? sign : 0;
    for (int i = 0; i < LANES; i++) {
        room[i] = (values[i] & keep) ^ flip;
    }
}

static void flush(const uint32_t *values, uint32_t room[LANES])
{
    for (int i = 0; i < LANES; i++) {
        room[i] = values[i] & 0x7f800000 ? values[i] : values[i] & 0x80000000;
    }
}

const uint32_t *isa_source(struct wave *w, const struct instruction *in, unsigned index,
                           uint32_t room[LANES])
{
    const struct operand *o = &in->operand[index];
    const uint32_t *values = room;
    if (o->kind == OPERAND_VECTOR) {
        values = w->v[o->reg];
    } else {
        uint32_t value = isa_scalar(w, in, index);
        for (int i = 0; i < LANES; i++) {
            room[i] = value;
        }
    }
    if (!in->abides && !flushes_32(w)) {
        return values;
    }
    if (in->dpp && index == in->first) {
        dpp_read(w, in, values, room);
        values = room;
    }
    if (o->select) {
        select_part(o, values, room);
        values = room;
    }
    if (in->op_sel >> (index - in->first) & 1) {
        for (int i = 0; i < LANES; i++) {
            room[i] = values[i] >> 16;
        }
        values = room;
    }
    if (o->negate || o->absolute) {
        modify(o, in->source, values, room);
        values = room;
    }
    if (in->source == FLOAT32 && flushes_32(w)) {
        flush(values, room);
        values = room;
    }
    return values;
}

void isa_source_wide(struct wave *w, const struct instruction *in, unsigned index,
                     uint64_t room[LANES])
{
    const struct operand *o = &in->operand[index];
    if (o->kind == OPERAND_VECTOR) {
        const uint32_t *low = w->v[o->reg];
        const uint32_t *high = w->v[o->reg + 1];
        for (int i = 0; i < LANES; i++) {
            room[i] = low[i] | (uint64_t)high[i] << 32;
        }
    } else {
        uint64_t value = isa_scalar_wide(w, in, index);
        for (int i = 0; i < LANES; i++) {
            room[i] = value;
        }
    }
    if (o->negate || o->absolute) {
        uint64_t sign = UINT64_C(1) << 63;
        for (int i = 0; i < LANES; i++) {
            room[i] = (o->absolute ? room[i] & ~sign : room[i]) ^ (o->negate ? sign : 0);
        }
    }
}

void isa_sources(struct wave *w, const struct instruction *in, unsigned count,
                 uint32_t room[3][LANES], const uint32_t *sources[3])
{
    unsigned known = count & 3;
    for (unsigned k = 0; k < 3; k++) {
        sources[k] = k < known ? isa_source(w, in, in->first + k, room[k]) : sources[0];
    }
    if (count & ACCUMULATES) {
        sources[known] = w->v[in->operand[0].reg];
    }
}

void isa_sources_wide(struct wave *w, const struct instruction *in, unsigned count, unsigned narrow,
                      uint64_t sources[3][LANES])
{
    uint32_t room[LANES];
    unsigned known = count & 3;
    for (unsigned k = 0; k < known; k++) {
        if (!(narrow >> k & 1)) {
            isa_source_wide(w, in, in->first + k, sources[k]);
            continue;
        }
        const uint32_t *values = isa_source(w, in, in->first + k, room);
        for (int i = 0; i < LANES; i++) {
            sources[k][i] = values[i];
        }
    }
    if (count & ACCUMULATES) {
        isa_source_wide(w, in, 0, sources[known]);
    }
}

/* --- results --- */

static const double scales[] = {1, 2, 4, 0.5};

static double scaled_and_clamped(const struct instruction *in, double value)
{
    value *= scales[in->scale];
    return in->clamp ? clamped_to_one(value) : value;
}

static void scale_and_clamp(const struct instruction *in, uint32_t values[LANES])
{
    for (int i = 0; i < LANES; i++) {
        values[i] = in->result == FLOAT16
                        ? isa_to_half(scaled_and_clamped(in, (double)isa_half(values[i])), 0)
                        : bits32((float)scaled_and_clamped(in, (double)f32(values[i])));
    }
}

/* Puts values into a part of the register: 1 to 4 a byte, 5 and 6 a half. */
static void place_part(unsigned select, bool preserve, const uint32_t *old, uint32_t values[LANES])
{
    unsigned start = select <= 4 ? (select - 1) * 8U : (select - 5) * 16U;
    uint32_t mask = (select <= 4 ? UINT32_C(0xff) : UINT32_C(0xffff)) << start;
    for (int i = 0; i < LANES; i++) {
        values[i] = (preserve ? old[i] & ~mask : 0) | (values[i] << start & mask);
    }
}

static void change(struct wave *w, const struct instruction *in, uint32_t values[LANES])
{
    const uint32_t *old = w->v[in->operand[0].reg];
    if (in->result != INTEGER && (in->scale || in->clamp)) {
        scale_and_clamp(in, values);
    }
    if (in->result == FLOAT32 && flushes_32(w)) {
        flush(values, values);
    }
    if (in->select) {
        place_part(in->select, in->preserve, old, values);
    } else if (in->op_sel >> (in->operands - in->first) & 1) {
        place_part(6, true, old, values);
    }
}

void isa_result(struct wave *w, const struct instruction *in, uint32_t values[LANES])
{
    uint32_t *reg = w->v[in->operand[0].reg];
    uint64_t active = exec(w);
    if (in->abides || flushes_32(w)) {
        change(w, in, values);
        active &= in->dpp ? dpp_written(w, in) : UINT64_MAX;
    }
    if (active == w->all) { /* lanes that the wave has not do not matter */
        memcpy(reg, values, LANES * sizeof *reg);
        return;
    }
    for (int i = 0; i < LANES; i++) {
        reg[i] = is_on(active, i) ? values[i] : reg[i];
    }
}

void isa_result_wide(struct wave *w, const struct instruction *in, uint64_t values[LANES])
{
    uint32_t *low = w->v[in->operand[0].reg];
    uint32_t *high = w->v[in->operand[0].reg + 1];
    uint64_t active = exec(w);
    if (in->result == FLOAT64 && (in->scale || in->clamp)) {
        for (int i = 0; i < LANES; i++) {
            values[i] = bits64(scaled_and_clamped(in, f64(values[i])));
        }
    }
    for (int i = 0; i < LANES; i++) {
        low[i] = is_on(active, i) ? (uint32_t)values[i] : low[i];
        high[i] = is_on(active, i) ? (uint32_t)(values[i] >> 32) : high[i];
    }
}

/* Each of the two has one result, and not in the same register. */
void isa_run_dual(struct wave *w, const struct instruction *in)
{
    uint32_t *reg = w->v[in->dual->operand[0].reg];
    uint32_t old[LANES], result[LANES];
    memcpy(old, reg, sizeof old);
    in->dual->run(w, in->dual);
    memcpy(result, reg, sizeof result);
    memcpy(reg, old, sizeof old);
    in->dual[1].run(w, in->dual + 1);
    memcpy(reg, result, sizeof result);
}
