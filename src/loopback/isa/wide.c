/* SPDX-License-Identifier: MIT */
/*
 * Vector operations with sources or results of 64 bits.  The lists have a mnemonic and the result
 * of one lane from the sources a, b and c.
 */
#include <float.h>

#include "isa.h"
#include "numbers.h"

#define D(x) f64(x)
#define R(x) bits64(x)
#define I(x) ((int32_t)(x))
#define L(x) ((int64_t)(x))

static double fraction(double x)
{
    double part = x - floor(x);
    return isinf(x) ? NAN : part < 1 ? part : 0x1.fffffffffffffp-1;
}

/*
 * A quotient below the normal numbers is scaled back here, and rounded a second time.  Where that
 * meets the middle of two numbers, what the first rounding cut off decides.
 */
static double divide_fmas(double a, double b, double c, bool scaled)
{
    double sum = fma(a, b, c);
    if (!scaled || fabs(c) >= 2) {
        return scaled ? sum * 0x1p+128 : sum;
    }
    double result = sum * 0x1p-128;
    double left = sum - result * 0x1p+128;
    double rest = fma(a, b, c - sum);
    if (fabs(left) == 0x1p-947 && (left > 0) == (rest > 0) && rest != 0) {
        result = nextafter(result, left > 0 ? INFINITY : -INFINITY);
    }
    return result;
}

/*
 * A part of 2/pi as a number of 53 bits: the selector b says how many groups of 53 bits come before
 * it, after what the exponent of the source needs.  The word is scaled by its place.
 */
