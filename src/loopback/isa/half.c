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
    X(v_cvt_f16_u16, INTEGER, FLOAT16, R((double)U(a)))                                            \
    X(v_cvt_f16_i16, INTEGER, FLOAT16, R((double)S(a)))                                            \
    X(v_cvt_u16_f16, FLOAT16, INTEGER, C(to_int(trunc(H(a)), 0, 65535)))                           \
    X(v_cvt_i16_f16, FLOAT16, INTEGER, C(to_int(trunc(H(a)), -32768, 32767)))

/* Both for one number and, as v_pk_..., for two.  Name, type, result, result that saturates. */
#define BINARY(X)                                                                                  \
    X(add_f16, FLOAT16, R(H(a) + H(b)), R(H(a) + H(b)))                                            \
    X(sub_f16, FLOAT16, R(H(a) - H(b)), R(H(a) - H(b)))                                            \
    X(subrev_f16, FLOAT16, R(H(b) - H(a)), R(H(b) - H(a)))                                         \
    X(mul_f16, FLOAT16, R(H(a) * H(b)), R(H(a) * H(b)))                                            \
    X(max_f16, FLOAT16, R(max64(H(a), H(b))), R(max64(H(a), H(b))))                                \
    X(min_f16, FLOAT16, R(min64(H(a), H(b))), R(min64(H(a), H(b))))                                \
    X(ldexp_f16, FLOAT16, R(ldexp(H(a), S(b))), R(ldexp(H(a), S(b))))                              \
    X(add_u16, INTEGER, C(U(a) + U(b)), C(clamped((int64_t)U(a) + U(b), 0, 65535)))                \
    X(sub_u16, INTEGER, C(U(a) - U(b)), C(clamped((int64_t)U(a) - U(b), 0, 65535)))                \
    X(subrev_u16, INTEGER, C(U(b) - U(a)), C(clamped((int64_t)U(b) - U(a), 0, 65535)))             \
    X(add_i16, INTEGER, C(S(a) + S(b)), C(clamped(S(a) + S(b), -32768, 32767)))                    \
    X(sub_i16, INTEGER, C(S(a) - S(b)), C(clamped(S(a) - S(b), -32768, 32767)))                    \
    X(mul_lo_u16, INTEGER, C(U(a) * U(b)), C(U(a) * U(b)))                                         \
    X(max_u16, INTEGER, U(a) > U(b) ? U(a) : U(b), U(a) > U(b) ? U(a) : U(b))                      \
    X(min_u16, INTEGER, U(a) < U(b) ? U(a) : U(b), U(a) < U(b) ? U(a) : U(b))                      \
    X(max_i16, INTEGER, C(S(a) > S(b) ? a : b), C(S(a) > S(b) ? a : b))                            \
    X(min_i16, INTEGER, C(S(a) < S(b) ? a : b), C(S(a) < S(b) ? a : b))                            \
    X(lshlrev_b16, INTEGER, C(U(b) << (a & 15)), C(U(b) << (a & 15)))                              \
    X(lshrrev_b16, INTEGER, U(b) >> (a & 15), U(b) >> (a & 15))                                    \
    X(ashrrev_i16, INTEGER, C(S(b) >> (a & 15)), C(S(b) >> (a & 15)))

#define TERNARY(X)                                                                                 \
    X(fma_f16, FLOAT16, R(fma(H(a), H(b), H(c))), R(fma(H(a), H(b), H(c))))                        \
    X(mad_f16, FLOAT16, R(H(R(H(a) * H(b))) + H(c)), R(H(R(H(a) * H(b))) + H(c)))                  \
    X(mad_u16, INTEGER, C(U(a) * U(b) + U(c)),                                                     \
      C(clamped((int64_t)((uint64_t)U(a) * U(b) + U(c)), 0, 65535)))                               \
    X(mad_i16, INTEGER, C(S(a) * S(b) + S(c)),                                                     \
      C(clamped((int64_t)S(a) * S(b) + S(c), -32768, 32767)))                                      \
    X(div_fixup_f16, FLOAT16, R(isa_divide_fixup(H(a), H(b), H(c))),                               \
      R(isa_divide_fixup(H(a), H(b), H(c))))                                                       \
    X(min3_f16, FLOAT16, R(min64(min64(H(a), H(b)), H(c))), 0)                                     \
    X(max3_f16, FLOAT16, R(max64(max64(H(a), H(b)), H(c))), 0)                                     \
    X(med3_f16, FLOAT16, R(isa_median(H(a), H(b), H(c))), 0)                                       \
    X(min3_i16, INTEGER, C((int32_t)min64(min64(S(a), S(b)), S(c))), 0)                            \
    X(max3_i16, INTEGER, C((int32_t)max64(max64(S(a), S(b)), S(c))), 0)                            \
    X(med3_i16, INTEGER, C(signed_median(S(a), S(b), S(c))), 0)                                    \
    X(min3_u16, INTEGER, C((int32_t)min64(min64(U(a), U(b)), U(c))), 0)                            \
    X(max3_u16, INTEGER, C((int32_t)max64(max64(U(a), U(b)), U(c))), 0)                            \
    X(med3_u16, INTEGER, median(U(a), U(b), U(c)), 0)

