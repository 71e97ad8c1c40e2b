/* SPDX-License-Identifier: MIT */
/*
 * Kernels compute what the same source computes on the host.  BOTH compiles its text for the host
 * and keeps it for hiprtc.  The numbers are edge values in all pairs.  An operation whose result is
 * a NaN may give any NaN.
 */
#include <math.h>

#include "gpu.h"

#define BOTH(name, ...)                                                                            \
    static const char name##_text[] = #__VA_ARGS__;                                                \
    __VA_ARGS__

/* clang-format off */
BOTH(integers,
static unsigned integers(int which, unsigned a, unsigned b) {
    int x = (int)a; int y = (int)b; unsigned n = b & 31;
    switch (which) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return (unsigned)((unsigned long long)a * b >> 32);
    case 4: return (unsigned)((long long)x * y >> 32);
    case 5: return b ? a / b : 7;
    case 6: return b ? a % b : 7;
    case 7: return y && !(x == (-2147483647 - 1) && y == -1) ? (unsigned)(x / y) : 9;
    case 8: return y && !(x == (-2147483647 - 1) && y == -1) ? (unsigned)(x % y) : 9;
    case 9: return a << n;
    case 10: return a >> n;
    case 11: return (unsigned)(x >> n);
    case 12: return a << n | a >> ((32 - n) & 31);
    case 13: return (a & b) | (~a & (b >> 3));
    case 14: return a < b ? a : b;
    case 15: return (unsigned)(x > y ? x : y);
    case 16: return (unsigned)__builtin_popcount(a) + b;
    case 17: return a ? (unsigned)__builtin_clz(a) : b;
    case 18: return a ? (unsigned)__builtin_ctz(a) : b;
    case 19: return (unsigned)(signed char)a + (unsigned short)b;
    case 20: return (unsigned)(short)a * (unsigned)(short)b;
    case 21: return (a & 0xffffff) * (b & 0xffffff) + a;
    case 22: return (a >> n & 0x7f) + (unsigned)((int)(a << 8) >> 8);
    case 23: return (x < y) + 2 * (a < b) + 4 * (x <= y) + 8 * (a >= b) + 16 * (a == b);
    case 24: return (unsigned short)(a + b) | (unsigned)(unsigned short)(a * b) << 16;
    case 25: return a > b ? a - b : b - a;
    case 26: return a + (b << 2) + 1234567;
    case 27: return (a ^ b) + (a | 0x8000) + (unsigned)(x >> 31);
    default: return a ^ b;
    }
})
BOTH(wides,
static unsigned long long wides(int which, unsigned long long a, unsigned long long b) {
    long long x = (long long)a; long long y = (long long)b; int n = (int)(b & 63);
    switch (which) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return b ? a / b : 7;
    case 4: return b ? a % b : 7;
    case 5: return (unsigned long long)(x / ((y & 0xffffff) | 1));
    case 6: return a << n;
    case 7: return a >> n;
    case 8: return (unsigned long long)(x >> n);
    case 9: return a < b ? a : b;
    case 10: return (unsigned long long)(x > y ? x : y);
    case 11: return (unsigned long long)__builtin_popcountll(a) + b;
    case 12: return a ? (unsigned long long)__builtin_clzll(a) : b;
    case 13: return a ? (unsigned long long)__builtin_ctzll(a) : b;
    case 14: return (a & b) ^ (a | ~b);
    case 15: return (unsigned long long)(x < y) + 2 * (a < b) + 4 * (x == y);
    default: return a ^ b;
    }
})
BOTH(floats,
static float floats(int which, float a, float b) {
    switch (which) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a / b;
    case 4: return __builtin_fmaf(a, b, a);
    case 5: return __builtin_sqrtf(a) + b;
    case 6: return __builtin_floorf(a) + __builtin_ceilf(b);
    case 7: return __builtin_truncf(a) - __builtin_rintf(b);
    case 8: return __builtin_fabsf(a) * -b;
    case 9: return a < b ? a : b;
    case 10: return (float)((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * !(a < b));
    case 11: return a > -2e9f && a < 2e9f ? (float)(int)a + b : b;
    case 12: return a >= 0 && a < 4e9f ? (float)(unsigned)a - b : b;
    case 13: return (float)((double)a * (double)b + 1.0);
    case 14: return a > b ? a - b : a * 0.5f;
    case 15: return __builtin_isnan(a) ? 1 : __builtin_isinf(a) ? 2 : __builtin_isnormal(a) ? 3 : 4;
    case 16: return __builtin_copysignf(a, b);
    default: return a;
    }
})
BOTH(doubles,
static double doubles(int which, double a, double b) {
    switch (which) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a / b;
    case 4: return __builtin_fma(a, b, a);
    case 5: return __builtin_sqrt(a) + b;
    case 6: return __builtin_floor(a) + __builtin_ceil(b);
    case 7: return __builtin_trunc(a) - __builtin_rint(b);
    case 8: return __builtin_fabs(a) * -b;
    case 9: return a < b ? a : b;
    case 10: return (double)((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * !(a < b));
    case 11: return a > -2e9 && a < 2e9 ? (double)(int)a + b : b;
    case 12: return a > -9e18 && a < 9e18 ? (double)(long long)a + b : b;
    case 13: return a >= 0 && a < 1e19 ? (double)(unsigned long long)a + b : b;
    case 14: return a > b ? a - b : a * 0.5;
    case 15: return (double)(float)a + b;
    case 16: return __builtin_copysign(a, b);
    default: return a;
    }
})
/* clang-format on */