static double trig_preop(double a, uint32_t selector)
{
    static const uint32_t two_over_pi[] = {
        0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
        0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
        0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
        0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
        0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
        0x1f8d5d08, 0x56033046,
    };
    int exponent = (int)(bits64(a) >> 52 & 0x7ff);
    int shift = (int)(selector & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
    uint64_t digits = 0;
    for (int i = 0; i < 53; i++) {
        unsigned bit = (unsigned)(shift + i);
        uint32_t word = bit / 32 < sizeof two_over_pi / 4 ? two_over_pi[bit / 32] : 0;
        digits = digits << 1 | (word >> (31 - bit % 32) & 1);
    }
    return ldexp((double)digits, -53 - shift + (exponent >= 1968 ? 128 : 0));
}

static uint64_t two_floats(uint32_t a, int digits)
{
    return bits32(isa_small(a, digits)) | (uint64_t)bits32(isa_small(a >> 8, digits)) << 32;
}

/* Sources that have 32 bits, besides those of 64: their numbers are bits. */
enum { FIRST = 1, SECOND = 2, THIRD = 4 };

/* Name, count of sources, those of 32 bits, types of source and result, the result. */
#define OPERATIONS(X)                                                                              \
    X(v_rcp_f64, 1, 0, FLOAT64, FLOAT64, R(1 / D(a)))                                              \
    X(v_rsq_f64, 1, 0, FLOAT64, FLOAT64, R(1 / sqrt(D(a))))                                        \
    X(v_sqrt_f64, 1, 0, FLOAT64, FLOAT64, R(sqrt(D(a))))                                           \
    X(v_rndne_f64, 1, 0, FLOAT64, FLOAT64, R(rint(D(a))))                                          \
    X(v_fract_f64, 1, 0, FLOAT64, FLOAT64, R(fraction(D(a))))                                      \
    X(v_floor_f64, 1, 0, FLOAT64, FLOAT64, R(floor(D(a))))                                         \
    X(v_ceil_f64, 1, 0, FLOAT64, FLOAT64, R(ceil(D(a))))                                           \
    X(v_trunc_f64, 1, 0, FLOAT64, FLOAT64, R(trunc(D(a))))                                         \
    X(v_frexp_mant_f64, 1, 0, FLOAT64, FLOAT64, R(isa_mantissa(D(a))))                             \
    X(v_mov_b64, 1, 0, FLOAT64, FLOAT64, a)                                                        \
    X(v_add_f64, 2, 0, FLOAT64, FLOAT64, R(D(a) + D(b)))                                           \
    X(v_mul_f64, 2, 0, FLOAT64, FLOAT64, R(D(a) * D(b)))                                           \
    X(v_max_f64, 2, 0, FLOAT64, FLOAT64, R(max64(D(a), D(b))))                                     \
    X(v_min_f64, 2, 0, FLOAT64, FLOAT64, R(min64(D(a), D(b))))                                     \
    X(v_fma_f64, 3, 0, FLOAT64, FLOAT64, R(fma(D(a), D(b), D(c))))                                 \
    X(v_fmac_f64, 2 | ACCUMULATES, 0, FLOAT64, FLOAT64, R(fma(D(a), D(b), D(c))))                  \
    X(v_div_fixup_f64, 3, 0, FLOAT64, FLOAT64, R(isa_divide_fixup(D(a), D(b), D(c))))              \
    X(v_div_fmas_f64, 3, 0, FLOAT64, FLOAT64, R(divide_fmas(D(a), D(b), D(c), is_on(vcc(w), i))))  \
    X(v_ldexp_f64, 2, SECOND, FLOAT64, FLOAT64, R(ldexp(D(a), I(b))))                              \
    X(v_trig_preop_f64, 2, SECOND, FLOAT64, FLOAT64, R(trig_preop(D(a), (uint32_t)b)))             \
    X(v_cvt_f64_f32, 1, FIRST, FLOAT32, FLOAT64, R((double)f32((uint32_t)a)))                      \
    X(v_cvt_f64_i32, 1, FIRST, INTEGER, FLOAT64, R((double)I(a)))                                  \
    X(v_cvt_f64_u32, 1, FIRST, INTEGER, FLOAT64, R((double)a))                                     \
    X(v_cvt_pk_f32_fp8, 1, FIRST, INTEGER, INTEGER, two_floats((uint32_t)a, 3))                    \
    X(v_cvt_pk_f32_bf8, 1, FIRST, INTEGER, INTEGER, two_floats((uint32_t)a, 2))                    \
    X(v_lshlrev_b64, 2, FIRST, INTEGER, INTEGER, b << (a & 63))                                    \
    X(v_lshrrev_b64, 2, FIRST, INTEGER, INTEGER, b >> (a & 63))                                    \
    X(v_ashrrev_i64, 2, FIRST, INTEGER, INTEGER, (uint64_t)(L(b) >> (a & 63)))                     \
    X(v_lshl_add_u64, 3, SECOND, INTEGER, INTEGER, (a << (b & 63)) + c)

/* A source of 64 bits and a result of 32. */
#define NARROWING(X)                                                                               \
    X(v_cvt_i32_f64, INTEGER, isa_to_int(D(a)))                                                    \
    X(v_cvt_u32_f64, INTEGER, isa_to_unsigned(D(a)))                                               \
    X(v_cvt_f32_f64, FLOAT32, bits32((float)D(a)))                                                 \
    X(v_frexp_exp_i32_f64, INTEGER, (uint32_t)isa_exponent(D(a)))

#define DEFINE(name, count, narrow, source, result, expression)                                    \
    static void name(struct wave *w, const struct instruction *in)                                 \
    {                                                                                              \
        uint64_t s[3][LANES];                                                                      \
        isa_sources_wide(w, in, count, narrow, s);                                                 \
        for (int i = 0; i < LANES; i++) {                                                          \
            uint64_t a = s[0][i];                                                                  \
            uint64_t b = s[1][i];                                                                  \
            uint64_t c = s[2][i];                                                                  \
            (void)b, (void)c;                                                                      \
            s[0][i] = (expression);                                                                \
        }                                                                                          \
        isa_result_wide(w, in, s[0]);                                                              \
    }
#define DEFINE_NARROWING(name, result, expression)                                                 \
    static void name(struct wave *w, const struct instruction *in)                                 \
    {                                                                                              \
        uint64_t as[LANES];                                                                        \
        uint32_t values[LANES];                                                                    \
        isa_source_wide(w, in, 1, as);                                                             \
        for (int i = 0; i < LANES; i++) {                                                          \
            uint64_t a = as[i];                                                                    \
            values[i] = (expression);                                                              \
        }                                                                                          \
        isa_result(w, in, values);                                                                 \
    }

OPERATIONS(DEFINE)
NARROWING(DEFINE_NARROWING)

/* Result, mask of carries, two sources of 32 bits, one of 64.  The argument says "signed". */
static void multiply_add(struct wave *w, const struct instruction *in)
{
    uint64_t s[3][LANES];
    isa_sources_wide(w, in, 3, FIRST | SECOND, s);
    uint64_t carries = 0;
    for (int i = 0; i < LANES; i++) {
        uint64_t product =
            in->argument ? (uint64_t)((int64_t)I(s[0][i]) * I(s[1][i])) : s[0][i] * s[1][i];
        uint64_t sum = product + s[2][i];
        carries |= (uint64_t)(sum < product) << i;
        s[2][i] = sum;
    }
    isa_result_wide(w, in, s[2]);
    isa_set_scalar_wide(w, &in->operand[1], carries & exec(w));
}

/* --- v_div_scale: result, mask of lanes to scale back, what is scaled, divisor, dividend --- */

struct scaled {
    double value;
    bool back;
};

/* The exponents as the format has them; `span` is the power of two by which numbers are scaled. */
static struct scaled div_scale(double s, double d, double n, double least, int near_top, int tiny,
                               int span)
{
    int exponent[2] = {0, 0};
    frexp(d, &exponent[0]);
    frexp(n, &exponent[1]);
    bool of_divisor = s == d && !isnan(s);
    double inverse = fabs(1 / d);
    double quotient = fabs(n / d);
    if (n == 0 || d == 0) {
        return (struct scaled){NAN, false};
    }
    if (!isfinite(n) || !isfinite(d)) {
        return (struct scaled){s, false};
    }
    if (exponent[1] - exponent[0] >= near_top) {
        return (struct scaled){of_divisor ? ldexp(s, span) : s, true};
    }
    if (fabs(d) < least) {
        return (struct scaled){ldexp(s, span), false};
    }
    if (inverse < least && quotient < least) {
        return (struct scaled){of_divisor ? ldexp(s, -span) : s, true};
    }
    if (inverse < least) {
        return (struct scaled){ldexp(s, -span), false};
    }
    if (quotient < least) {
        return (struct scaled){s == n ? ldexp(s, span) : s, true};
    }
    return (struct scaled){exponent[1] <= tiny ? ldexp(s, span) : s, false};
}

static void v_div_scale_f32(struct wave *w, const struct instruction *in)
{
    uint32_t room[3][LANES], values[LANES];
    const uint32_t *s[3];
    isa_sources(w, in, 3, room, s);
    uint64_t back = 0;
    for (int i = 0; i < LANES; i++) {
        struct scaled one = div_scale((double)f32(s[0][i]), (double)f32(s[1][i]),
                                      (double)f32(s[2][i]), FLT_MIN, 96, 23 - 126, 64);
        values[i] = bits32((float)one.value);
        back |= (uint64_t)one.back << i;
    }
    isa_result(w, in, values);
    isa_set_scalar_wide(w, &in->operand[1], back & exec(w));
}

static void v_div_scale_f64(struct wave *w, const struct instruction *in)
{
    uint64_t s[3][LANES], back = 0;
    isa_sources_wide(w, in, 3, 0, s);
    for (int i = 0; i < LANES; i++) {
        struct scaled one =
            div_scale(D(s[0][i]), D(s[1][i]), D(s[2][i]), DBL_MIN, 768, 53 - 1022, 128);
        s[0][i] = R(one.value);
        back |= (uint64_t)one.back << i;
    }
    isa_result_wide(w, in, s[0]);
    isa_set_scalar_wide(w, &in->operand[1], back & exec(w));
}

/* --- pairs of numbers of 32 bits --- */

enum packed_kind { PACKED_ADD, PACKED_MULTIPLY, PACKED_FMA, PACKED_MOVE };

/* The half of a source that makes the low or the high half of the result. */
static void packed_source(struct wave *w, const struct instruction *in, unsigned k, bool high,
                          uint32_t values[LANES])
{
    const struct operand *o = &in->operand[k + 1];
    unsigned from = (high && in->argument != PACKED_MOVE ? in->op_sel_hi : in->op_sel) >> k & 1;
    bool negate = (high ? in->neg_hi : in->neg_lo) >> k & 1;
    for (int i = 0; i < LANES; i++) {
        uint32_t value = o->kind == OPERAND_VECTOR   ? w->v[o->reg + from][i]
                         : o->kind == OPERAND_SCALAR ? w->s[o->reg + from]
                                                     : isa_scalar(w, in, k + 1);
        values[i] = negate ? value ^ 0x80000000 : value;
    }
}

static void packed(struct wave *w, const struct instruction *in)
{
    uint32_t s[3][LANES] = {{0}};
    uint64_t values[LANES] = {0};
    for (unsigned high = 0; high < 2; high++) {
        for (unsigned k = 0; k + 1 < in->operands; k++) {
            packed_source(w, in, k, high, s[k]);
        }
        for (int i = 0; i < LANES; i++) {
            float a = f32(s[0][i]);
            float b = f32(s[1][i]);
            uint32_t one = in->argument == PACKED_ADD        ? bits32(a + b)
                           : in->argument == PACKED_MULTIPLY ? bits32(a * b)
                           : in->argument == PACKED_FMA      ? bits32(fmaf(a, b, f32(s[2][i])))
                                                             : s[high][i];
            values[i] |= (uint64_t)one << 32 * high;
        }
    }
    isa_result_wide(w, in, values);
}

#define ROW(name, count, narrow, source, result, ...) {#name, name, 0, source, result, 0},
#define ROW_NARROWING(name, result, ...)              {#name, name, 0, FLOAT64, result, 0},
#define PACKED(name, kind)                            {name, packed, kind, FLOAT32, INTEGER, 0},

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_wide_rows[] = {
    OPERATIONS(ROW) NARROWING(ROW_NARROWING)
    {"v_mad_u64_u32", multiply_add, 0, INTEGER, INTEGER, 2},
    {"v_mad_i64_i32", multiply_add, 1, INTEGER, INTEGER, 2},
    {"v_div_scale_f32", v_div_scale_f32, 0, FLOAT32, FLOAT32, 2},
    {"v_div_scale_f64", v_div_scale_f64, 0, FLOAT64, FLOAT64, 2},
    PACKED("v_pk_add_f32", PACKED_ADD) PACKED("v_pk_mul_f32", PACKED_MULTIPLY)
    PACKED("v_pk_fma_f32", PACKED_FMA) PACKED("v_pk_mov_b32", PACKED_MOVE)
    {NULL, NULL, 0, 0, 0, 0},
};
