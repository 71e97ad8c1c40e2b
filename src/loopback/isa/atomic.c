/* SPDX-License-Identifier: MIT */
/*
 * Atomic operations on memory and LDS.  An operation gets the old value, the datum, and for a
 * compare-and-swap the value to compare with; the new one is stored unless another thread was
 * faster, in which case it is computed again.
 */
#include <string.h>

#include "isa.h"
#include "numbers.h"

typedef uint64_t change(uint64_t old, uint64_t datum, uint64_t other);

#define S32(x) ((int32_t)(uint32_t)(x))
#define S64(x) ((int64_t)(x))
#define F32(x) f32((uint32_t)(x))

/* Name, expression for 32 bits, expression for 64. */
#define CHANGES(X)                                                                                 \
    X(swap, b, b)                                                                                  \
    X(add, a + b, a + b)                                                                           \
    X(sub, a - b, a - b)                                                                           \
    X(and, a &b, a &b)                                                                             \
    X(or, a | b, a | b)                                                                            \
    X(xor, a ^ b, a ^ b)                                                                           \
    X(umin, a < b ? a : b, a < b ? a : b)                                                          \
    X(umax, a > b ? a : b, a > b ? a : b)                                                          \
    X(smin, S32(a) < S32(b) ? a : b, S64(a) < S64(b) ? a : b)                                      \
    X(smax, S32(a) > S32(b) ? a : b, S64(a) > S64(b) ? a : b)                                      \
    X(inc, a >= b ? 0 : a + 1, a >= b ? 0 : a + 1)                                                 \
    X(dec, a == 0 || a > b ? b : a - 1, a == 0 || a > b ? b : a - 1)                               \
    X(cmpswap, a == c ? b : a, a == c ? b : a)                                                     \
    X(add_float, bits32(F32(a) + F32(b)), bits64(f64(a) + f64(b)))                                 \
    X(min_float, bits32(min32(F32(a), F32(b))), bits64(min64(f64(a), f64(b))))                     \
    X(max_float, bits32(max32(F32(a), F32(b))), bits64(max64(f64(a), f64(b))))                     \
    X(cmpswap_float, F32(a) == F32(c) ? b : a, f64(a) == f64(c) ? b : a)

#define DEFINE(name, narrow, wide)                                                                 \
    static uint64_t name##_32(uint64_t a, uint64_t b, uint64_t c)                                  \
    {                                                                                              \
        (void)c;                                                                                   \
        (void)a;                                                                                   \
        return (narrow);                                                                           \
    }                                                                                              \
    static uint64_t name##_64(uint64_t a, uint64_t b, uint64_t c)                                  \
    {                                                                                              \
        (void)c;                                                                                   \
        (void)a;                                                                                   \
        return (wide);                                                                             \
    }
CHANGES(DEFINE)

static uint64_t add_halves(uint64_t a, uint64_t b, uint64_t c)
{
    uint32_t low = isa_to_half((double)isa_half((uint32_t)a) + (double)isa_half((uint32_t)b), 0);
    uint32_t high =
        isa_to_half((double)isa_half((uint32_t)a >> 16) + (double)isa_half((uint32_t)b >> 16), 0);
    (void)c;
    return low | high << 16;
}

static uint64_t add_brains(uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    return isa_to_brain(F32(a << 16) + F32(b << 16)) |
           isa_to_brain(F32(a & 0xffff0000) + F32(b & 0xffff0000)) << 16;
}

/* The rows of the table; their index is the argument of an instruction's row. */
static const struct {
    change *function;
    bool wide;
} changes[] = {
#define NUMBERED(name, narrow, wide) {name##_32, false}, {name##_64, true},
    CHANGES(NUMBERED){add_halves, false},
    {add_brains, false},
};
enum {
#define NUMBER(name, narrow, wide) number_##name##_32, number_##name##_64,
    CHANGES(NUMBER) number_halves,
    number_brains,
};
enum { COMPARES = 0x100, RETURNS = 0x200, LOCAL = 0x400, BUFFER = 0x800, NUMBER_MASK = 0xff };
enum { DATUM_FIRST = 0x8000 }; /* in LDS, before the value to compare with */