typedef uint32_t half_operation(uint32_t a, uint32_t b, uint32_t c, unsigned rounding);

#define DEFINE_UNARY(name, source, result, expression)                                             \
    static uint32_t name(uint32_t a, uint32_t b, uint32_t c, unsigned rounding)                    \
    {                                                                                              \
        (void)b, (void)c, (void)rounding;                                                          \
        return (expression);                                                                       \
    }
#define DEFINE(name, type, expression, saturating)                                                 \
    static uint32_t name(uint32_t a, uint32_t b, uint32_t c, unsigned rounding)                    \
    {                                                                                              \
        (void)c, (void)rounding;                                                                   \
        return (expression);                                                                       \
    }                                                                                              \
    static uint32_t name##_saturating(uint32_t a, uint32_t b, uint32_t c, unsigned rounding)       \
    {                                                                                              \
        (void)a, (void)b, (void)c, (void)rounding;                                                 \
        return (saturating);                                                                       \
    }
UNARY(DEFINE_UNARY)
BINARY(DEFINE)
TERNARY(DEFINE)

#define NUMBER_UNARY(name, ...)   number_##name,
#define NUMBER(name, ...)         number_##name, number_##name##_saturating,
#define FUNCTION_UNARY(name, ...) name,
#define FUNCTION(name, ...)       name, name##_saturating,
enum { UNARY(NUMBER_UNARY) BINARY(NUMBER) TERNARY(NUMBER) };
static half_operation *const operations[] = {UNARY(FUNCTION_UNARY) BINARY(FUNCTION)
                                                 TERNARY(FUNCTION)};

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

static uint32_t packed_half(const struct wave *w, const struct instruction *in, unsigned k,
                            bool high, int lane)
{
    const struct operand *o = &in->operand[k + 1];
    unsigned selects = high ? in->op_sel_hi : in->op_sel;
    bool negate = (high ? in->neg_hi : in->neg_lo) >> k & 1;
    uint32_t value = o->kind == OPERAND_VECTOR ? w->v[o->reg][lane] : isa_scalar(w, in, k + 1);
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
            if (in->clamp && in->source == FLOAT16) {
                double value = H(one);
                one = isa_to_half(value > 0 ? value < 1 ? value : 1 : 0, 0);
            }
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
    uint32_t value = o->kind == OPERAND_VECTOR ? w->v[o->reg][lane] : isa_scalar(w, in, k + 1);
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
        result = in->clamp ? (result > 0 ? result < 1 ? result : 1 : 0) : result;
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
    bool accumulates = in->operands == 3;
    for (int i = 0; i < LANES; i++) {
        double sum = 0;
        for (int high = 0; high < 2; high++) {
            sum += H(packed_half(w, in, 0, high, i)) * H(packed_half(w, in, 1, high, i));
        }
        const struct operand *o = &in->operand[3];
        uint32_t c = accumulates                 ? reg[i]
                     : o->kind == OPERAND_VECTOR ? w->v[o->reg][i]
                                                 : isa_scalar(w, in, 3);
        float value = (float)(sum + (double)f32(c));
        reg[i] = is_on(exec(w), i) ? bits32(value) : reg[i];
    }
}

#define ROW_UNARY(name, source, result, ...) {#name, single, number_##name, source, result, 0},
#define ROWS(name, type, keeps)                                                                    \
    {"v_" #name, single, number_##name | (keeps), type, type, 0},                                  \
        {"v_" #name " clamp", single, number_##name##_saturating | (keeps), type, type, 0},        \
        {"v_pk_" #name, packed, number_##name, type, type, 0},                                     \
        {"v_pk_" #name " clamp", packed, number_##name##_saturating, type, type, 0},
#define ROW(name, type, ...)         ROWS(name, type, 0)
#define ROW_KEEPING(name, type, ...) ROWS(name, type, KEEPS_HIGH)
#define MIX(name, kind)                                                                            \
    {name, mix, kind, FLOAT32, INTEGER, 0}, {name " clamp", mix, kind, FLOAT32, INTEGER, 0},

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_half_rows[] = {
    UNARY(ROW_UNARY) BINARY(ROW) TERNARY(ROW_KEEPING)
    {"v_mac_f16", accumulate, number_mad_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_fmac_f16", accumulate, number_fma_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_madmk_f16", single, number_mad_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_madak_f16", single, number_mad_f16 | KEEPS_HIGH, FLOAT16, FLOAT16, 0},
    {"v_dot2_f32_f16", dot_halves, 0, FLOAT16, INTEGER, 0},
    {"v_dot2c_f32_f16", dot_halves, 0, FLOAT16, INTEGER, 0},
    MIX("v_fma_mix_f32", MIX_FLOAT) MIX("v_fma_mixlo_f16", MIX_LOW)
    MIX("v_fma_mixhi_f16", MIX_HIGH) MIX("v_mad_mix_f32", MIX_FLOAT)
    MIX("v_mad_mixlo_f16", MIX_LOW) MIX("v_mad_mixhi_f16", MIX_HIGH)
    {NULL, NULL, 0, 0, 0, 0},
};
