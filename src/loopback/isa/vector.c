/* SPDX-License-Identifier: MIT */
/*
 * Vector operations with sources and results of 32 bits.  The lists have a mnemonic, the types of
 * the sources and of the result, and the result of one lane from the sources a, b and c.
 */
#include "numbers.h"

#define I(x) ((int32_t)(x))
#define F(x) f32(x)
#define H(x) isa_half(x)
#define R(x) bits32(x)

/* Never 1, also for a number just below 0. */
static float fraction(float x)
{
    float part = x - floorf(x);
    return isinf(x) ? NAN : part < 1 ? part : 0x1.fffffep-1F;
}

static uint32_t nearest_half_up(float x)
{
    return isa_to_int(floor((double)x + 0.5));
}

static float legacy(float a, float b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

/* Results of v_sin and v_cos: the source is in turns. */
static float turns_sin(float x)
{
    double turns = (double)x - floor((double)x);
    return isinf(x) ? NAN : fabs(turns) == 0.5 ? 0 : (float)sin(turns * 2 * M_PI);
}

static float turns_cos(float x)
{
    double turns = (double)x - floor((double)x);
    return isinf(x) ? NAN : turns == 0.25 || turns == 0.75 ? 0 : (float)cos(turns * 2 * M_PI);
}

static uint32_t pack_rounded(float a, float b, unsigned rounding)
{
    return isa_to_half((double)a, rounding) | isa_to_half((double)b, rounding) << 16;
}

static uint32_t normalized(float x, float scale, bool is_signed)
{
    float limited = isnan(x)                         ? 0
                    : x < (is_signed ? -1.0F : 0.0F) ? (is_signed ? -1.0F : 0)
                    : x > 1                          ? 1
                                                     : x;
    return low16((uint32_t)(int32_t)rintf(limited * scale));
}

static uint32_t sum_of_differences(uint32_t a, uint32_t b, uint32_t sum, bool masked)
{
    for (int i = 0; i < 32; i += 8) {
        if (!masked || (b >> i & 0xff)) {
            sum += distance(a >> i & 0xff, b >> i & 0xff);
        }
    }
    return sum;
}

static uint32_t ones_below(uint32_t mask, int lanes)
{
    return lanes <= 0
               ? 0
               : (uint32_t)__builtin_popcount(field(mask, 0, lanes > 31 ? 32 : (uint32_t)lanes));
}

/* `is_signed` has a bit for each factor. */
static uint32_t dot_bytes(uint32_t a, uint32_t b, uint32_t c, unsigned is_signed)
{
    for (int i = 0; i < 32; i += 8) {
        int32_t x = is_signed & 1 ? (int8_t)(a >> i) : (uint8_t)(a >> i);
        int32_t y = is_signed & 2 ? (int8_t)(b >> i) : (uint8_t)(b >> i);
        c += (uint32_t)(x * y);
    }
    return c;
}

/* v_div_fmas scales back what v_div_scale scaled. */
static double fmas_scale(float c)
{
    int exponent = 0;
    frexpf(c, &exponent);
    return exponent > 1 ? 0x1p+64 : 0x1p-64;
}

#define UNARY(X)                                                                                   \
    X(v_mov_b32, INTEGER, INTEGER, a)                                                              \
    X(v_accvgpr_read_b32, INTEGER, INTEGER, a)                                                     \
    X(v_accvgpr_write_b32, INTEGER, INTEGER, a)                                                    \
    X(v_accvgpr_mov_b32, INTEGER, INTEGER, a)                                                      \
    X(v_not_b32, INTEGER, INTEGER, ~a)                                                             \
    X(v_bfrev_b32, INTEGER, INTEGER, reverse32(a))                                                 \
    X(v_ffbh_u32, INTEGER, INTEGER, leading(a))                                                    \
    X(v_ffbh_i32, INTEGER, INTEGER, leading_sign(a))                                               \
    X(v_ffbl_b32, INTEGER, INTEGER, first_one(a))                                                  \
    X(v_cvt_i32_i16, INTEGER, INTEGER, (uint32_t)signed16(a))                                      \
    X(v_cvt_u32_u16, INTEGER, INTEGER, low16(a))                                                   \
    X(v_cvt_f32_i32, INTEGER, FLOAT32, R((float)I(a)))                                             \
    X(v_cvt_f32_u32, INTEGER, FLOAT32, R((float)a))                                                \
    X(v_cvt_f32_ubyte0, INTEGER, FLOAT32, R((float)(a & 0xff)))                                    \
    X(v_cvt_f32_ubyte1, INTEGER, FLOAT32, R((float)(a >> 8 & 0xff)))                               \
    X(v_cvt_f32_ubyte2, INTEGER, FLOAT32, R((float)(a >> 16 & 0xff)))                              \
    X(v_cvt_f32_ubyte3, INTEGER, FLOAT32, R((float)(a >> 24)))                                     \
    X(v_cvt_i32_f32, FLOAT32, INTEGER, isa_to_int(trunc((double)F(a))))                            \
    X(v_cvt_u32_f32, FLOAT32, INTEGER, isa_to_unsigned(trunc((double)F(a))))                       \
    X(v_cvt_rpi_i32_f32, FLOAT32, INTEGER, nearest_half_up(F(a)))                                  \
    X(v_cvt_flr_i32_f32, FLOAT32, INTEGER, isa_to_int(floor((double)F(a))))                        \
    X(v_cvt_f32_f16, FLOAT16, FLOAT32, R(H(a)))                                                    \
    X(v_cvt_f16_f32, FLOAT32, FLOAT16, isa_to_half((double)F(a), rounding_64(w)))                  \
    X(v_cvt_f32_fp8, INTEGER, FLOAT32, R(isa_small(a, 3)))                                         \
    X(v_cvt_f32_bf8, INTEGER, FLOAT32, R(isa_small(a, 2)))                                         \
    X(v_rcp_f32, FLOAT32, FLOAT32, R(1 / F(a)))                                                    \
    X(v_rcp_iflag_f32, FLOAT32, FLOAT32, R(1 / F(a)))                                              \
    X(v_sqrt_f32, FLOAT32, FLOAT32, R(sqrtf(F(a))))                                                \
    X(v_rsq_f32, FLOAT32, FLOAT32, R((float)(1 / sqrt((double)F(a)))))                             \
    X(v_exp_f32, FLOAT32, FLOAT32, R(exp2f(F(a))))                                                 \
    X(v_log_f32, FLOAT32, FLOAT32, R(log2f(F(a))))                                                 \
    X(v_exp_legacy_f32, FLOAT32, FLOAT32, R(exp2f(F(a))))                                          \
    X(v_log_legacy_f32, FLOAT32, FLOAT32, R(log2f(F(a))))                                          \
    X(v_sin_f32, FLOAT32, FLOAT32, R(turns_sin(F(a))))                                             \
    X(v_cos_f32, FLOAT32, FLOAT32, R(turns_cos(F(a))))                                             \
    X(v_rndne_f32, FLOAT32, FLOAT32, R(rintf(F(a))))                                               \
    X(v_trunc_f32, FLOAT32, FLOAT32, R(truncf(F(a))))                                              \
    X(v_floor_f32, FLOAT32, FLOAT32, R(floorf(F(a))))                                              \
    X(v_ceil_f32, FLOAT32, FLOAT32, R(ceilf(F(a))))                                                \
    X(v_fract_f32, FLOAT32, FLOAT32, R(fraction(F(a))))                                            \
    X(v_frexp_exp_i32_f32, FLOAT32, INTEGER, (uint32_t)isa_exponent((double)F(a)))                 \
    X(v_frexp_mant_f32, FLOAT32, FLOAT32, R((float)isa_mantissa((double)F(a))))

#define BINARY(X)                                                                                  \
    X(v_add_f32, FLOAT32, FLOAT32, R(F(a) + F(b)))                                                 \
    X(v_sub_f32, FLOAT32, FLOAT32, R(F(a) - F(b)))                                                 \
    X(v_subrev_f32, FLOAT32, FLOAT32, R(F(b) - F(a)))                                              \
    X(v_mul_f32, FLOAT32, FLOAT32, R(F(a) * F(b)))                                                 \
    X(v_mul_legacy_f32, FLOAT32, FLOAT32, R(legacy(F(a), F(b))))                                   \
    X(v_max_f32, FLOAT32, FLOAT32, R(max32(F(a), F(b))))                                           \
    X(v_min_f32, FLOAT32, FLOAT32, R(min32(F(a), F(b))))                                           \
    X(v_ldexp_f32, FLOAT32, FLOAT32, R(ldexpf(F(a), I(b))))                                        \
    X(v_add_u32, INTEGER, INTEGER, a + b)                                                          \
    X(v_sub_u32, INTEGER, INTEGER, a - b)                                                          \
    X(v_subrev_u32, INTEGER, INTEGER, b - a)                                                       \
    X(v_add_i32, INTEGER, INTEGER, a + b)                                                          \
    X(v_sub_i32, INTEGER, INTEGER, a - b)                                                          \
    X(v_and_b32, INTEGER, INTEGER, a &b)                                                           \
    X(v_or_b32, INTEGER, INTEGER, a | b)                                                           \
    X(v_xor_b32, INTEGER, INTEGER, a ^ b)                                                          \
    X(v_xnor_b32, INTEGER, INTEGER, ~(a ^ b))                                                      \
    X(v_lshlrev_b32, INTEGER, INTEGER, b << (a & 31))                                              \
    X(v_lshrrev_b32, INTEGER, INTEGER, b >> (a & 31))                                              \
    X(v_ashrrev_i32, INTEGER, INTEGER, arithmetic_right(b, a))                                     \
    X(v_max_u32, INTEGER, INTEGER, a > b ? a : b)                                                  \
    X(v_min_u32, INTEGER, INTEGER, a < b ? a : b)                                                  \
    X(v_max_i32, INTEGER, INTEGER, I(a) > I(b) ? a : b)                                            \
    X(v_min_i32, INTEGER, INTEGER, I(a) < I(b) ? a : b)                                            \
    X(v_mul_lo_u32, INTEGER, INTEGER, a *b)                                                        \
    X(v_mul_hi_u32, INTEGER, INTEGER, (uint32_t)((uint64_t)a * b >> 32))                           \
    X(v_mul_hi_i32, INTEGER, INTEGER, (uint32_t)((int64_t)I(a) * I(b) >> 32))                      \
    X(v_mul_u32_u24, INTEGER, INTEGER, low24(a) * low24(b))                                        \
    X(v_mul_hi_u32_u24, INTEGER, INTEGER, (uint32_t)((uint64_t)low24(a) * low24(b) >> 32))         \
    X(v_mul_i32_i24, INTEGER, INTEGER, (uint32_t)((int64_t)signed24(a) * signed24(b)))             \
    X(v_mul_hi_i32_i24, INTEGER, INTEGER, (uint32_t)((int64_t)signed24(a) * signed24(b) >> 32))    \
    X(v_bfm_b32, INTEGER, INTEGER, field(UINT32_MAX, 0, a & 31) << (b & 31))                       \
    X(v_bcnt_u32_b32, INTEGER, INTEGER, (uint32_t)__builtin_popcount(a) + b)                       \
    X(v_mbcnt_lo_u32_b32, INTEGER, INTEGER, ones_below(a, i) + b)                                  \
    X(v_mbcnt_hi_u32_b32, INTEGER, INTEGER, ones_below(a, i - 32) + b)                             \
    X(v_cvt_pkrtz_f16_f32, FLOAT32, INTEGER, pack_rounded(F(a), F(b), 3))                          \
    X(v_cvt_pk_fp8_f32, FLOAT32, INTEGER, isa_to_small(F(a), 3) | isa_to_small(F(b), 3) << 8)      \
    X(v_cvt_pk_bf8_f32, FLOAT32, INTEGER, isa_to_small(F(a), 2) | isa_to_small(F(b), 2) << 8)      \
    X(v_cvt_pknorm_i16_f32, FLOAT32, INTEGER,                                                      \
      normalized(F(a), 32767, true) | normalized(F(b), 32767, true) << 16)                         \
    X(v_cvt_pknorm_u16_f32, FLOAT32, INTEGER,                                                      \
      normalized(F(a), 65535, false) | normalized(F(b), 65535, false) << 16)                       \
    X(v_cvt_pk_u16_u32, INTEGER, INTEGER,                                                          \
      (a < 0xffff ? a : 0xffff) | (b < 0xffff ? b : 0xffff) << 16)                                 \
    X(v_cvt_pk_i16_i32, INTEGER, INTEGER,                                                          \
      low16((uint32_t)clamped(I(a), -32768, 32767)) | (uint32_t)clamped(I(b), -32768, 32767)       \
                                                          << 16)                                   \
    X(v_pack_b32_f16, FLOAT16, INTEGER, low16(a) | b << 16)

/* Results that saturate. */
#define SATURATING(X)                                                                              \
    X(v_add_u32, a + b < a ? UINT32_MAX : a + b)                                                   \
    X(v_sub_u32, a < b ? 0 : a - b)                                                                \
    X(v_subrev_u32, b < a ? 0 : b - a)                                                             \
    X(v_add_i32, (uint32_t)clamped((int64_t)I(a) + I(b), INT32_MIN, INT32_MAX))                    \
    X(v_sub_i32, (uint32_t)clamped((int64_t)I(a) - I(b), INT32_MIN, INT32_MAX))

#define TERNARY(X)                                                                                 \
    X(v_fma_f32, FLOAT32, FLOAT32, R(fmaf(F(a), F(b), F(c))))                                      \
    X(v_mad_f32, FLOAT32, FLOAT32, R(F(a) * F(b) + F(c)))                                          \
    X(v_mad_legacy_f32, FLOAT32, FLOAT32, R(legacy(F(a), F(b)) + F(c)))                            \
    X(v_fma_legacy_f32, FLOAT32, FLOAT32,                                                          \
      R(F(a) == 0 || F(b) == 0 ? F(c) : fmaf(F(a), F(b), F(c))))                                   \
    X(v_madmk_f32, FLOAT32, FLOAT32, R(F(a) * F(b) + F(c)))                                        \
    X(v_madak_f32, FLOAT32, FLOAT32, R(F(a) * F(b) + F(c)))                                        \
    X(v_fmamk_f32, FLOAT32, FLOAT32, R(fmaf(F(a), F(b), F(c))))                                    \
    X(v_fmaak_f32, FLOAT32, FLOAT32, R(fmaf(F(a), F(b), F(c))))                                    \
    X(v_div_fixup_f32, FLOAT32, FLOAT32, R((float)isa_divide_fixup(F(a), F(b), F(c))))             \
    X(v_div_fmas_f32, FLOAT32, FLOAT32,                                                            \
      R(is_on(vcc(w), i)                                                                           \
            ? (float)(fma((double)F(a), (double)F(b), (double)F(c)) * fmas_scale(F(c)))            \
            : fmaf(F(a), F(b), F(c))))                                                             \
    X(v_min3_f32, FLOAT32, FLOAT32, R(min32(min32(F(a), F(b)), F(c))))                             \
    X(v_max3_f32, FLOAT32, FLOAT32, R(max32(max32(F(a), F(b)), F(c))))                             \
    X(v_med3_f32, FLOAT32, FLOAT32, R((float)isa_median(F(a), F(b), F(c))))                        \
    X(v_min3_u32, INTEGER, INTEGER, a < b ? (a < c ? a : c) : (b < c ? b : c))                     \
    X(v_max3_u32, INTEGER, INTEGER, a > b ? (a > c ? a : c) : (b > c ? b : c))                     \
    X(v_med3_u32, INTEGER, INTEGER, median(a, b, c))                                               \
    X(v_min3_i32, INTEGER, INTEGER, I(a) < I(b) ? (I(a) < I(c) ? a : c) : (I(b) < I(c) ? b : c))   \
    X(v_max3_i32, INTEGER, INTEGER, I(a) > I(b) ? (I(a) > I(c) ? a : c) : (I(b) > I(c) ? b : c))   \
    X(v_med3_i32, INTEGER, INTEGER, (uint32_t)signed_median(I(a), I(b), I(c)))                     \
    X(v_minmax_f32, FLOAT32, FLOAT32, R(max32(min32(F(a), F(b)), F(c))))                           \
    X(v_maxmin_f32, FLOAT32, FLOAT32, R(min32(max32(F(a), F(b)), F(c))))                           \
    X(v_minmax_u32, INTEGER, INTEGER, a < b ? (a > c ? a : c) : (b > c ? b : c))                   \
    X(v_maxmin_u32, INTEGER, INTEGER, a > b ? (a < c ? a : c) : (b < c ? b : c))                   \
    X(v_minmax_i32, INTEGER, INTEGER, I(a) < I(b) ? (I(a) > I(c) ? a : c) : (I(b) > I(c) ? b : c)) \
    X(v_maxmin_i32, INTEGER, INTEGER, I(a) > I(b) ? (I(a) < I(c) ? a : c) : (I(b) < I(c) ? b : c)) \
    X(v_xor3_b32, INTEGER, INTEGER, a ^ b ^ c)                                                     \
    X(v_add3_u32, INTEGER, INTEGER, a + b + c)                                                     \
    X(v_lshl_add_u32, INTEGER, INTEGER, (a << (b & 31)) + c)                                       \
    X(v_add_lshl_u32, INTEGER, INTEGER, (a + b) << (c & 31))                                       \
    X(v_lshl_or_b32, INTEGER, INTEGER, (a << (b & 31)) | c)                                        \
    X(v_and_or_b32, INTEGER, INTEGER, (a & b) | c)                                                 \
    X(v_or3_b32, INTEGER, INTEGER, a | b | c)                                                      \
    X(v_xad_u32, INTEGER, INTEGER, (a ^ b) + c)                                                    \
    X(v_bfe_u32, INTEGER, INTEGER, field(a, b & 31, c & 31))                                       \
    X(v_bfe_i32, INTEGER, INTEGER, signed_field(a, b & 31, c & 31))                                \
    X(v_bfi_b32, INTEGER, INTEGER, (a & b) | (~a & c))                                             \
    X(v_alignbit_b32, INTEGER, INTEGER, (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)))           \
    X(v_alignbyte_b32, INTEGER, INTEGER, (uint32_t)(((uint64_t)a << 32 | b) >> 8 * (c & 3)))       \
    X(v_perm_b32, INTEGER, INTEGER, isa_perm(a, b, c))                                             \
    X(v_mad_u32_u24, INTEGER, INTEGER, low24(a) * low24(b) + c)                                    \
    X(v_mad_i32_i24, INTEGER, INTEGER, (uint32_t)((int64_t)signed24(a) * signed24(b)) + c)         \
    X(v_mad_u32_u16, INTEGER, INTEGER, low16(a) * low16(b) + c)                                    \
    X(v_mad_i32_i16, INTEGER, INTEGER, (uint32_t)(signed16(a) * signed16(b)) + c)                  \
    X(v_sad_u32, INTEGER, INTEGER, distance(a, b) + c)                                             \
    X(v_sad_u16, INTEGER, INTEGER, distance(low16(a), low16(b)) + distance(a >> 16, b >> 16) + c)  \
    X(v_sad_u8, INTEGER, INTEGER, sum_of_differences(a, b, c, false))                              \
    X(v_msad_u8, INTEGER, INTEGER, sum_of_differences(a, b, c, true))                              \
    X(v_sad_hi_u8, INTEGER, INTEGER, (sum_of_differences(a, b, 0, false) << 16) + c)               \
    X(v_dot4_i32_i8, INTEGER, INTEGER, dot_bytes(a, b, c, 3))                                      \
    X(v_dot4_u32_u8, INTEGER, INTEGER, dot_bytes(a, b, c, 0))                                      \
    X(v_dot4_i32_iu8, INTEGER, INTEGER, dot_bytes(a, b, c, in->neg_lo))

