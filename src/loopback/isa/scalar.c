/* SPDX-License-Identifier: MIT */
/*
 * Scalar operations.  The lists below have a mnemonic, its result `r` from the sources a and b, and
 * the new SCC; each entry becomes a function and a row.
 */
#include <fenv.h>
#include <stdlib.h>

#include "isa.h"
#include "numbers.h"

#define KEEP          w->scc
#define NONZERO       r != 0
#define I(x)          ((int32_t)(x))
#define L(x)          ((int64_t)(x))
#define OUTSIDE(wide) ((wide) != I(wide))

/* s_bfe: the start in the low bits of b, the width from bit 16 on. */
static uint64_t field_64(uint64_t a, uint32_t b, bool is_signed)
{
    unsigned start = b & 63;
    unsigned width = b >> 16 & 127;
    if (width == 0) {
        return 0;
    }
    if (width > 64 - start) {
        width = 64 - start;
    }
    uint64_t top = a << (64 - start - width);
    return is_signed ? (uint64_t)(L(top) >> (64 - width)) : top >> (64 - width);
}

static uint64_t whole_quads(uint64_t a)
{
    uint64_t some = (a | a >> 1 | a >> 2 | a >> 3) & UINT64_C(0x1111111111111111);
    return some * 15;
}

#define OPERATIONS_32(X)                                                                           \
    X(s_mov_b32, a, KEEP)                                                                          \
    X(s_movk_i32, (uint32_t)signed16(a), KEEP)                                                     \
    X(s_not_b32, ~a, NONZERO)                                                                      \
    X(s_brev_b32, reverse32(a), KEEP)                                                              \
    X(s_abs_i32, I(a) < 0 ? 0 - a : a, NONZERO)                                                    \
    X(s_bcnt0_i32_b32, 32 - (uint32_t)__builtin_popcount(a), NONZERO)                              \
    X(s_bcnt1_i32_b32, (uint32_t)__builtin_popcount(a), NONZERO)                                   \
    X(s_ff0_i32_b32, first_one(~a), KEEP)                                                          \
    X(s_ff1_i32_b32, first_one(a), KEEP)                                                           \
    X(s_flbit_i32_b32, leading(a), KEEP)                                                           \
    X(s_flbit_i32, leading_sign(a), KEEP)                                                          \
    X(s_sext_i32_i8, (uint32_t)(int32_t)(int8_t)a, KEEP)                                           \
    X(s_sext_i32_i16, (uint32_t)signed16(a), KEEP)                                                 \
    X(s_bitset0_b32, w->s[in->operand[0].reg] & ~(UINT32_C(1) << (a & 31)), KEEP)                  \
    X(s_bitset1_b32, w->s[in->operand[0].reg] | UINT32_C(1) << (a & 31), KEEP)                     \
    X(s_cmov_b32, w->scc ? a : w->s[in->operand[0].reg], KEEP)                                     \
    X(s_cmovk_i32, w->scc ? (uint32_t)signed16(a) : w->s[in->operand[0].reg], KEEP)                \
    X(s_addk_i32, w->s[in->operand[0].reg] + (uint32_t)signed16(a),                                \
      OUTSIDE(L(I(r - (uint32_t)signed16(a))) + signed16(a)))                                      \
    X(s_mulk_i32, w->s[in->operand[0].reg] * (uint32_t)signed16(a), KEEP)                          \
    X(s_add_u32, a + b, r < a)                                                                     \
    X(s_sub_u32, a - b, a < b)                                                                     \
    X(s_add_i32, a + b, OUTSIDE(L(I(a)) + I(b)))                                                   \
    X(s_sub_i32, a - b, OUTSIDE(L(I(a)) - I(b)))                                                   \
    X(s_addc_u32, a + b + w->scc, ((uint64_t)a + b + w->scc) >> 32 != 0)                           \
    X(s_subb_u32, a - b - w->scc, (uint64_t)a < (uint64_t)b + w->scc)                              \
    X(s_absdiff_i32, (uint32_t)llabs(L(I(a)) - I(b)), NONZERO)                                     \
    X(s_mul_i32, a *b, KEEP)                                                                       \
    X(s_mul_hi_u32, (uint32_t)((uint64_t)a * b >> 32), KEEP)                                       \
    X(s_mul_hi_i32, (uint32_t)(L(I(a)) * I(b) >> 32), KEEP)                                        \
    X(s_min_u32, a < b ? a : b, a < b)                                                             \
    X(s_max_u32, a > b ? a : b, a > b)                                                             \
    X(s_min_i32, I(a) < I(b) ? a : b, I(a) < I(b))                                                 \
    X(s_max_i32, I(a) > I(b) ? a : b, I(a) > I(b))                                                 \
    X(s_and_b32, a &b, NONZERO)                                                                    \
    X(s_or_b32, a | b, NONZERO)                                                                    \
    X(s_xor_b32, a ^ b, NONZERO)                                                                   \
    X(s_nand_b32, ~(a & b), NONZERO)                                                               \
    X(s_nor_b32, ~(a | b), NONZERO)                                                                \
    X(s_xnor_b32, ~(a ^ b), NONZERO)                                                               \
    X(s_andn2_b32, a & ~b, NONZERO)                                                                \
    X(s_orn2_b32, a | ~b, NONZERO)                                                                 \
    X(s_lshl_b32, a << (b & 31), NONZERO)                                                          \
    X(s_lshr_b32, a >> (b & 31), NONZERO)                                                          \
    X(s_ashr_i32, arithmetic_right(a, b), NONZERO)                                                 \
    X(s_bfe_u32, (uint32_t)field_64(a, b & 0x7f001f, false), NONZERO)                              \
    X(s_bfe_i32, signed_field(a, b & 31, b >> 16 & 127), NONZERO)                                  \
    X(s_bfm_b32, field(UINT32_MAX, 0, a & 31) << (b & 31), KEEP)                                   \
    X(s_cselect_b32, w->scc ? a : b, KEEP)                                                         \
    X(s_lshl1_add_u32, (a << 1) + b, (((uint64_t)a << 1) + b) >> 32 != 0)                          \
    X(s_lshl2_add_u32, (a << 2) + b, (((uint64_t)a << 2) + b) >> 32 != 0)                          \
    X(s_lshl3_add_u32, (a << 3) + b, (((uint64_t)a << 3) + b) >> 32 != 0)                          \
    X(s_lshl4_add_u32, (a << 4) + b, (((uint64_t)a << 4) + b) >> 32 != 0)                          \
    X(s_pack_ll_b32_b16, low16(a) | b << 16, KEEP)                                                 \
    X(s_pack_lh_b32_b16, low16(a) | (b & 0xffff0000), KEEP)                                        \
    X(s_pack_hl_b32_b16, a >> 16 | b << 16, KEEP)                                                  \
    X(s_pack_hh_b32_b16, a >> 16 | (b & 0xffff0000), KEEP)                                         \
    X(s_wqm_b32, (uint32_t)whole_quads(a), NONZERO)