enum { INTEGERS = 29, WIDES = 17, FLOATS = 18, DOUBLES = 18, MOST = 64 };

static const uint32_t words[] = {
    0,          1,          2,          3,          5,          7,          31,         32,
    33,         63,         64,         127,        128,        255,        256,        0x7fff,
    0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,   0x1000000,  0x7fffffff,
    0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef, 0x55555555, 0xaaaaaaaa,
};
static const uint64_t long_words[] = {
    0,
    1,
    2,
    3,
    63,
    64,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x123456789abcdef0,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x8000000000000001,
    0xfffffffffffffffe,
    0xffffffffffffffff,
    0xdeadbeefcafebabe,
    1000000007,
    0x00ff00ff00ff00ff,
};
static const float singles[] = {
    0,
    -0.0f,
    1,
    -1,
    0.5f,
    -0.5f,
    1.5f,
    2.5f,
    -2.5f,
    3,
    0.1f,
    1e-10f,
    1e10f,
    -1e10f,
    1e38f,
    -1e38f,
    3.4e38f,
    1e-38f,
    -1e-38f,
    1e-45f,
    -1e-45f,
    1e-40f,
    16777216,
    8388607.5f,
    2147483648.f,
    4294967040.f,
    INFINITY,
    -INFINITY,
    NAN,
    0.99999994f,
    1.00000012f,
    123.456f,
    1.17549435e-38f,
    1e20f,
};
static const double longs[] = {
    0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3,
    0.1,
    1e-100,
    1e100,
    -1e100,
    1e308,
    -1e308,
    1e-308,
    -1e-308,
    5e-324,
    -5e-324,
    1e-310,
    4503599627370495.5,
    9007199254740993.0,
    2147483648.0,
    4294967295.0,
    INFINITY,
    -INFINITY,
    NAN,
    0.9999999999999999,
    1.0000000000000002,
    123.456,
    2.2250738585072014e-308,
    1e200,
};

static const char kernel_format[] =
    "#pragma clang fp contract(off)\n"
    "__device__ %s\n"
    "extern \"C\" __global__ void k(int count, int n, const %s *v, %s *out) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n * n) for (int which = 0; which < count; which++)\n"
    "        out[which * n * n + i] = %s(which, v[i / n], v[i %% n]);\n"
    "}\n";