/* The result is the third source. */
#define ACCUMULATING(X)                                                                            \
    X(v_fmac_f32, FLOAT32, FLOAT32, R(fmaf(F(a), F(b), F(c))))                                     \
    X(v_mac_f32, FLOAT32, FLOAT32, R(F(a) * F(b) + F(c)))                                          \
    X(v_dot4c_i32_i8, INTEGER, INTEGER, dot_bytes(a, b, c, 3))

/* `count` sources; others are not read. */
#define DEFINE(name, count, expression)                                                            \
    static void name(struct wave *w, const struct instruction *in)                                 \
    {                                                                                              \
        uint32_t room[3][LANES], values[LANES];                                                    \
        const uint32_t *s[3];                                                                      \
        isa_sources(w, in, count, room, s);                                                        \
        for (int i = 0; i < LANES; i++) {                                                          \
            uint32_t a = s[0][i];                                                                  \
            uint32_t b = s[1][i];                                                                  \
            uint32_t c = s[2][i];                                                                  \
            (void)b, (void)c;                                                                      \
            values[i] = (expression);                                                              \
        }                                                                                          \
        isa_result(w, in, values);                                                                 \
    }
#define DEFINE_UNARY(name, source, result, expression)   DEFINE(name, 1, expression)
#define DEFINE_BINARY(name, source, result, expression)  DEFINE(name, 2, expression)
#define DEFINE_TERNARY(name, source, result, expression) DEFINE(name, 3, expression)
#define DEFINE_ACCUMULATING(name, source, result, expression)                                      \
    DEFINE(name, 2 | ACCUMULATES, expression)
