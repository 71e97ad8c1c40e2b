/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of lanes; the result is a mask.  v_cmpx writes it to EXEC, too.  The argument of a
 * row is the set of relations that make the comparison true.
 */
#include <float.h>

#include "isa.h"
#include "numbers.h"

enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8, TO_EXEC = 16 };

static inline unsigned relation(double a, double b)
{
    return a < b ? LESS : a > b ? GREATER : a == b ? EQUAL : UNORDERED;
}

#define ORDER(a, b) ((a) < (b) ? LESS : (a) > (b) ? GREATER : EQUAL)

/* The bit of v_cmp_class for a number: NaNs, then from -infinity to infinity. */
static unsigned class_of(double x, double least_normal, bool quiet)
{
    if (isnan(x)) {
        return quiet ? 2 : 1;
    }
    double size = fabs(x);
    unsigned kind = isinf(x) ? 0 : size >= least_normal ? 1 : size > 0 ? 2 : 3;
    return signbit(x) ? 4U << kind : 512U >> kind;
}

static void finish(struct wave *w, const struct instruction *in, uint64_t mask)
{
    mask &= exec(w);
    isa_set_scalar_wide(w, &in->operand[0], mask);
    if (in->argument & TO_EXEC) {
        set_pair(w, EXEC, mask);
    }
}

/* For 32 bits and less: whether the relation of a and b is one of the argument's. */
#define DEFINE_NARROW(name, expression)                                                            \
    static void name(struct wave *w, const struct instruction *in)                                 \
    {                                                                                              \
        uint32_t room[3][LANES];                                                                   \
        const uint32_t *s[3];                                                                      \
        isa_sources(w, in, 2, room, s);                                                            \
        COMPARE(uint32_t, expression)                                                              \
    }
/* For 64 bits, where the bits of `narrow` are sources of 32. */
#define DEFINE_WIDE(name, narrow, expression)                                                      \
    static void name(struct wave *w, const struct instruction *in)                                 \
    {                                                                                              \
        uint64_t s[3][LANES];                                                                      \
        isa_sources_wide(w, in, 2, narrow, s);                                                     \
        COMPARE(uint64_t, expression)                                                              \
    }
#define COMPARE(type, expression)                                                                  \
    uint64_t mask = 0;                                                                             \
    for (int i = 0; i < LANES; i++) {                                                              \
        type a = s[0][i];                                                                          \
        type b = s[1][i];                                                                          \
        mask |= (uint64_t)((expression)) << i;                                                     \
    }                                                                                              \
    finish(w, in, mask);
#define HOLDS(relation) (((unsigned)(relation)&in->argument) != 0)

DEFINE_NARROW(f16, HOLDS(relation((double)isa_half(a), (double)isa_half(b))))
DEFINE_NARROW(f32_, HOLDS(relation((double)f32(a), (double)f32(b))))
DEFINE_NARROW(i16, HOLDS(ORDER(signed16(a), signed16(b))))
DEFINE_NARROW(u16, HOLDS(ORDER(low16(a), low16(b))))
DEFINE_NARROW(i32, HOLDS(ORDER((int32_t)a, (int32_t)b)))
DEFINE_NARROW(u32, HOLDS(ORDER(a, b)))
DEFINE_WIDE(f64_, 0, HOLDS(relation(f64(a), f64(b))))
DEFINE_WIDE(i64, 0, HOLDS(ORDER((int64_t)a, (int64_t)b)))
DEFINE_WIDE(u64, 0, HOLDS(ORDER(a, b)))
DEFINE_NARROW(class_f16, (class_of((double)isa_half(a), 0x1p-14, a & 0x200) & b) != 0)
DEFINE_NARROW(class_f32, (class_of((double)f32(a), FLT_MIN, a & 0x400000) & b) != 0)
/* The set of classes has 32 bits. */
DEFINE_WIDE(class_f64, 2, (class_of(f64(a), DBL_MIN, a >> 51 & 1) & b) != 0)

#define BOTH(condition, type, run, set, kind)                                                      \
    {"v_cmp_" #condition "_" #type, run, set, kind, INTEGER, 0},                                   \
        {"v_cmpx_" #condition "_" #type, run, (set) | TO_EXEC, kind, INTEGER, 0},
#define ORDERED(type, run, kind)                                                                   \
    BOTH(f, type, run, 0, kind)                                                                    \
    BOTH(lt, type, run, LESS, kind)                                                                \
    BOTH(eq, type, run, EQUAL, kind)                                                               \
    BOTH(le, type, run, LESS | EQUAL, kind)                                                        \
    BOTH(gt, type, run, GREATER, kind)                                                             \
    BOTH(ge, type, run, GREATER | EQUAL, kind)
#define INTEGERS(type, run)                                                                        \
    ORDERED(type, run, INTEGER)                                                                    \
    BOTH(ne, type, run, LESS | GREATER, INTEGER)                                                   \
    BOTH(lg, type, run, LESS | GREATER, INTEGER)                                                   \
    BOTH(t, type, run, 15, INTEGER)
#define FLOATS(type, run, kind)                                                                    \
    ORDERED(type, run, kind)                                                                       \
    BOTH(lg, type, run, LESS | GREATER, kind)                                                      \
    BOTH(o, type, run, LESS | EQUAL | GREATER, kind)                                               \
    BOTH(u, type, run, UNORDERED, kind)                                                            \
    BOTH(nge, type, run, LESS | UNORDERED, kind)                                                   \
    BOTH(nlg, type, run, EQUAL | UNORDERED, kind)                                                  \
    BOTH(ngt, type, run, LESS | EQUAL | UNORDERED, kind)                                           \
    BOTH(nle, type, run, GREATER | UNORDERED, kind)                                                \
    BOTH(neq, type, run, LESS | GREATER | UNORDERED, kind)                                         \
    BOTH(nlt, type, run, GREATER | EQUAL | UNORDERED, kind)                                        \
    BOTH(tru, type, run, 15, kind)

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_compare_rows[] = {
    INTEGERS(i16, i16) INTEGERS(u16, u16) INTEGERS(i32, i32) INTEGERS(u32, u32) INTEGERS(i64, i64)
    INTEGERS(u64, u64) FLOATS(f16, f16, FLOAT16) FLOATS(f32, f32_, FLOAT32)
    FLOATS(f64, f64_, FLOAT64) BOTH(class, f16, class_f16, 0, FLOAT16)
    BOTH(class, f32, class_f32, 0, FLOAT32) BOTH(class, f64, class_f64, 0, FLOAT64)
    {NULL, NULL, 0, 0, 0, 0},
};