static void launch(const char *source, const char *name, unsigned grid, unsigned group,
                   void **arguments)
{
    hipModule_t module = module_of(source);
    hipFunction_t function;
    OK(hipModuleGetFunction(&function, module, name));
    OK(hipModuleLaunchKernel(function, grid, 1, 1, group, 1, 1, 0, NULL, arguments, NULL));
    OK(hipDeviceSynchronize());
    OK(hipModuleUnload(module));
}

/* The results of each operation for all pairs of the values; free them. */
static void *results(const char *text, const char *type, const char *name, int count,
                     const void *values, int n, size_t size)
{
    char *source = malloc(strlen(text) + 1000);
    void *given = NULL, *out = NULL;
    size_t bytes = (size_t)count * (size_t)n * (size_t)n * size;
    assert_non_null(source);
    sprintf(source, kernel_format, text, type, type, name);
    OK(hipMalloc(&given, (size_t)n * size));
    OK(hipMalloc(&out, bytes));
    OK(hipMemcpy(given, values, (size_t)n * size, hipMemcpyHostToDevice));
    launch(source, "k", (unsigned)(n * n + 255) / 256, 256, (void *[]){&count, &n, &given, &out});
    void *all = malloc(bytes);
    assert_non_null(all);
    OK(hipMemcpy(all, out, bytes, hipMemcpyDeviceToHost));
    OK(hipFree(given));
    OK(hipFree(out));
    free(source);
    return all;
}

#define COUNT(values) ((int)(sizeof(values) / sizeof(values)[0]))

static void on_integers(void **state)
{
    int n = COUNT(words), at = 0;
    uint32_t *got = results(integers_text, "unsigned", "integers", INTEGERS, words, n, 4);
    for (int which = 0; which < INTEGERS; which++) {
        for (int i = 0; i < n * n; i++, at++) {
            uint32_t wanted = integers(which, words[i / n], words[i % n]);
            if (got[at] != wanted) {
                fail_msg("operation %d of 0x%x and 0x%x: 0x%x, not 0x%x", which, words[i / n],
                         words[i % n], got[at], wanted);
            }
        }
    }
    print_message("%d results are equal\n", at);
    free(got);
}

static void on_long_integers(void **state)
{
    int n = COUNT(long_words), at = 0;
    uint64_t *got = results(wides_text, "unsigned long long", "wides", WIDES, long_words, n, 8);
    for (int which = 0; which < WIDES; which++) {
        for (int i = 0; i < n * n; i++, at++) {
            uint64_t wanted = wides(which, long_words[i / n], long_words[i % n]);
            if (got[at] != wanted) {
                fail_msg("operation %d of 0x%lx and 0x%lx: 0x%lx, not 0x%lx", which,
                         long_words[i / n], long_words[i % n], got[at], wanted);
            }
        }
    }
    print_message("%d results are equal\n", at);
    free(got);
}

static void on_floats(void **state)
{
    int n = COUNT(singles), at = 0;
    float *got = results(floats_text, "float", "floats", FLOATS, singles, n, 4);
    for (int which = 0; which < FLOATS; which++) {
        for (int i = 0; i < n * n; i++, at++) {
            float wanted = floats(which, singles[i / n], singles[i % n]);
            if (memcmp(&got[at], &wanted, 4) != 0 && !(isnan(got[at]) && isnan(wanted))) {
                fail_msg("operation %d of %a and %a: %a, not %a", which, (double)singles[i / n],
                         (double)singles[i % n], (double)got[at], (double)wanted);
            }
        }
    }
    print_message("%d results are equal\n", at);
    free(got);
}

static void on_doubles(void **state)
{
    int n = COUNT(longs), at = 0;
    double *got = results(doubles_text, "double", "doubles", DOUBLES, longs, n, 8);
    for (int which = 0; which < DOUBLES; which++) {
        for (int i = 0; i < n * n; i++, at++) {
            double wanted = doubles(which, longs[i / n], longs[i % n]);
            if (memcmp(&got[at], &wanted, 8) != 0 && !(isnan(got[at]) && isnan(wanted))) {
                fail_msg("operation %d of %a and %a: %a, not %a", which, longs[i / n], longs[i % n],
                         got[at], wanted);
            }
        }
    }
    print_message("%d results are equal\n", at);
    free(got);
}

