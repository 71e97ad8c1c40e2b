/* SPDX-License-Identifier: MIT */
/*
 * Operations on numbers of 16 bits, one or two in a register.  A half is computed as a double and
 * rounded once; a double holds the sum and the product of halves exactly, and a root or quotient
 * with more than twice the digits.
 */
#include "isa.h"
#include "numbers.h"

#define H(x) ((double)isa_half(x))
#define R(x) isa_to_half((x), rounding)
#define S(x) signed16(x)
#define U(x) low16(x)
#define C(x) low16((uint32_t)(x))

static double fraction(double x)
{
    return isinf(x) ? (double)NAN : x - floor(x);
}

static int32_t to_int(double x, int32_t low, int32_t high)
{
    return isnan(x) ? 0 : x < low ? low : x > high ? high : (int32_t)x;
}

#define UNARY(X)                                                                                   \
    X(v_rcp_f16, FLOAT16, FLOAT16, R(1 / H(a)))                                                    \
    X(v_sqrt_f16, FLOAT16, FLOAT16, R(sqrt(H(a))))                                                 \
    X(v_rsq_f16, FLOAT16, FLOAT16, R(1 / sqrt(H(a))))                                              \
    X(v_exp_f16, FLOAT16, FLOAT16, R(exp2(H(a))))                                                  \
    X(v_log_f16, FLOAT16, FLOAT16, R(log2(H(a))))                                                  \
    X(v_sin_f16, FLOAT16, FLOAT16, R(sin(fraction(H(a)) * 2 * M_PI)))                              \
    X(v_cos_f16, FLOAT16, FLOAT16, R(cos(fraction(H(a)) * 2 * M_PI)))                              \
    X(v_floor_f16, FLOAT16, FLOAT16, R(floor(H(a))))                                               \
    X(v_ceil_f16, FLOAT16, FLOAT16, R(ceil(H(a))))                                                 \
    X(v_trunc_f16, FLOAT16, FLOAT16, R(trunc(H(a))))                                               \
    X(v_rndne_f16, FLOAT16, FLOAT16, R(rint(H(a))))                                                \
    X(v_fract_f16, FLOAT16, FLOAT16, R(fraction(H(a))))                                            \
    X(v_frexp_mant_f16, FLOAT16, FLOAT16, R(isa_mantissa(H(a))))                                   \
    X(v_frexp_exp_i16_f16, FLOAT16, INTEGER, C(isa_exponent(H(a))))                                \
    X(v_mov_b16, INTEGER, INTEGER, U(a))                                                           \
    X(v_not_b16, INTEGER, INTEGER, C(~a))                                                          \
    X(v_cvt_f16_u16, INTEGER, FLOAT16, R((double)U(a)))                                            \
    X(v_cvt_f16_i16, INTEGER, FLOAT16, R((double)S(a)))                                            \
    X(v_cvt_u16_f16, FLOAT16, INTEGER, C(to_int(trunc(H(a)), 0, 65535)))                           \
    X(v_cvt_i16_f16, FLOAT16, INTEGER, C(to_int(trunc(H(a)), -32768, 32767)))

/*
 * Each both for one number and, as v_pk_..., for two.  Name, whether the upper half of the register
 * stays, the result.
 */
#define FLOATS(X)                                                                                  \
    X(add_f16, 0, R(H(a) + H(b)))                                                                  \
    X(sub_f16, 0, R(H(a) - H(b)))                                                                  \
    X(subrev_f16, 0, R(H(b) - H(a)))                                                               \
    X(mul_f16, 0, R(H(a) * H(b)))                                                                  \
    X(max_f16, 0, R(max64(H(a), H(b))))                                                            \
    X(min_f16, 0, R(min64(H(a), H(b))))                                                            \
    X(ldexp_f16, 0, R(ldexp(H(a), S(b))))                                                          \
    X(fma_f16, KEEPS_HIGH, R(fma(H(a), H(b), H(c))))                                               \
    X(mad_f16, KEEPS_HIGH, R(H(R(H(a) * H(b))) + H(c)))                                            \
    X(div_fixup_f16, KEEPS_HIGH, R(isa_divide_fixup(H(a), H(b), H(c))))                            \
    X(min3_f16, KEEPS_HIGH, R(min64(min64(H(a), H(b)), H(c))))                                     \
    X(max3_f16, KEEPS_HIGH, R(max64(max64(H(a), H(b)), H(c))))                                     \
    X(minmax_f16, KEEPS_HIGH, R(max64(min64(H(a), H(b)), H(c))))                                   \
    X(maxmin_f16, KEEPS_HIGH, R(min64(max64(H(a), H(b)), H(c))))                                   \
    X(med3_f16, KEEPS_HIGH, R(isa_median(H(a), H(b), H(c))))