/* Wide sources and a wide result. */
#define OPERATIONS_64(X)                                                                           \
    X(s_mov_b64, a, KEEP)                                                                          \
    X(s_not_b64, ~a, NONZERO)                                                                      \
    X(s_brev_b64, reverse64(a), KEEP)                                                              \
    X(s_wqm_b64, whole_quads(a), NONZERO)                                                          \
    X(s_cmov_b64, w->scc ? a : pair(w, in->operand[0].reg), KEEP)                                  \
    X(s_and_b64, a &b, NONZERO)                                                                    \
    X(s_or_b64, a | b, NONZERO)                                                                    \
    X(s_xor_b64, a ^ b, NONZERO)                                                                   \
    X(s_nand_b64, ~(a & b), NONZERO)                                                               \
    X(s_nor_b64, ~(a | b), NONZERO)                                                                \
    X(s_xnor_b64, ~(a ^ b), NONZERO)                                                               \
    X(s_andn2_b64, a & ~b, NONZERO)                                                                \
    X(s_orn2_b64, a | ~b, NONZERO)                                                                 \
    X(s_cselect_b64, w->scc ? a : b, KEEP)                                                         \
    X(s_lshl_b64, a << (b & 63), NONZERO)                                                          \
    X(s_lshr_b64, a >> (b & 63), NONZERO)                                                          \
    X(s_ashr_i64, (uint64_t)(L(a) >> (b & 63)), NONZERO)                                           \
    X(s_bfe_u64, field_64(a, (uint32_t)b, false), NONZERO)                                         \
    X(s_bfe_i64, field_64(a, (uint32_t)b, true), NONZERO)                                          \
    X(s_bfm_b64, ((UINT64_C(1) << (a & 63)) - 1) << (b & 63), KEEP)