/* --- what a group shares --- */

static const char shares[] =
    "extern \"C\" __global__ void total(const unsigned *x, unsigned *sum, unsigned *order) {\n"
    "    __shared__ unsigned part[256];\n"
    "    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;\n"
    "    part[t] = x[i];\n"
    "    __syncthreads();\n"
    "    for (unsigned k = 128; k > 0; k /= 2) {\n"
    "        if (t < k) part[t] += part[t + k];\n"
    "        __syncthreads();\n"
    "    }\n"
    "    if (t == 0) atomicAdd(sum, part[0]);\n"
    "    order[i] = __shfl(x[i], (t + 1) % warpSize) + "
    "__shfl_xor(x[i], 5) + "
    "(unsigned)__popcll(__ballot(x[i] & 1));\n"
    "}\n";

static uint32_t lanes_of_wave(void)
{
    int lanes = 0;
    OK(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0));
    return (uint32_t)lanes;
}

static void groups_share_memory_and_lanes(void **state)
{
    enum { N = 4096 };
    static uint32_t x[N], order[N];
    uint32_t sum = 0, wanted = 0, lanes = lanes_of_wave();
    void *given, *total, *out;
    for (uint32_t i = 0; i < N; i++) {
        x[i] = i * 2654435761u >> 7;
        wanted += x[i];
    }
    OK(hipMalloc(&given, sizeof x));
    OK(hipMalloc(&out, sizeof x));
    OK(hipMalloc(&total, 4));
    OK(hipMemcpy(given, x, sizeof x, hipMemcpyHostToDevice));
    OK(hipMemset(total, 0, 4));
    launch(shares, "total", N / 256, 256, (void *[]){&given, &total, &out});
    OK(hipMemcpy(&sum, total, 4, hipMemcpyDeviceToHost));
    OK(hipMemcpy(order, out, sizeof order, hipMemcpyDeviceToHost));
    assert_int_equal(sum, wanted);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t base = i / lanes * lanes, odd = 0;
        for (uint32_t k = 0; k < lanes; k++) {
            odd += x[base + k] & 1;
        }
        assert_int_equal(order[i], x[base + (i + 1) % lanes] + x[i ^ 5] + odd);
    }
    OK(hipFree(given));
    OK(hipFree(out));
    OK(hipFree(total));
}

/* --- calls, memory of a work-item, and functions of the device library --- */

