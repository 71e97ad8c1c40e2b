/* SPDX-License-Identifier: MIT */
/*
 * Mnemonics of gfx1100 (RDNA 3) for which the tables have another name, that of gfx90a.  First the
 * whole name is looked up, else a part of it at its start, inside or at its end is exchanged.
 */
#include <stdio.h>
#include <string.h>

#include "isa.h"

struct pair_of_names {
    const char *new, *old;
};

static const struct pair_of_names wholes[] = {
    {"s_ctz_i32_b32", "s_ff1_i32_b32"},
    {"s_ctz_i32_b64", "s_ff1_i32_b64"},
    {"s_clz_i32_u32", "s_flbit_i32_b32"},
    {"s_clz_i32_u64", "s_flbit_i32_b64"},
    {"s_cls_i32", "s_flbit_i32"},
    {"s_cls_i32_i64", "s_flbit_i32_i64"},
    {"v_add_co_ci_u32", "v_addc_co_u32"},
    {"v_sub_co_ci_u32", "v_subb_co_u32"},
    {"v_subrev_co_ci_u32", "v_subbrev_co_u32"},
    {"v_clz_i32_u32", "v_ffbh_u32"},
    {"v_cls_i32", "v_ffbh_i32"},
    {"v_ctz_i32_b32", "v_ffbl_b32"},
    {"v_cvt_nearest_i32_f32", "v_cvt_rpi_i32_f32"},
    {"v_cvt_floor_i32_f32", "v_cvt_flr_i32_f32"},
    {"v_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"},
    {"v_cvt_pk_norm_i16_f32", "v_cvt_pknorm_i16_f32"},
    {"v_cvt_pk_norm_u16_f32", "v_cvt_pknorm_u16_f32"},
    {"v_mul_dx9_zero_f32", "v_mul_legacy_f32"},
    {"v_fma_dx9_zero_f32", "v_fma_legacy_f32"},
    {"v_dot2acc_f32_f16", "v_dot2c_f32_f16"},
};

static const struct pair_of_names starts[] = {
    {"ds_load_2addr_stride64_", "ds_read2st64_"},
    {"ds_load_2addr_", "ds_read2_"},
    {"ds_load_", "ds_read_"},
    {"ds_store_2addr_stride64_", "ds_write2st64_"},
    {"ds_store_2addr_", "ds_write2_"},
    {"ds_storexchg_", "ds_wrxchg_"},
    {"ds_store_", "ds_write_"},
    {"s_and_not1_", "s_andn2_"},
    {"s_and_not0_", "s_andn1_"},
    {"s_or_not1_", "s_orn2_"},
    {"s_or_not0_", "s_orn1_"},
    {"v_add_nc_", "v_add_"},
    {"v_sub_nc_", "v_sub_"},
    {"v_subrev_nc_", "v_subrev_"},
};

/* Of loads, stores and atomic operations of memory, but not of LDS. */
static const struct pair_of_names ends[] = {
    {"load_u8", "load_ubyte"},
    {"load_i8", "load_sbyte"},
    {"load_u16", "load_ushort"},
    {"load_i16", "load_sshort"},
    {"load_b32", "load_dword"},
    {"load_b64", "load_dwordx2"},
    {"load_b96", "load_dwordx3"},
    {"load_b128", "load_dwordx4"},
    {"load_b256", "load_dwordx8"},
    {"load_b512", "load_dwordx16"},
    {"load_d16_u8", "load_ubyte_d16"},
    {"load_d16_hi_u8", "load_ubyte_d16_hi"},
    {"load_d16_i8", "load_sbyte_d16"},
    {"load_d16_hi_i8", "load_sbyte_d16_hi"},
    {"load_d16_b16", "load_short_d16"},
    {"load_d16_hi_b16", "load_short_d16_hi"},
    {"store_b8", "store_byte"},
    {"store_d16_hi_b8", "store_byte_d16_hi"},
    {"store_b16", "store_short"},
    {"store_d16_hi_b16", "store_short_d16_hi"},
    {"store_b32", "store_dword"},
    {"store_b64", "store_dwordx2"},
    {"store_b96", "store_dwordx3"},
    {"store_b128", "store_dwordx4"},
    {"min_i32", "smin"},
    {"max_i32", "smax"},
    {"min_u32", "umin"},
    {"max_u32", "umax"},
    {"min_i64", "smin_x2"},
    {"max_i64", "smax_x2"},
    {"min_u64", "umin_x2"},
    {"max_u64", "umax_x2"},
    {"_u32", ""},
    {"_b32", ""},
    {"_u64", "_x2"},
    {"_b64", "_x2"},
};

static void replace(char *name, size_t room, size_t at, size_t length, const char *by)
{
    char rest[96];
    snprintf(rest, sizeof rest, "%s", name + at + length);
    snprintf(name + at, room - at, "%s%s", by, rest);
}

static bool is_of_memory(const char *name)
{
    return !strncmp(name, "global_", 7) || !strncmp(name, "flat_", 5) ||
           !strncmp(name, "scratch_", 8) || strstr(name, "buffer_") || !strncmp(name, "s_load", 6);
}

#define LIST(names)                                                                                \
    {                                                                                              \
        names, sizeof(names) / sizeof(names)[0]                                                    \
    }

void isa_name_as_gfx90a(char *name, size_t room)
{
    enum { WHOLE, START, END };
    static const struct {
        const struct pair_of_names *pairs;
        size_t count;
    } lists[] = {LIST(wholes), LIST(starts), LIST(ends)};
    if (!strncmp(name, "v_dual_", 7)) {
        replace(name, room, 0, 7, "v_");
    }
    size_t all = strlen(name);
    for (int where = WHOLE; where <= (is_of_memory(name) ? END : START); where++) {
        for (size_t i = 0; i < lists[where].count; i++) {
            const struct pair_of_names *pair = &lists[where].pairs[i];
            size_t length = strlen(pair->new);
            size_t at = where == END && all > length ? all - length : 0;
            bool fits = where == START || (where == WHOLE ? all == length : at > 0);
            if (fits && !strncmp(name + at, pair->new, length)) {
                replace(name, room, at, length, pair->old);
                return;
            }
        }
    }
}