/* Wide sources and a result of 32 bits. */
#define COUNT_64(X)                                                                                \
    X(s_bcnt0_i32_b64, 64 - (uint32_t)__builtin_popcountll(a), NONZERO)                            \
    X(s_bcnt1_i32_b64, (uint32_t)__builtin_popcountll(a), NONZERO)                                 \
    X(s_ff0_i32_b64, first_one(~a), KEEP)                                                          \
    X(s_ff1_i32_b64, first_one(a), KEEP)                                                           \
    X(s_flbit_i32_b64, leading64(a), KEEP)                                                         \
    X(s_flbit_i32_i64, leading64(L(a) < 0 ? ~a : a), KEEP)

/* The new EXEC from the source a and the old x, of 64 bits or 32. */
#define SAVES(X)                                                                                   \
    X(s_and_saveexec, a &x)                                                                        \
    X(s_or_saveexec, a | x)                                                                        \
    X(s_xor_saveexec, a ^ x)                                                                       \
    X(s_andn2_saveexec, a & ~x)                                                                    \
    X(s_orn2_saveexec, a | ~x)                                                                     \
    X(s_nand_saveexec, ~(a & x))                                                                   \
    X(s_nor_saveexec, ~(a | x))                                                                    \
    X(s_xnor_saveexec, ~(a ^ x))                                                                   \
    X(s_andn1_saveexec, ~a &x)                                                                     \
    X(s_orn1_saveexec, ~a | x)

#define COMPARISONS(X)                                                                             \
    X(eq, ==)                                                                                      \
    X(lg, !=)                                                                                      \
    X(gt, >)                                                                                       \
    X(ge, >=)                                                                                      \
    X(lt, <)                                                                                       \
    X(le, <=)

#define BRANCHES(X)                                                                                \
    X(s_branch, true)                                                                              \
    X(s_cbranch_scc0, !w->scc)                                                                     \
    X(s_cbranch_scc1, w->scc)                                                                      \
    X(s_cbranch_vccz, vcc(w) == 0)                                                                 \
    X(s_cbranch_vccnz, vcc(w) != 0)                                                                \
    X(s_cbranch_execz, exec(w) == 0)                                                               \
    X(s_cbranch_execnz, exec(w) != 0)                                                              \
    X(s_cbranch_cdbgsys, false)                                                                    \
    X(s_cbranch_cdbguser, false)

/* The second source of an operation that has one is 0. */
#define DEFINE(name, source, get, target, set, result, condition)                                  \
    static void name(struct wave *w, const struct instruction *in)                                 \
    {                                                                                              \
        source a = get(w, in, 1);                                                                  \
        source b = get(w, in, 2);                                                                  \
        (void)b;                                                                                   \
        target r = (result);                                                                       \
        w->scc = (condition);                                                                      \
        set(w, &in->operand[0], r);                                                                \
    }
#define DEFINE_32(name, result, condition)                                                         \
    DEFINE(name, uint32_t, isa_scalar, uint32_t, isa_set_scalar, result, condition)