/* Of integers, with the same result if they saturate. */
#define INTEGERS(X)                                                                                \
    X(mul_lo_u16, 0, C(U(a) * U(b)))                                                               \
    X(max_u16, 0, U(a) > U(b) ? U(a) : U(b))                                                       \
    X(min_u16, 0, U(a) < U(b) ? U(a) : U(b))                                                       \
    X(max_i16, 0, C(S(a) > S(b) ? a : b))                                                          \
    X(min_i16, 0, C(S(a) < S(b) ? a : b))                                                          \
    X(and_b16, 0, U(a) & U(b))                                                                     \
    X(or_b16, 0, U(a) | U(b))                                                                      \
    X(xor_b16, 0, U(a) ^ U(b))                                                                     \
    X(lshlrev_b16, 0, C(U(b) << (a & 15)))                                                         \
    X(lshrrev_b16, 0, U(b) >> (a & 15))                                                            \
    X(ashrrev_i16, 0, C(S(b) >> (a & 15)))                                                         \
    X(min3_i16, KEEPS_HIGH, C((int32_t)min64(min64(S(a), S(b)), S(c))))                            \
    X(max3_i16, KEEPS_HIGH, C((int32_t)max64(max64(S(a), S(b)), S(c))))                            \
    X(med3_i16, KEEPS_HIGH, C(signed_median(S(a), S(b), S(c))))                                    \
    X(min3_u16, KEEPS_HIGH, C((int32_t)min64(min64(U(a), U(b)), U(c))))                            \
    X(max3_u16, KEEPS_HIGH, C((int32_t)max64(max64(U(a), U(b)), U(c))))                            \
    X(med3_u16, KEEPS_HIGH, median(U(a), U(b), U(c)))

/* With another one. */
#define SATURATING(X)                                                                              \
    X(add_u16, 0, C(U(a) + U(b)), C(clamped((int64_t)U(a) + U(b), 0, 65535)))                      \
    X(sub_u16, 0, C(U(a) - U(b)), C(clamped((int64_t)U(a) - U(b), 0, 65535)))                      \
    X(subrev_u16, 0, C(U(b) - U(a)), C(clamped((int64_t)U(b) - U(a), 0, 65535)))                   \
    X(add_i16, 0, C(S(a) + S(b)), C(clamped(S(a) + S(b), -32768, 32767)))                          \
    X(sub_i16, 0, C(S(a) - S(b)), C(clamped(S(a) - S(b), -32768, 32767)))                          \
    X(mad_u16, KEEPS_HIGH, C(U(a) * U(b) + U(c)),                                                  \
      C(clamped((int64_t)((uint64_t)U(a) * U(b) + U(c)), 0, 65535)))                               \
    X(mad_i16, KEEPS_HIGH, C(S(a) * S(b) + S(c)),                                                  \
      C(clamped((int64_t)S(a) * S(b) + S(c), -32768, 32767)))

typedef uint32_t half_operation(uint32_t a, uint32_t b, uint32_t c, unsigned rounding);

#define DEFINE(name, keeps, expression)                                                            \
    static uint32_t name(uint32_t a, uint32_t b, uint32_t c, unsigned rounding)                    \
    {                                                                                              \
        (void)b, (void)c, (void)rounding;                                                          \
        return (expression);                                                                       \
    }
