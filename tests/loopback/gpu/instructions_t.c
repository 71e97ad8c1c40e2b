/* SPDX-License-Identifier: MIT */
/*
 * Single instructions of gfx90a and gfx942 with edge values, written in assembly and checked
 * against C; on gfx1100 the same ones, as far as it has them, and those of OPERATIONS_RDNA.  The
 * assembler and the disassembler are those of the runtime under test.
 */
#include <math.h>

#include "gpu.h"

enum { N = 24, LONGEST = 100000 };
static const uint32_t words[N] = {
    0,          1,          2,          31,         32,         33,         0x7f,       0x80,
    0xff,       0x7fff,     0x8000,     0xffff,     0x7fffff,   0x800000,   0xffffff,   0x1000000,
    0x3f800000, 0x7f800000, 0x7fc00000, 0x80000000, 0x7fffffff, 0xfffffffe, 0xffffffff, 0x12345678,
};

/* --- 32 bits --- */

#define S(x) ((int32_t)(x))
#define OPERATIONS(X)                                                                              \
    X("v_add_u32 %0, %1, %2", a + b)                                                               \
    X("v_sub_u32 %0, %1, %2", a - b)                                                               \
    X("v_subrev_u32 %0, %1, %2", b - a)                                                            \
    X("v_add_u32_e64 %0, %1, %2 clamp", a + b < a ? 0xffffffffu : a + b)                           \
    X("v_sub_u32_e64 %0, %1, %2 clamp", a < b ? 0 : a - b)                                         \
    X("v_lshlrev_b32 %0, %1, %2", b << (a & 31))                                                   \
    X("v_lshrrev_b32 %0, %1, %2", b >> (a & 31))                                                   \
    X("v_ashrrev_i32 %0, %1, %2", (uint32_t)(S(b) >> (a & 31)))                                    \
    X("v_and_b32 %0, %1, %2", a &b)                                                                \
    X("v_xnor_b32 %0, %1, %2", ~(a ^ b))                                                           \
    X("v_min_i32 %0, %1, %2", S(a) < S(b) ? a : b)                                                 \
    X("v_max_u32 %0, %1, %2", a > b ? a : b)                                                       \
    X("v_mul_hi_u32 %0, %1, %2", (uint32_t)((uint64_t)a * b >> 32))                                \
    X("v_mul_hi_i32 %0, %1, %2", (uint32_t)((int64_t)S(a) * S(b) >> 32))                           \
    X("v_mul_u32_u24 %0, %1, %2", (a & 0xffffff) * (b & 0xffffff))                                 \
    X("v_mul_i32_i24 %0, %1, %2", (uint32_t)((int64_t)(S(a << 8) >> 8) * (S(b << 8) >> 8)))        \
    X("v_bfe_u32 %0, %1, %2, %3", (c & 31) ? a >> (b & 31) & (0xffffffffu >> (32 - (c & 31))) : 0) \
    X("v_bfe_i32 %0, %1, %2, %3", bfe_signed(a, b & 31, c & 31))                                   \
    X("v_bfi_b32 %0, %1, %2, %3", (a & b) | (~a & c))                                              \
    X("v_alignbit_b32 %0, %1, %2, %3", (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)))            \
    X("v_alignbyte_b32 %0, %1, %2, %3", (uint32_t)(((uint64_t)a << 32 | b) >> (c & 3) * 8))        \
    X("v_add3_u32 %0, %1, %2, %3", a + b + c)                                                      \
    X("v_lshl_add_u32 %0, %1, %2, %3", (a << (b & 31)) + c)                                        \
    X("v_lshl_or_b32 %0, %1, %2, %3", (a << (b & 31)) | c)                                         \
    X("v_and_or_b32 %0, %1, %2, %3", (a & b) | c)                                                  \
    X("v_xad_u32 %0, %1, %2, %3", (a ^ b) + c)                                                     \
    X("v_mad_u32_u24 %0, %1, %2, %3", (a & 0xffffff) * (b & 0xffffff) + c)                         \
    X("v_med3_i32 %0, %1, %2, %3", middle(a, b, c))                                                \
    X("v_min3_u32 %0, %1, %2, %3", a < b ? (a < c ? a : c) : (b < c ? b : c))                      \
    X("v_min3_i16 %0, %1, %2, %3 clamp\n v_and_b32 %0, 0xffff, %0",                                \
      ((int16_t)a < (int16_t)b ? ((int16_t)a < (int16_t)c ? a : c)                                 \
                               : ((int16_t)b < (int16_t)c ? b : c)) &                              \
          0xffff)                                                                                  \
    X("v_sad_u32 %0, %1, %2, %3", (a > b ? a - b : b - a) + c)                                     \
    X("v_bfrev_b32 %0, %1", reversed(a))                                                           \
    X("v_ffbh_u32 %0, %1", a ? (uint32_t)__builtin_clz(a) : 0xffffffffu)                           \
    X("v_ffbl_b32 %0, %1", a ? (uint32_t)__builtin_ctz(a) : 0xffffffffu)                           \
    X("v_bcnt_u32_b32 %0, %1, %2", (uint32_t)__builtin_popcount(a) + b)                            \
    X("v_cvt_f32_ubyte2 %0, %1", of_float((float)(a >> 16 & 0xff)))                                \
    X("v_cvt_f32_i32 %0, %1", of_float((float)S(a)))                                               \
    X("v_cvt_i32_f32 %0, %1", to_int(to_float(a)))                                                 \
    X("v_cvt_u32_f32 %0, %1", to_unsigned(to_float(a)))                                            \
    X("v_pk_add_u16 %0, %1, %2", ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16)               \
    X("v_pk_mul_lo_u16 %0, %1, %2", (a * b & 0xffff) | (a >> 16) * (b >> 16) << 16)                \
    X("v_add_u16 %0, %1, %2", (a + b) & 0xffff)                                                    \
    X("v_lshlrev_b16 %0, %1, %2", (b & 0xffff) << (a & 15) & 0xffff)                               \
    X("v_ashrrev_i16 %0, %1, %2", (uint32_t)((int16_t)b >> (a & 15)) & 0xffff)                     \
    X("v_max_i16 %0, %1, %2", ((int16_t)a > (int16_t)b ? a : b) & 0xffff)                          \
    X("v_add_u32_sdwa %0, %1, %2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 "             \
      "src1_sel:WORD_1",                                                                           \
      (a >> 8 & 0xff) + (b >> 16))                                                                 \
    X("v_add_u32_sdwa %0, sext(%1), %2 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:BYTE_0 "      \
      "src1_sel:DWORD",                                                                            \
      (((uint32_t)(int8_t)a + b) & 0xff) << 16)                                                    \
    X("v_mul_f32 %0, -|%1|, 1.0", a | 0x80000000)                                                  \
    X("v_max_f32 %0, %1, %1", a)                                                                   \
    X("s_mov_b64 vcc, exec\n v_mov_b32 %0, %3\n v_cmpx_gt_i32_e64 s[40:41], %1, %2\n"              \
      " v_mov_b32 %0, %1\n s_mov_b64 exec, vcc\n v_cndmask_b32_e64 v60, 0, 1, s[40:41]\n"          \
      " v_add_u32 %0, %0, v60",                                                                    \
      S(a) > S(b) ? a + 1 : c)                                                                     \
    X("s_mov_b64 s[40:41], exec\n v_mov_b32 %0, %3\n v_cmpx_gt_i32_e64 vcc, %1, %2\n"              \
      " v_mov_b32 %0, %1\n s_mov_b64 exec, s[40:41]",                                              \
      S(a) > S(b) ? a : c)                                                                         \
    X("s_mov_b64 vcc, exec\n v_cndmask_b32 %0, %1, %2, vcc", b)                                    \
    X("s_mov_b32 s40, 0x0c050100\n v_perm_b32 %0, %1, %2, s40",                                    \
      (a << 8 & 0xff0000) | (b & 0xffff))                                                          \
    X("s_nop 1\n v_mov_b32_dpp %0, %1 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf", a)          \
    X("v_readfirstlane_b32 s40, %1\n s_bfe_i32 s40, s40, 0x80004\n v_mov_b32 %0, s40",             \
      (uint32_t)(int8_t)(a >> 4))                                                                  \
    X("v_mov_b32 v60, 0\n ds_write_b32 v60, %1\n v_mov_b32 %0, -1\n ds_read_u16_d16 %0, v60\n"     \
      " s_waitcnt lgkmcnt(0)",                                                                     \
      a & 0xffff)                                                                                  \
    X("v_readfirstlane_b32 s40, %1\n v_readfirstlane_b32 s41, %2\n s_sub_u32 s42, s40, s41\n"      \
      " s_cselect_b32 s40, 1, 0\n v_mov_b32 %0, s40",                                              \
      a < b)                                                                                       \
    X("v_readfirstlane_b32 s40, %1\n v_readfirstlane_b32 s41, %2\n s_add_i32 s42, s40, s41\n"      \
      " s_cselect_b32 s40, 1, 0\n v_mov_b32 %0, s40",                                              \
      (int64_t)S(a) + S(b) != S(a + b))                                                            \
    X("v_readfirstlane_b32 s40, %1\n s_lshl2_add_u32 s42, s40, 5\n v_mov_b32 %0, s42", (a << 2) + 5)