#define APPLY(width)                                                                               \
    static uint64_t apply_##width(uint##width##_t *place, change *function, uint64_t datum,        \
                                  uint64_t other)                                                  \
    {                                                                                              \
        uint##width##_t old = __atomic_load_n(place, __ATOMIC_RELAXED);                            \
        uint##width##_t new;                                                                       \
        do {                                                                                       \
            new = (uint##width##_t)function(old, datum, other);                                    \
        } while (!__atomic_compare_exchange_n(place, &old, new, false, __ATOMIC_SEQ_CST,           \
                                              __ATOMIC_SEQ_CST));                                  \
        return old;                                                                                \
    }
APPLY(32)
APPLY(64)

static uint64_t read(const struct wave *w, unsigned reg, int lane, bool wide)
{
    return w->v[reg][lane] | (wide ? (uint64_t)w->v[reg + 1][lane] << 32 : 0);
}

struct one {
    unsigned result, datum, other; /* registers */
    bool returns;
};

static void apply(struct wave *w, const struct instruction *in, const struct one *one, int lane,
                  uint64_t address)
{
    unsigned number = in->argument & NUMBER_MASK;
    bool wide = changes[number].wide;
    size_t size = wide ? 8 : 4;
    if (address % size) {
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION,
                 "an atomic operation at an address that is not aligned");
        return;
    }
    char *place = isa_reach_flat(w, address, size, lane);
    if (!place) {
        return;
    }
    uint64_t datum = read(w, one->datum, lane, wide);
    uint64_t other = in->argument & COMPARES ? read(w, one->other, lane, wide) : 0;
    uint64_t old = wide ? apply_64((uint64_t *)place, changes[number].function, datum, other)
                        : apply_32((uint32_t *)place, changes[number].function, datum, other);
    uint64_t new = changes[number].function(old, datum, other);
    w->effects |= (wide ? new : (uint32_t) new) != old ? CHANGED : 0;
    if (one->returns) {
        w->v[one->result][lane] = (uint32_t)old;
        if (wide) {
            w->v[one->result + 1][lane] = (uint32_t)(old >> 32);
        }
    }
}

/* Where a lane's operation goes, for operands from `at` on; false if outside of a buffer. */
static bool place_of(struct wave *w, const struct instruction *in, unsigned at, int lane,
                     uint64_t *place)
{
    const struct operand *address = &in->operand[at];
    const struct operand *base = &in->operand[at + 2];
    if (in->argument & BUFFER) {
        unsigned size = changes[in->argument & NUMBER_MASK].wide ? 8 : 4;
        return isa_buffer_place(w, in, lane, (struct part){0, size}, place);
    }
    if (in->argument & LOCAL) {
        *place = SHARED_BASE | (w->v[address->reg][lane] + (uint32_t)in->offset);
    } else if (in->operands > at + 2 && base->kind == OPERAND_SCALAR) {
        *place = (uint64_t)(int64_t)in->offset + pair(w, base->reg) + w->v[address->reg][lane];
    } else {
        *place = (uint64_t)(int64_t)in->offset + read(w, address->reg, lane, true);
    }
    return true;
}

/*
 * [RESULT,] ADDRESS, DATA[, BASE], or DATA and the operands of a buffer; the value to compare with
 * follows the datum in the registers.  In LDS it is an operand, on gfx90a the one before the datum.
 */
static void atomic(struct wave *w, const struct instruction *in)
{
    bool is_local = in->argument & LOCAL;
    bool is_buffer = in->argument & BUFFER;
    bool returns = is_local ? in->argument & RETURNS : in->glc;
    unsigned at = returns && !is_buffer;
    unsigned datum = in->operand[is_buffer ? 0 : at + 1].reg;
    unsigned words = changes[in->argument & NUMBER_MASK].wide ? 2 : 1;
    struct one one = {in->operand[0].reg, datum, datum + words, returns};
    if (is_local && in->argument & COMPARES) {
        bool is_after = in->argument & DATUM_FIRST;
        one.other = in->operand[is_after ? at + 2 : at + 1].reg;
        one.datum = in->operand[is_after ? at + 1 : at + 2].reg;
    }
    uint64_t active = exec(w);
    for (int i = 0; i < LANES && !w->trap; i++) {
        uint64_t place;
        if (is_on(active, i) && place_of(w, in, at, i, &place)) {
            apply(w, in, &one, i, place);
        }
    }
}