#define DEFINE_SATURATING(name, expression) DEFINE(name##_saturated, 2, expression)

UNARY(DEFINE_UNARY)
BINARY(DEFINE_BINARY)
SATURATING(DEFINE_SATURATING)
TERNARY(DEFINE_TERNARY)
ACCUMULATING(DEFINE_ACCUMULATING)

/* Which lanes of a scalar mask take the second source. */
static void v_cndmask_b32(struct wave *w, const struct instruction *in)
{
    uint32_t room[2][LANES], values[LANES];
    const uint32_t *as = isa_source(w, in, 1, room[0]);
    const uint32_t *bs = isa_source(w, in, 2, room[1]);
    uint64_t mask = isa_scalar_wide(w, in, 3);
    for (int i = 0; i < LANES; i++) {
        values[i] = is_on(mask, i) ? bs[i] : as[i];
    }
    isa_result(w, in, values);
}

static void v_swap_b32(struct wave *w, const struct instruction *in)
{
    uint32_t *a = w->v[in->operand[0].reg];
    uint32_t *b = w->v[in->operand[1].reg];
    uint64_t active = exec(w);
    for (int i = 0; i < LANES; i++) {
        uint32_t old = a[i];
        a[i] = is_on(active, i) ? b[i] : old;
        b[i] = is_on(active, i) ? old : b[i];
    }
}