/* On gfx1100 an instruction of 16 bits leaves the upper half of the result alone. */
#define HALF       " %0, %1, %2\n v_and_b32 %0, 0xffff, %0"
#define KEPT(name) "v_mov_b32 %0, 0xabcd1234\n " name " %0, %1, %2"
#define UPPER      0xabcd0000u
/* Lanes of a row: each has 16 numbers from b on. */
#define IN_LANES(text)                                                                             \
    "v_mbcnt_lo_u32_b32 %0, -1, 0\n v_add_nc_u32 %0, %0, %2\n s_nop 1\n " text                     \
    "\n v_readlane_b32 s40, %0, 7\n v_mov_b32 %0, s40"

/* Old is what %0 has before, where it matters. */
#define OPERATIONS_RDNA(X)                                                                         \
    X("v_add_nc_u16" HALF, (a + b) & 0xffff)                                                       \
    X("v_lshlrev_b16" HALF, (b & 0xffff) << (a & 15) & 0xffff)                                     \
    X("v_ashrrev_i16" HALF, (uint32_t)((int16_t)b >> (a & 15)) & 0xffff)                           \
    X("v_max_i16" HALF, ((int16_t)a > (int16_t)b ? a : b) & 0xffff)                                \
    X(KEPT("v_add_nc_u16"), UPPER | ((a + b) & 0xffff))                                            \
    X(KEPT("v_mul_lo_u16"), UPPER | (a * b & 0xffff))                                              \
    X("v_add_nc_u32_e64 %0, %1, %2 clamp", a + b < a ? 0xffffffffu : a + b)                        \
    X("v_xor3_b32 %0, %1, %2, %3", a ^ b ^ c)                                                      \
    X("v_maxmin_u32 %0, %1, %2, %3", a > b ? (a < c ? a : c) : (b < c ? b : c))                    \
    X("v_minmax_i32 %0, %1, %2, %3", S(a) < S(b) ? (S(a) > S(c) ? a : c) : (S(b) > S(c) ? b : c))  \
    X("v_dot4_i32_iu8 %0, %1, %2, %3 neg_lo:[1,0,0]",                                              \
      c + (uint32_t)((int8_t)a * (uint8_t)b + (int8_t)(a >> 8) * (uint8_t)(b >> 8) +               \
                     (int8_t)(a >> 16) * (uint8_t)(b >> 16) +                                      \
                     (int8_t)(a >> 24) * (uint8_t)(b >> 24)))                                      \
    X("v_mov_b32 %0, %1\n v_mov_b32 v60, %2\n v_mov_b32 v61, %3\n"                                 \
      " v_dual_mov_b32 v60, v61 :: v_dual_add_nc_u32 v61, v60, v60\n v_add_nc_u32 %0, v60, v61",   \
      c + 2 * b)                                                                                   \
    X("v_cmp_lt_u32 vcc_lo, %1, %2\n v_dual_cndmask_b32 v60, %1, %2 :: v_dual_mov_b32 v61, %3\n"   \
      " v_xor_b32 %0, v60, v61",                                                                   \
      (a < b ? b : a) ^ c)                                                                         \
    X("s_mov_b32 s41, exec_lo\n v_mov_b32 %0, %3\n v_cmpx_gt_i32 %1, %2\n v_mov_b32 %0, %1\n"      \
      " s_mov_b32 exec_lo, s41",                                                                   \
      S(a) > S(b) ? a : c)                                                                         \
    X("v_cmp_ne_u32 vcc_lo, %1, %2\n s_and_saveexec_b32 s41, vcc_lo\n s_cselect_b32 s40, 1, 0\n"   \
      " s_mov_b32 exec_lo, s41\n v_mov_b32 %0, s40",                                               \
      a != b)                                                                                      \
    X("v_add_co_u32 v60, vcc_lo, %1, %2\n v_add_co_ci_u32 %0, vcc_lo, 0, 0, vcc_lo", a + b < a)    \
    X("v_readfirstlane_b32 s40, %1\n v_readfirstlane_b32 s41, %2\n s_and_not1_b32 s42, s40, s41\n" \
      " v_mov_b32 %0, s42",                                                                        \
      a & ~b)                                                                                      \
    X("v_clz_i32_u32 %0, %1", a ? (uint32_t)__builtin_clz(a) : 0xffffffffu)                        \
    X("v_ctz_i32_b32 %0, %1", a ? (uint32_t)__builtin_ctz(a) : 0xffffffffu)                        \
    X(IN_LANES("v_mov_b32_dpp %0, %0 row_share:5 row_mask:0xf bank_mask:0xf"), b + 5)              \
    X(IN_LANES("v_mov_b32_dpp %0, %0 row_xmask:6 row_mask:0xf bank_mask:0xf"), b + 1)              \
    X(IN_LANES("v_mov_b32_dpp %0, %0 dpp8:[7,6,5,4,3,2,1,3]"), b + 3)                              \
    X("s_mov_b32 s41, 0x30000000\n s_mov_b32 s42, 0\n " IN_LANES(                                  \
          "v_permlane16_b32 %0, %0, s41, s42"),                                                    \
      b + 3)                                                                                       \
    X("s_mov_b32 s41, 0x30000000\n s_mov_b32 s42, 0\n " IN_LANES(                                  \
          "v_permlanex16_b32 %0, %0, s41, s42"),                                                   \
      b + 19)                                                                                      \
    X("v_mov_b32 v60, 0\n ds_store_b32 v60, %1\n ds_cmpstore_rtn_b32 v61, v60, %2, %3\n"           \
      " ds_load_b32 %0, v60\n s_waitcnt lgkmcnt(0)",                                               \
      a == c ? b : a)                                                                              \
    X("v_mov_b32 v60, 0\n ds_store_b32 v60, %1\n v_mov_b32 %0, -1\n ds_load_u16_d16 %0, v60\n"     \
      " s_waitcnt lgkmcnt(0)",                                                                     \
      a | 0xffff0000)                                                                              \
    X("s_denorm_mode 0\n v_mul_f32 %0, 1.0, %1\n s_denorm_mode 15", flushed(a))