static const char items[] =
    "__device__ __attribute__((noinline)) int fibonacci(int n) {\n"
    "    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);\n"
    "}\n"
    "extern \"C\" __global__ void k(int *out, float *sines, double *big) {\n"
    "    int t = threadIdx.x, a[64], sum = 0;\n"
    "    for (int i = 0; i < 64; i++) a[(i * 7 + t) % 64] = i * t;\n"
    "    for (int i = 0; i < 64; i++) sum = sum * 3 + a[i];\n"
    "    out[t] = sum;\n"
    "    out[128 + t] = fibonacci(t % 12);\n"
    "    sines[t] = sinf(t * 1000.0f) + expf(t * 0.25f) + logf(t + 0.5f);\n"
    "    big[t] = sin(t * 1e18) + cos(t * 1e-3) + cbrt(t + 1.0);\n"
    "}\n";

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void work_items_call_and_have_memory(void **state)
{
    int got[256];
    float sines[128];
    double big[128];
    void *out, *floats, *doubles;
    OK(hipMalloc(&out, sizeof got));
    OK(hipMalloc(&floats, sizeof sines));
    OK(hipMalloc(&doubles, sizeof big));
    launch(items, "k", 1, 128, (void *[]){&out, &floats, &doubles});
    OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    OK(hipMemcpy(sines, floats, sizeof sines, hipMemcpyDeviceToHost));
    OK(hipMemcpy(big, doubles, sizeof big, hipMemcpyDeviceToHost));
    for (int t = 0; t < 128; t++) {
        int a[64];
        uint32_t sum = 0;
        for (int i = 0; i < 64; i++) {
            a[(i * 7 + t) % 64] = i * t;
        }
        for (int i = 0; i < 64; i++) {
            sum = sum * 3 + (uint32_t)a[i];
        }
        assert_int_equal(got[t], (int)sum);
        assert_int_equal(got[128 + t], fibonacci(t % 12));
        double wanted = sin((double)(t * 1000.0f)) + exp(t * 0.25) + log(t + 0.5);
        if (fabs((double)sines[t] - wanted) > 4e-7 * (fabs(wanted) + 1)) {
            fail_msg("float functions of %d: %.9g, not %.9g", t, (double)sines[t], wanted);
        }
        wanted = sin(t * 1e18) + cos(t * 1e-3) + cbrt(t + 1.0);
        if (fabs(big[t] - wanted) > 1e-15 * (fabs(wanted) + 4)) {
            fail_msg("double functions of %d: %.17g, not %.17g", t, big[t], wanted);
        }
    }
    OK(hipFree(out));
    OK(hipFree(floats));
    OK(hipFree(doubles));
}

/* Before HIP 6 hiprtc compiles malloc() to an abort. */
static const char heap[] =
    "extern \"C\" __global__ void k(unsigned *out) {\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0, size = 8 + i % 300;\n"
    "    unsigned *mine = (unsigned *)malloc(size * 4);\n"
    "    for (unsigned k = 0; mine && k < size; k++) mine[k] = i * k;\n"
    "    __syncthreads();\n"
    "    for (unsigned k = 0; mine && k < size; k++) sum += mine[k];\n"
    "    free(mine);\n"
    "    out[i] = sum;\n"
    "}\n";

static void work_items_allocate_memory(void **state)
{
    uint32_t got[1024];
    void *out;
    if (HIP_BEFORE(6, 0)) {
        skip();
    }
    OK(hipMalloc(&out, sizeof got));
    for (int turn = 0; turn < 2; turn++) {
        launch(heap, "k", 4, 256, (void *[]){&out});
        OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
        for (uint32_t i = 0; i < 1024; i++) {
            uint32_t size = 8 + i % 300;
            assert_int_equal(got[i], i * (size * (size - 1) / 2));
        }
    }
    OK(hipFree(out));
}

/* Buffers by their descriptor: words with and without an index, beyond the end, and atomics.  The
 * descriptor's last word says on gfx1100 how bounds are meant. */