#define DEFINE_64(name, result, condition)                                                         \
    DEFINE(name, uint64_t, isa_scalar_wide, uint64_t, isa_set_scalar_wide, result, condition)
#define DEFINE_COUNT_64(name, result, condition)                                                   \
    DEFINE(name, uint64_t, isa_scalar_wide, uint32_t, isa_set_scalar, result, condition)
#define DEFINE_SAVE(name, result)                                                                  \
    static void name(struct wave *w, const struct instruction *in)                                 \
    {                                                                                              \
        uint64_t a = isa_scalar_wide(w, in, 1);                                                    \
        uint64_t x = exec(w);                                                                      \
        isa_set_scalar_wide(w, &in->operand[0], x);                                                \
        set_pair(w, EXEC, (result)&w->all);                                                        \
        w->scc = exec(w) != 0;                                                                     \
    }
#define DEFINE_CONDITION(name, condition)                                                          \
    static void name(struct wave *w, const struct instruction *in)                                 \
    {                                                                                              \
        w->scc = (condition);                                                                      \
    }
#define SOURCE(k) isa_scalar(w, in, k)
#define DEFINE_COMPARISON(name, operator)                                                          \
    DEFINE_CONDITION(s_cmp_##name##_u32, SOURCE(0) operator SOURCE(1))                             \
    DEFINE_CONDITION(s_cmp_##name##_i32, I(SOURCE(0)) operator I(SOURCE(1)))                       \
    DEFINE_CONDITION(s_cmpk_##name##_u32, SOURCE(0) operator low16(SOURCE(1)))                     \
    DEFINE_CONDITION(s_cmpk_##name##_i32, I(SOURCE(0)) operator signed16(SOURCE(1)))
#define DEFINE_BRANCH(name, condition)                                                             \
    static void name(struct wave *w, const struct instruction *in)                                 \
    {                                                                                              \
        if (condition) {                                                                           \
            w->pc += 4L * signed16((uint32_t)in->operand[0].value);                                \
        }                                                                                          \
    }

OPERATIONS_32(DEFINE_32)
OPERATIONS_64(DEFINE_64)
COUNT_64(DEFINE_COUNT_64)
SAVES(DEFINE_SAVE)
COMPARISONS(DEFINE_COMPARISON)
BRANCHES(DEFINE_BRANCH)
DEFINE_CONDITION(s_cmp_eq_u64, isa_scalar_wide(w, in, 0) == isa_scalar_wide(w, in, 1))
DEFINE_CONDITION(s_cmp_lg_u64, isa_scalar_wide(w, in, 0) != isa_scalar_wide(w, in, 1))
DEFINE_CONDITION(s_bitcmp0_b32, !(SOURCE(0) >> (SOURCE(1) & 31) & 1))
DEFINE_CONDITION(s_bitcmp1_b32, SOURCE(0) >> (SOURCE(1) & 31) & 1)

/* w->pc is that of the next instruction already. */
static void s_getpc_b64(struct wave *w, const struct instruction *in)
{
    isa_set_scalar_wide(w, &in->operand[0], (uint64_t)w->pc);
}

static void s_setpc_b64(struct wave *w, const struct instruction *in)
{
    w->pc = (const char *)isa_scalar_wide(w, in, 0); /* NOLINT: addresses of the GPU */
}

static void s_swappc_b64(struct wave *w, const struct instruction *in)
{
    uint64_t target = isa_scalar_wide(w, in, 1);
    isa_set_scalar_wide(w, &in->operand[0], (uint64_t)w->pc);
    w->pc = (const char *)target; /* NOLINT: addresses of the GPU */
}

static void s_call_b64(struct wave *w, const struct instruction *in)
{
    isa_set_scalar_wide(w, &in->operand[0], (uint64_t)w->pc);
    w->pc += 4L * signed16((uint32_t)in->operand[1].value);
}

static void s_endpgm(struct wave *w, const struct instruction *in)
{
    (void)in;
    w->state = WAVE_ENDED;
}

static void s_barrier(struct wave *w, const struct instruction *in)
{
    (void)in;
    w->state = WAVE_WAITS;
}

/*
 * A barrier of the launch.  The datum of the first lane is the number of waves less one; the
 * barrier opens each time that so many have arrived.
 */
static void ds_gws_barrier(struct wave *w, const struct instruction *in)
{
    uint64_t active = exec(w);
    uint64_t count = (uint64_t)w->v[in->operand[0].reg][active ? first_one(active) : 0] + 1;
    uint64_t *gate = &w->group->worker->gates[((w->s[M0] >> 16) + (uint32_t)in->offset) % GATES];
    uint64_t arrived = __atomic_add_fetch(gate, 1, __ATOMIC_SEQ_CST);
    w->gate = gate;
    w->opens = (arrived + count - 1) / count * count;
    w->state = WAVE_GATED;
    w->effects |= CHANGED;
}

static void s_sleep(struct wave *w, const struct instruction *in)
{
    (void)in;
    w->rests = true;
}

static void s_trap(struct wave *w, const struct instruction *in)
{
    (void)in;
    isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_EXCEPTION, "the kernel aborted");
}

static void nothing(struct wave *w, const struct instruction *in)
{
    (void)w;
    (void)in;
}

/* --- hardware registers --- */

static void set_mode(struct wave *w, const struct instruction *in, uint32_t value)
{
    const struct operand *o = &in->operand[0];
    unsigned start = o->value & 31;
    uint32_t mask = field(UINT32_MAX, 0, (uint32_t)(o->value >> 8)) << start;
    if (o->reg == HARDWARE_MODE) {
        w->mode = (w->mode & ~mask) | (value << start & mask);
    } else {
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
                 "of the hardware registers only MODE can be written");
    }
}

/* Rounding is in the lower four bits of MODE, and denormals in the next four. */
static void s_round_mode(struct wave *w, const struct instruction *in)
{
    w->mode = (w->mode & ~15U) | (in->operand[0].value & 15);
}

static void s_denorm_mode(struct wave *w, const struct instruction *in)
{
    w->mode = (w->mode & ~0xf0U) | (in->operand[0].value & 15) << 4;
}

static void s_setreg_b32(struct wave *w, const struct instruction *in)
{
    set_mode(w, in, isa_scalar(w, in, 1));
}

/* SH_MEM_BASES has the upper 16 bits of the windows' addresses. */
static void s_getreg_b32(struct wave *w, const struct instruction *in)
{
    const struct operand *o = &in->operand[1];
    uint32_t all = o->reg == HARDWARE_MODE ? w->mode
                   : o->reg == HARDWARE_CYCLES
                       ? (uint32_t)lb_now()
                       : (uint32_t)(SHARED_BASE >> 48 << 16 | PRIVATE_BASE >> 48);
    w->effects |= o->reg == HARDWARE_CYCLES ? CHANGED : 0;
    if (o->reg == 0) {
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
                 "of the hardware registers only MODE, SH_MEM_BASES and SHADER_CYCLES are known");
        return;
    }
    uint32_t value = field(all, (uint32_t)o->value & 31, (uint32_t)(o->value >> 8));
    isa_set_scalar(w, &in->operand[0], value);
}

static void s_memtime(struct wave *w, const struct instruction *in)
{
    isa_set_scalar_wide(w, &in->operand[0], lb_now());
    w->effects |= CHANGED; /* the time is another one when the wave comes back */
}

/* --- loads; the argument is a number of registers --- */

static void s_load(struct wave *w, const struct instruction *in)
{
    uint64_t base = isa_scalar_wide(w, in, 1);
    if (in->operand[1].count == 4) { /* a buffer's descriptor */
        base &= (UINT64_C(1) << 48) - 1;
    }
    uint64_t offset = in->operands > 2 ? isa_scalar_wide(w, in, 2) : 0;
    uint64_t address =
        ((base & ~UINT64_C(3)) + offset + (uint64_t)(int64_t)in->offset) & ~UINT64_C(3);
    size_t size = (size_t)in->argument * 4;
    const char *from = isa_reach(w, address, size);
    if (from) {
        memcpy(&w->s[in->operand[0].reg], from, size);
    }
}

#define ROW(name, ...) {#name, name, 0, INTEGER, INTEGER, 0},
#define ROWS_COMPARISON(name, operator)                                                            \
    ROW(s_cmp_##name##_u32)                                                                        \
    ROW(s_cmp_##name##_i32) ROW(s_cmpk_##name##_u32) ROW(s_cmpk_##name##_i32)
#define ROWS_SAVE(name, result)                                                                    \
    {#name "_b64", name, 0, INTEGER, INTEGER, 0}, {#name "_b32", name, 0, INTEGER, INTEGER, 0},
#define NOTHING(name)     {name, nothing, IGNORES, INTEGER, INTEGER, 0},
#define LOAD(name, count) {name, s_load, count, INTEGER, INTEGER, 0},

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_scalar_rows[] = {
    OPERATIONS_32(ROW) OPERATIONS_64(ROW) COUNT_64(ROW) SAVES(ROWS_SAVE)
    COMPARISONS(ROWS_COMPARISON) BRANCHES(ROW) ROW(s_cmp_eq_u64) ROW(s_cmp_lg_u64)
    ROW(s_bitcmp0_b32) ROW(s_bitcmp1_b32) ROW(s_getpc_b64) ROW(s_setpc_b64) ROW(s_swappc_b64)
    ROW(s_call_b64) ROW(s_endpgm) ROW(s_barrier) ROW(s_memtime) ROW(s_getreg_b32)
    ROW(s_setreg_b32)
    {"s_trap", s_trap, IGNORES, INTEGER, INTEGER, 0},
    {"s_sleep", s_sleep, IGNORES, INTEGER, INTEGER, 0},
    {"ds_gws_barrier", ds_gws_barrier, GLOBAL_SHARE, INTEGER, INTEGER, 0},
    {"s_setreg_imm32_b32", s_setreg_b32, 0, INTEGER, INTEGER, 0},
    {"s_memrealtime", s_memtime, 0, INTEGER, INTEGER, 0},
    {"s_sendmsg_rtn_b64", s_memtime, 0, INTEGER, INTEGER, 0}, /* of one message */
    ROW(s_round_mode) ROW(s_denorm_mode)
    NOTHING("s_nop") NOTHING("v_nop") NOTHING("s_waitcnt") NOTHING("s_delay_alu")
    NOTHING("s_clause") NOTHING("s_set_inst_prefetch_distance") NOTHING("s_waitcnt_depctr")
    NOTHING("s_waitcnt_vscnt") NOTHING("s_waitcnt_vmcnt") NOTHING("s_waitcnt_lgkmcnt")
    NOTHING("s_waitcnt_expcnt") NOTHING("s_version") NOTHING("s_setprio") NOTHING("ds_gws_init")
    NOTHING("s_sethalt") NOTHING("s_dcache_wb") NOTHING("s_dcache_inv") NOTHING("s_icache_inv")
    NOTHING("s_sendmsg") NOTHING("s_inst_prefetch") NOTHING("s_dcache_inv_vol")
    NOTHING("s_dcache_wb_vol") NOTHING("s_ttracedata") NOTHING("s_incperflevel")
    NOTHING("s_decperflevel") LOAD("s_load_dword", 1) LOAD("s_load_dwordx2", 2)
    LOAD("s_load_dwordx4", 4) LOAD("s_load_dwordx8", 8) LOAD("s_load_dwordx16", 16)
    LOAD("s_buffer_load_dword", 1) LOAD("s_buffer_load_dwordx2", 2)
    LOAD("s_buffer_load_dwordx4", 4) LOAD("s_buffer_load_dwordx8", 8)
    LOAD("s_buffer_load_dwordx16", 16)
    {NULL, NULL, 0, 0, 0, 0},
};