/* The instructions above that gfx1100 has not, or with other upper halves. */
static const char *const not_on_rdna[] = {"sdwa",          "v_add_u16", "v_lshlrev_b16",
                                          "v_ashrrev_i16", "v_max_i16", "vcc, exec",
                                          "u16_d16",       "_e64 vcc"};

static float to_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t flushed(uint32_t a)
{
    return a & 0x7f800000 ? a : a & 0x80000000;
}

static uint32_t to_int(float x)
{
    return isnan(x)              ? 0
           : x >= 2147483648.0f  ? 0x7fffffff
           : x <= -2147483648.0f ? 0x80000000
                                 : (uint32_t)(int32_t)x;
}

static uint32_t to_unsigned(float x)
{
    return isnan(x) || x <= 0 ? 0 : x >= 4294967296.0f ? 0xffffffff : (uint32_t)x;
}

static uint32_t bfe_signed(uint32_t a, uint32_t start, uint32_t width)
{
    uint32_t part = width ? a >> start & (0xffffffffu >> (32 - width)) : 0;
    if (width > 32 - start) { /* the sign is bit 31 */
        return (uint32_t)(S(a) >> start);
    }
    return width && part >> (width - 1) ? part | ~(0xffffffffu >> (32 - width)) : part;
}

static uint32_t middle(uint32_t a, uint32_t b, uint32_t c)
{
    int32_t low = S(a) < S(b) ? S(a) : S(b), high = S(a) < S(b) ? S(b) : S(a);
    return (uint32_t)(S(c) < low ? low : S(c) > high ? high : S(c));
}