static const char buffers[] =
    "#ifdef __gfx942__\n#define OLD \"sc0\"\n#else\n#define OLD \"glc\"\n#endif\n"
    "#ifdef __gfx1100__\n#define BYTES 0x31004000\n#define ROWS 0x11004000\n"
    "#else\n#define BYTES 0x27000\n#define ROWS 0x27000\n#endif\n"
    "typedef unsigned words __attribute__((ext_vector_type(4)));\n"
    "typedef unsigned two __attribute__((ext_vector_type(2)));\n"
    "extern \"C\" __global__ void k(unsigned *data, unsigned *out) {\n"
    "    unsigned i = threadIdx.x, r, old = 7, new_ = 100 + i, swapped = 1000 + i;\n"
    "    unsigned long long at = (unsigned long long)data;\n"
    "    unsigned low = __builtin_amdgcn_readfirstlane((unsigned)at);\n"
    "    unsigned high = __builtin_amdgcn_readfirstlane((unsigned)(at >> 32));\n"
    "    words raw = {low, high, 400, BYTES}, rows = {low, high | 12 << 16, 40, ROWS}, four;\n"
    "    two both = {i, 8};\n"
    "    asm volatile(\"buffer_load_dwordx4 %0, %1, %2, 0 offen offset:4\\ns_waitcnt vmcnt(0)\"\n"
    "        : \"=v\"(four) : \"v\"(i * 8), \"s\"(raw));\n"
    "    out[i] = four.x, out[64 + i] = four.w;\n"
    "    asm volatile(\"buffer_load_dword %0, %1, %2, 0 idxen offset:4\\ns_waitcnt vmcnt(0)\"\n"
    "        : \"=v\"(r) : \"v\"(i), \"s\"(rows));\n"
    "    out[128 + i] = r;\n"
    "    asm volatile(\"buffer_load_dword %0, %1, %2, 0 idxen offen\\ns_waitcnt vmcnt(0)\"\n"
    "        : \"=v\"(r) : \"v\"(both), \"s\"(rows));\n"
    "    out[192 + i] = r;\n"
    "    __syncthreads();\n"
    "    asm volatile(\"buffer_store_dword %0, %1, %2, 0 idxen\\ns_waitcnt vmcnt(0)\"\n"
    "        : : \"v\"(new_), \"v\"(i), \"s\"(rows) : \"memory\");\n"
    "    __syncthreads();\n"
    "    asm volatile(\"buffer_atomic_add %0, %1, %2, 0 offen \" OLD \"\\ns_waitcnt vmcnt(0)\"\n"
    "        : \"+v\"(old) : \"v\"(i % 2 * 4 + 384), \"s\"(raw) : \"memory\");\n"
    "    out[256 + i] = old;\n"
    "    __syncthreads();\n"
    "    two pair = {swapped, i + 100};\n"
    "    asm volatile(\"buffer_atomic_cmpswap %0, %1, %2, 0 idxen\\ns_waitcnt vmcnt(0)\"\n"
    "        : : \"v\"(pair), \"v\"(i), \"s\"(rows) : \"memory\");\n"
    "}\n";

static void buffers_have_descriptors(void **state)
{
    uint32_t before[192], after[192], got[320];
    void *data, *out;
    for (uint32_t i = 0; i < 192; i++) {
        before[i] = i * 3 + 1;
    }
    OK(hipMalloc(&data, sizeof before));
    OK(hipMalloc(&out, sizeof got));
    OK(hipMemcpy(data, before, sizeof before, hipMemcpyHostToDevice));
    launch(buffers, "k", 1, 64, (void *[]){&data, &out});
    OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    OK(hipMemcpy(after, data, sizeof after, hipMemcpyDeviceToHost));
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(got[i], i * 8 + 4 + 4 <= 400 ? before[i * 2 + 1] : 0);
        assert_int_equal(got[64 + i], i * 8 + 4 + 16 <= 400 ? before[i * 2 + 4] : 0);
        assert_int_equal(got[128 + i], i < 40 ? before[i * 3 + 1] : 0);
        assert_int_equal(got[192 + i], i < 40 ? before[i * 3 + 2] : 0);
        uint32_t first = 96 + i % 2; /* 96 was stored before, as the first word of row 32 */
        assert_int_equal(got[256 + i], (first == 96 ? 132 : before[97]) + i / 2 * 7);
        assert_int_equal(after[i * 3], i >= 40 ? before[i * 3] : i == 32 ? 132 + 32 * 7 : 1000 + i);
    }
    assert_int_equal(after[97], before[97] + 32 * 7);
    OK(hipFree(data));
    OK(hipFree(out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_integers),
        cmocka_unit_test(on_long_integers),
        cmocka_unit_test(on_floats),
        cmocka_unit_test(on_doubles),
        cmocka_unit_test(groups_share_memory_and_lanes),
        cmocka_unit_test(work_items_call_and_have_memory),
        cmocka_unit_test(work_items_allocate_memory),
        cmocka_unit_test(buffers_have_descriptors),
    };
    return cmocka_run_group_tests_name("kernels compute", tests, NULL, NULL);
}