#define DEFINE_UNARY(name, source, result, expression) DEFINE(name, 0, expression)
#define DEFINE_SATURATING(name, keeps, expression, saturating)                                     \
    DEFINE(name, keeps, expression) DEFINE(name##_saturating, keeps, saturating)
UNARY(DEFINE_UNARY)
FLOATS(DEFINE)
INTEGERS(DEFINE)
SATURATING(DEFINE_SATURATING)

#define NUMBER(name, ...)              number_##name,
#define NUMBER_SATURATING(name, ...)   number_##name, number_##name##_saturating,
#define FUNCTION(name, ...)            name,
#define FUNCTION_SATURATING(name, ...) name, name##_saturating,
enum { UNARY(NUMBER) FLOATS(NUMBER) INTEGERS(NUMBER) SATURATING(NUMBER_SATURATING) };
static half_operation *const operations[] = {UNARY(FUNCTION) FLOATS(FUNCTION) INTEGERS(FUNCTION)
                                                 SATURATING(FUNCTION_SATURATING)};

static void run_sources(struct wave *w, const struct instruction *in, unsigned count)
{
    half_operation *operation = operations[in->argument & 0xff];
    uint32_t room[3][LANES], values[LANES];
    const uint32_t *s[3];
    isa_sources(w, in, count, room, s);
    for (int i = 0; i < LANES; i++) {
        values[i] = operation(s[0][i], s[1][i], s[2][i], rounding_64(w));
    }
    isa_result(w, in, values);
}

static void single(struct wave *w, const struct instruction *in)
{
    run_sources(w, in, in->operands < 4 ? in->operands - 1U : 3);
}

static void accumulate(struct wave *w, const struct instruction *in)
{
    run_sources(w, in, 2 | ACCUMULATES);
}

/* --- two numbers in a register --- */

static uint32_t lane_source(const struct wave *w, const struct instruction *in, unsigned index,
                            int lane)
{
    const struct operand *o = &in->operand[index];
    return o->kind == OPERAND_VECTOR ? w->v[o->reg][lane] : isa_scalar(w, in, index);
}

static uint32_t packed_half(const struct wave *w, const struct instruction *in, unsigned k,
                            bool high, int lane)
{
    unsigned selects = high ? in->op_sel_hi : in->op_sel;
    bool negate = (high ? in->neg_hi : in->neg_lo) >> k & 1;
    uint32_t value = lane_source(w, in, k + 1, lane);
    value = selects >> k & 1 ? value >> 16 : value & 0xffff;
    return negate ? value ^ 0x8000 : value;
}

static void packed(struct wave *w, const struct instruction *in)
{
    half_operation *operation = operations[in->argument & 0xff];
    uint32_t values[LANES] = {0};
    for (int high = 0; high < 2; high++) {
        for (int i = 0; i < LANES; i++) {
            uint32_t s[3] = {0};
            for (unsigned k = 0; k + 1 < in->operands && k < 3; k++) {
                s[k] = packed_half(w, in, k, high, i);
            }
            uint32_t one = operation(s[0], s[1], s[2], rounding_64(w));
            bool is_clamped = in->clamp && in->source == FLOAT16;
            one = is_clamped ? isa_to_half(clamped_to_one(H(one)), 0) : one;
            values[i] |= one << 16 * high;
        }
    }
    uint32_t *reg = w->v[in->operand[0].reg];
    for (int i = 0; i < LANES; i++) {
        reg[i] = is_on(exec(w), i) ? values[i] : reg[i];
    }
}

/* --- mixed: op_sel_hi says that a source is a half, op_sel which one --- */

enum { MIX_FLOAT, MIX_LOW, MIX_HIGH };

static float mixed_source(const struct wave *w, const struct instruction *in, unsigned k, int lane)
{
    const struct operand *o = &in->operand[k + 1];
    uint32_t value = lane_source(w, in, k + 1, lane);
    float number = !(in->op_sel_hi >> k & 1) ? f32(value)
                                             : isa_half(in->op_sel >> k & 1 ? value >> 16 : value);
    number = in->neg_hi >> k & 1 || o->absolute ? fabsf(number) : number;
    return in->neg_lo >> k & 1 || o->negate ? -number : number;
}

static void mix(struct wave *w, const struct instruction *in)
{
    uint32_t *reg = w->v[in->operand[0].reg];
    for (int i = 0; i < LANES; i++) {
        float result =
            fmaf(mixed_source(w, in, 0, i), mixed_source(w, in, 1, i), mixed_source(w, in, 2, i));
        result = in->clamp ? (float)clamped_to_one((double)result) : result;
        uint32_t half = isa_to_half((double)result, rounding_64(w));
        uint32_t value = in->argument == MIX_FLOAT ? bits32(result)
                         : in->argument == MIX_LOW ? (reg[i] & 0xffff0000) | half
                                                   : (reg[i] & 0xffff) | half << 16;
        reg[i] = is_on(exec(w), i) ? value : reg[i];
    }
}

/* --- dot products of two halves --- */

static void dot_halves(struct wave *w, const struct instruction *in)
{
    uint32_t *reg = w->v[in->operand[0].reg];
    for (int i = 0; i < LANES; i++) {
        double sum = 0;
        for (int high = 0; high < 2; high++) {
            sum += H(packed_half(w, in, 0, high, i)) * H(packed_half(w, in, 1, high, i));
        }
        uint32_t c = in->operands == 3 ? reg[i] : lane_source(w, in, 3, i);
        float value = (float)(sum + (double)f32(c));
        reg[i] = is_on(exec(w), i) ? bits32(value) : reg[i];
    }
}

#define ROW_UNARY(name, source, result, ...)                                                       \
    {#name, single, number_##name | IS_HALF, source, result, 0},
#define ROWS(name, clamp, type, number, keeps)                                                     \
    {"v_" name clamp, single, (number) | (keeps) | IS_HALF, type, type, 0},                        \
        {"v_pk_" name clamp, packed, number, type, type, 0},
#define ROW_FLOAT(name, keeps, ...) ROWS(#name, "", FLOAT16, number_##name, keeps)
#define ROWS_CLAMPED(name, number, keeps)                                                          \
    ROWS(#name, "", INTEGER, number_##name, keeps) ROWS(#name, " clamp", INTEGER, number, keeps)
#define ROW_INTEGER(name, keeps, ...)    ROWS_CLAMPED(name, number_##name, keeps)
#define ROW_SATURATING(name, keeps, ...) ROWS_CLAMPED(name, number_##name##_saturating, keeps)
#define MIX(name, kind)                                                                            \
    {name, mix, kind, FLOAT32, INTEGER, 0}, {name " clamp", mix, kind, FLOAT32, INTEGER, 0},

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_half_rows[] = {
    UNARY(ROW_UNARY) FLOATS(ROW_FLOAT) INTEGERS(ROW_INTEGER) SATURATING(ROW_SATURATING)
    {"v_mac_f16", accumulate, number_mad_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_fmac_f16", accumulate, number_fma_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_madmk_f16", single, number_mad_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_madak_f16", single, number_mad_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_fmamk_f16", single, number_fma_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_fmaak_f16", single, number_fma_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_mad_legacy_u16", single, number_mad_u16, INTEGER, INTEGER, 0},
    {"v_mad_legacy_i16", single, number_mad_i16, INTEGER, INTEGER, 0},
    {"v_dot2_f32_f16", dot_halves, 0, FLOAT16, INTEGER, 0},
    {"v_dot2c_f32_f16", dot_halves, 0, FLOAT16, INTEGER, 0},
    MIX("v_fma_mix_f32", MIX_FLOAT) MIX("v_fma_mixlo_f16", MIX_LOW)
    MIX("v_fma_mixhi_f16", MIX_HIGH) MIX("v_mad_mix_f32", MIX_FLOAT)
    MIX("v_mad_mixlo_f16", MIX_LOW) MIX("v_mad_mixhi_f16", MIX_HIGH)
    {NULL, NULL, 0, 0, 0, 0},
};