static uint32_t reversed(uint32_t a)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++) {
        r |= (a >> i & 1) << (31 - i);
    }
    return r;
}

#define TEXT(text, expression) text,
static const char *const texts[] = {OPERATIONS(TEXT) OPERATIONS_RDNA(TEXT)};
enum {
#define ONE(text, expression) +1
    OF_BOTH = 0 OPERATIONS(ONE),
    COUNT = sizeof texts / sizeof texts[0],
};

static bool is_there(int which, bool on_rdna)
{
    bool there = on_rdna || which < OF_BOTH;
    for (size_t i = 0; on_rdna && which < OF_BOTH && i < sizeof not_on_rdna / sizeof not_on_rdna[0];
         i++) {
        there &= strstr(texts[which], not_on_rdna[i]) == NULL;
    }
    return there;
}

/* The expression of an operation by its index. */
static uint32_t wanted_of(int which, uint32_t a, uint32_t b, uint32_t c)
{
#define VALUE(text, expression) (uint32_t)(expression),
    const uint32_t all[] = {OPERATIONS(VALUE) OPERATIONS_RDNA(VALUE)};
    return all[which];
}

/* As a string in C++ source: the assembly may have more than one line. */
static void append_quoted(char *source, const char *text)
{
    char *at = source + strlen(source);
    for (; *text; text++) {
        at += sprintf(at, *text == '\n' ? "\\n" : "%c", *text);
    }
}