/* --- additions with carry: result, mask of carries, sources, and perhaps a mask to add --- */

enum carry_kind { ADD, SUBTRACT, SUBTRACT_REVERSED };

static void carry(struct wave *w, const struct instruction *in)
{
    uint32_t room[2][LANES], values[LANES];
    bool reversed = in->argument == SUBTRACT_REVERSED;
    const uint32_t *as = isa_source(w, in, reversed ? 3 : 2, room[0]);
    const uint32_t *bs = isa_source(w, in, reversed ? 2 : 3, room[1]);
    uint64_t added = in->operands > 4 ? isa_scalar_wide(w, in, 4) : 0;
    uint64_t carries = 0;
    for (int i = 0; i < LANES; i++) {
        uint64_t b = (uint64_t)bs[i] + is_on(added, i);
        uint64_t all = in->argument == ADD ? as[i] + b : as[i] - b;
        values[i] = (uint32_t)all;
        carries |= (uint64_t)(all >> 32 != 0) << i;
    }
    isa_result(w, in, values);
    isa_set_scalar_wide(w, &in->operand[1], carries & exec(w));
}

#define ROW(name, source, result, ...) {#name, name, 0, source, result, 0},
#define ROW_SATURATING(name, ...)      {#name " clamp", name##_saturated, 0, INTEGER, INTEGER, 0},
#define CARRY(name, kind)              {name, carry, kind, INTEGER, INTEGER, 2},

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_vector_rows[] = {
    {"v_cvt_pk_fp8_f32", v_cvt_pk_fp8_f32, KEEPS_HIGH, FLOAT32, INTEGER, 0},
    {"v_cvt_pk_bf8_f32", v_cvt_pk_bf8_f32, KEEPS_HIGH, FLOAT32, INTEGER, 0},
    UNARY(ROW) BINARY(ROW) SATURATING(ROW_SATURATING) TERNARY(ROW) ACCUMULATING(ROW)
    {"v_cndmask_b32", v_cndmask_b32, 0, INTEGER, INTEGER, 0},
    {"v_cndmask_b16", v_cndmask_b32, IS_HALF, INTEGER, INTEGER, 0},
    {"v_swap_b32", v_swap_b32, 0, INTEGER, INTEGER, 0},
    CARRY("v_add_co_u32", ADD) CARRY("v_addc_co_u32", ADD) CARRY("v_sub_co_u32", SUBTRACT)
    CARRY("v_subb_co_u32", SUBTRACT) CARRY("v_subrev_co_u32", SUBTRACT_REVERSED)
    CARRY("v_subbrev_co_u32", SUBTRACT_REVERSED)
    {NULL, NULL, 0, 0, 0, 0},
};