#define ROW(name, argument) {name, atomic, argument, INTEGER, INTEGER, 0},
#define MEMORY(name, number)                                                                       \
    ROW("flat_atomic_" name, number)                                                               \
    ROW("global_atomic_" name, number) ROW("buffer_atomic_" name, (number) | BUFFER)
#define BOTH(name, change)                                                                         \
    MEMORY(name, number_##change##_32) MEMORY(name "_x2", number_##change##_64)
#define LDS(name, number) ROW("ds_" name, (number) | LOCAL)
#define LDS_ROWS(name, returning, narrow, wide, change, more)                                      \
    LDS(name narrow, number_##change##_32 | (more))                                                \
    LDS(name wide, number_##change##_64 | (more))                                                  \
    LDS(returning narrow, number_##change##_32 | (more) | RETURNS)                                 \
    LDS(returning wide, number_##change##_64 | (more) | RETURNS)

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_atomic_rows[] = {
    BOTH("swap", swap) BOTH("add", add) BOTH("sub", sub) BOTH("and", and) BOTH("or", or)
    BOTH( "xor", xor) BOTH("umin", umin) BOTH("umax", umax) BOTH("smin", smin) BOTH("smax", smax)
    BOTH("inc", inc) BOTH("dec", dec) MEMORY("cmpswap", number_cmpswap_32 | COMPARES)
    MEMORY( "cmpswap_x2", number_cmpswap_64 | COMPARES) MEMORY("add_f32", number_add_float_32)
    MEMORY("add_f64", number_add_float_64) MEMORY("min_f64", number_min_float_64)
    MEMORY("min_f32", number_min_float_32) MEMORY("max_f32", number_max_float_32)
    MEMORY("cmpswap_f32", number_cmpswap_float_32 | COMPARES)
    MEMORY( "max_f64", number_max_float_64) MEMORY("pk_add_f16", number_halves)
    MEMORY("pk_add_bf16", number_brains) LDS("pk_add_f16", number_halves)
    LDS("pk_add_rtn_f16", number_halves | RETURNS) LDS("pk_add_bf16", number_brains)
    LDS("pk_add_rtn_bf16", number_brains | RETURNS)
    LDS_ROWS("add_", "add_rtn_", "u32", "u64", add, 0)
    LDS_ROWS( "sub_", "sub_rtn_", "u32", "u64", sub, 0)
    LDS_ROWS("inc_", "inc_rtn_", "u32", "u64", inc, 0)
    LDS_ROWS("dec_", "dec_rtn_", "u32", "u64", dec, 0)
    LDS_ROWS("min_", "min_rtn_", "u32", "u64", umin, 0)
    LDS_ROWS("max_", "max_rtn_", "u32", "u64", umax, 0)
    LDS_ROWS("min_", "min_rtn_", "i32", "i64", smin, 0)
    LDS_ROWS("max_", "max_rtn_", "i32", "i64", smax, 0)
    LDS_ROWS("and_", "and_rtn_", "b32", "b64", and, 0)
    LDS_ROWS("or_", "or_rtn_", "b32", "b64", or, 0)
    LDS_ROWS("xor_", "xor_rtn_", "b32", "b64", xor, 0)
    LDS_ROWS("wrxchg_", "wrxchg_rtn_", "b32", "b64", swap, 0)
    LDS_ROWS("cmpst_", "cmpst_rtn_", "b32", "b64", cmpswap, COMPARES)
    LDS_ROWS("cmpst_", "cmpst_rtn_", "f32", "f64", cmpswap_float, COMPARES)
    LDS_ROWS("cmpstore_", "cmpstore_rtn_", "b32", "b64", cmpswap, COMPARES | DATUM_FIRST)
    LDS_ROWS("cmpstore_", "cmpstore_rtn_", "f32", "f64", cmpswap_float, COMPARES | DATUM_FIRST)
    LDS_ROWS("min_", "min_rtn_", "f32", "f64", min_float, 0)
    LDS_ROWS("max_", "max_rtn_", "f32", "f64", max_float, 0)
    LDS_ROWS("add_", "add_rtn_", "f32", "f64", add_float, 0)
    {NULL, NULL, 0, 0, 0, 0},
};