/* Each lane of a wave has the same numbers, because some instructions work on a whole wave. */
static char *source_of_all(bool on_rdna)
{
    char *source = calloc(1, LONGEST);
    assert_non_null(source);
    strcat(source,
           "extern \"C\" __global__ void k(const unsigned *v, unsigned *out) {\n"
           "  unsigned i = blockIdx.x, a = v[i % 24], b = v[i / 24 % 24], c = v[i * 7 % 24];\n"
           "  unsigned r;\n");
    for (int which = 0; which < COUNT; which++) {
        if (!is_there(which, on_rdna)) {
            continue;
        }
        strcat(source, "  asm volatile(\"");
        append_quoted(source, texts[which]);
        sprintf(source + strlen(source),
                "\" : \"=&v\"(r) : \"v\"(a), \"v\"(b), \"v\"(c) : \"s40\", \"s41\", \"s42\", "
                "\"vcc\", \"scc\", \"v60\", \"v61\", \"memory\");\n"
                "  if (threadIdx.x == 0) out[%d * 576 + i] = r;\n",
                which);
    }
    strcat(source, "}\n");
    return source;
}

static void instructions_compute(void **state)
{
    static uint32_t got[COUNT * N * N];
    hipDeviceProp_t properties;
    int forms = 0;
    OK(hipGetDeviceProperties(&properties, 0));
    bool on_rdna = strncmp(properties.gcnArchName, "gfx11", 5) == 0;
    char *source = source_of_all(on_rdna);
    void *given, *out;
    hipModule_t module = module_of(source);
    hipFunction_t function;
    OK(hipModuleGetFunction(&function, module, "k"));
    OK(hipMalloc(&given, sizeof words));
    OK(hipMalloc(&out, sizeof got));
    OK(hipMemcpy(given, words, sizeof words, hipMemcpyHostToDevice));
    void *arguments[] = {&given, &out};
    OK(hipModuleLaunchKernel(function, N * N, 1, 1, 64, 1, 1, sizeof *words, NULL, arguments,
                             NULL));
    OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    for (int at = 0; at < COUNT * N * N; at++) {
        int which = at / (N * N), i = at % (N * N);
        uint32_t a = words[i % N], b = words[i / N], c = words[i * 7 % N];
        uint32_t wanted = wanted_of(which, a, b, c);
        forms += is_there(which, on_rdna) && i == 0;
        if (is_there(which, on_rdna) && got[at] != wanted) {
            fail_msg("%s of 0x%x, 0x%x and 0x%x: 0x%x, not 0x%x", texts[which], a, b, c, got[at],
                     wanted);
        }
    }
    print_message("%d results of %d instructions are equal\n", forms * N * N, forms);
    OK(hipModuleUnload(module));
    OK(hipFree(given));
    OK(hipFree(out));
    free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_compute),
    };
    return cmocka_run_group_tests_name("instructions", tests, NULL, NULL);
}
