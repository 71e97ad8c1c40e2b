/* SPDX-License-Identifier: MIT */
/*
 * The matrix operations of gfx90a, gfx942 and gfx1100: D = A B + C for blocks of matrices.  All
 * numbers are small and whole, so each form has to give the same as the sum on the host.  Lanes and
 * registers are as AMD documents them for the instructions: element k of row i of A in block b is
 * in lane i + M (b + blocks (k / held)), as number k % held of that lane.  Those of gfx1100 are of
 * 16 x 16 numbers: a lane holds a whole row of A and a column of B, and every second row of a
 * column of D.
 */
#include "gpu.h"

enum { LANES = 64, HELD_MAX = 4, REGISTERS_MAX = 32 };

static const struct shape {
    const char *name, *type; /* of the numbers that a lane holds of A and of B */
    int size, held, blocks;  /* of the matrices, of the numbers in a lane */
    int depth;               /* K */
    const char *only;        /* the processor that has it, if it is one of the two */
} shapes[] = {
    {"f32_32x32x1f32", "float", 32, 1, 2, 1, NULL},
    {"f32_16x16x1f32", "float", 16, 1, 4, 1, NULL},
    {"f32_4x4x1f32", "float", 4, 1, 16, 1, NULL},
    {"f32_32x32x2f32", "float", 32, 1, 1, 2, NULL},
    {"f32_16x16x4f32", "float", 16, 1, 1, 4, NULL},
    {"f32_32x32x4f16", "half", 32, 4, 2, 4, NULL},
    {"f32_16x16x4f16", "half", 16, 4, 4, 4, NULL},
    {"f32_4x4x4f16", "half", 4, 4, 16, 4, NULL},
    {"f32_32x32x8f16", "half", 32, 4, 1, 8, NULL},
    {"f32_16x16x16f16", "half", 16, 4, 1, 16, NULL},
    {"f32_32x32x2bf16", "brain", 32, 2, 2, 2, "gfx90a"},
    {"f32_16x16x2bf16", "brain", 16, 2, 4, 2, "gfx90a"},
    {"f32_4x4x2bf16", "brain", 4, 2, 16, 2, "gfx90a"},
    {"f32_32x32x4bf16", "brain", 32, 2, 1, 4, "gfx90a"},
    {"f32_16x16x8bf16", "brain", 16, 2, 1, 8, "gfx90a"},
    {"f32_32x32x4bf16_1k", "brain", 32, 4, 2, 4, NULL},
    {"f32_16x16x4bf16_1k", "brain", 16, 4, 4, 4, NULL},
    {"f32_4x4x4bf16_1k", "brain", 4, 4, 16, 4, NULL},
    {"f32_32x32x8bf16_1k", "brain", 32, 4, 1, 8, NULL},
    {"f32_16x16x16bf16_1k", "brain", 16, 4, 1, 16, NULL},
    {"i32_32x32x4i8", "byte", 32, 4, 2, 4, NULL},
    {"i32_16x16x4i8", "byte", 16, 4, 4, 4, NULL},
    {"i32_4x4x4i8", "byte", 4, 4, 16, 4, NULL},
    {"i32_32x32x8i8", "byte", 32, 4, 1, 8, "gfx90a"},
    {"i32_16x16x16i8", "byte", 16, 4, 1, 16, "gfx90a"},
    {"f64_16x16x4f64", "double", 16, 1, 1, 4, NULL},
    {"f64_4x4x4f64", "double", 4, 1, 4, 4, NULL},
    {"i32_32x32x16_i8", "byte", 32, 8, 1, 16, "gfx942"},
    {"i32_16x16x32_i8", "byte", 16, 8, 1, 32, "gfx942"},
    {"f32_32x32x16_fp8_fp8", "fp8 fp8", 32, 8, 1, 16, "gfx942"},
    {"f32_32x32x16_bf8_fp8", "bf8 fp8", 32, 8, 1, 16, "gfx942"},
    {"f32_16x16x32_fp8_bf8", "fp8 bf8", 16, 8, 1, 32, "gfx942"},
    {"f32_16x16x32_bf8_bf8", "bf8 bf8", 16, 8, 1, 32, "gfx942"},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static hipModule_t module;
static char processor[256];

static bool is_there(const struct shape *shape)
{
    return !shape->only || strncmp(processor, shape->only, strlen(shape->only)) == 0;
}

static int registers(const struct shape *shape)
{
    return shape->size * shape->size * shape->blocks / LANES;
}

static bool is(const struct shape *shape, const char *type)
{
    return strcmp(shape->type, type) == 0;
}

static int a_of(int row, int k, int block)
{
    return (row * 3 + k * 5 + block * 7) % 11 - 5;
}

static int b_of(int column, int k, int block)
{
    return (column * 2 + k * 3 + block) % 7 - 3;
}

static int c_of(int lane, int index)
{
    return lane + index * 100;
}

static bool is_small(const struct shape *shape)
{
    return strstr(shape->type, "8 ") != NULL;
}

/* A small whole number with so many digits behind the point: 3 for fp8, 2 for bf8. */
static unsigned char small_of(int value, int digits)
{
    int exponent = 0, size = abs(value);
    while (size >> (exponent + 1)) {
        exponent++;
    }
    int bias = digits == 3 ? 8 : 16, rest = (size << digits >> exponent) - (1 << digits);
    return size ? (unsigned char)((value < 0) << 7 | (exponent + bias) << digits | rest) : 0;
}

/* One number of a lane, in its place there. */
static void put(const struct shape *shape, unsigned char *lane, int at, int value, bool is_b)
{
    if (is_small(shape)) {
        lane[at] = small_of(value, shape->type[is_b ? 4 : 0] == 'f' ? 3 : 2);
        return;
    }
    float single = (float)value;
    double wide = value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    uint16_t brain = (uint16_t)(bits >> 16);
    uint16_t half = value ? (uint16_t)((bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 |
                                       (bits >> 13 & 0x3ff))
                          : 0;
    int8_t byte = (int8_t)value;
    if (is(shape, "double")) {
        memcpy(lane, &wide, sizeof wide);
    } else if (is(shape, "float")) {
        memcpy(lane, &single, sizeof single);
    } else if (is(shape, "byte")) {
        memcpy(lane + at, &byte, 1);
    } else {
        memcpy(lane + at * 2, is(shape, "half") ? &half : &brain, 2);
    }
}

/* A or B in the lanes, 8 bytes for each. */
static void *spread(const struct shape *shape, int (*value)(int, int, int))
{
    unsigned char lanes[LANES][8] = {{0}};
    void *memory;
    for (int block = 0; block < shape->blocks; block++) {
        for (int row = 0; row < shape->size; row++) {
            for (int k = 0; k < shape->depth; k++) {
                int lane = row + shape->size * (block + shape->blocks * (k / shape->held));
                put(shape, lanes[lane], k % shape->held, value(row, k, block), value == b_of);
            }
        }
    }
    OK(hipMalloc(&memory, sizeof lanes));
    OK(hipMemcpy(memory, lanes, sizeof lanes, hipMemcpyHostToDevice));
    return memory;
}

/* The lane and the register of an element of D. */
static void place(const struct shape *shape, int row, int column, int block, int *lane, int *index)
{
    int rows = is(shape, "double") ? 1 : 4; /* that follow each other in a lane */
    int groups = shape->size == 4 ? 1 : LANES / shape->size;
    *lane = column + shape->size * (row / rows % groups);
    *index = block * registers(shape) / shape->blocks + row / rows / groups * rows + row % rows;
    if (shape->size == 4) { /* the blocks are beside each other */
        *lane = column + 4 * block + (rows == 1 ? 16 * row : 0);
        *index = rows == 1 ? 0 : row;
    }
}

static void check(const struct shape *shape)
{
    double got[LANES * REGISTERS_MAX]; /* the kernel writes all results as doubles */
    int held = registers(shape), lane, index;
    void *a = spread(shape, a_of), *b = spread(shape, b_of), *d;
    char name[64];
    hipFunction_t function;
    OK(hipMalloc(&d, sizeof got));
    snprintf(name, sizeof name, "k_%s", shape->name);
    OK(hipModuleGetFunction(&function, module, name));
    OK(hipModuleLaunchKernel(function, 1, 1, 1, LANES, 1, 1, 0, NULL, (void *[]){&a, &b, &d},
                             NULL));
    OK(hipMemcpy(got, d, sizeof(double) * LANES * (size_t)held, hipMemcpyDeviceToHost));
    for (int block = 0; block < shape->blocks; block++) {
        for (int n = 0; n < shape->size * shape->size; n++) {
            int row = n % shape->size, column = n / shape->size;
            place(shape, row, column, block, &lane, &index);
            int wanted = c_of(lane, index);
            for (int k = 0; k < shape->depth; k++) {
                wanted += a_of(row, k, block) * b_of(column, k, block);
            }
            if (got[lane * held + index] != wanted) {
                fail_msg("%s, row %d, column %d, block %d: %g, wanted %d", shape->name, row, column,
                         block, got[lane * held + index], wanted);
            }
        }
    }
    OK(hipFree(a));
    OK(hipFree(b));
    OK(hipFree(d));
}

static bool is_rdna(void)
{
    return strncmp(processor, "gfx11", 5) == 0;
}

static void products_are_right(void **state)
{
    if (is_rdna()) {
        skip();
    }
    int checked = 0;
    for (int i = 0; i < SHAPES; i++) {
        if (is_there(&shapes[i])) {
            check(&shapes[i]);
            checked++;
        }
    }
    print_message("%d forms are right\n", checked);
}

/* --- numbers of 8 bits on gfx942 --- */

static const char conversions[] =
    "extern \"C\" __global__ void decode(float *f) {\n"
    "    int i = threadIdx.x, codes = i | (i + 1 & 255) << 24;\n"
    "    f[i] = __builtin_amdgcn_cvt_f32_fp8(codes, 0);\n"
    "    f[256 + i] = __builtin_amdgcn_cvt_f32_bf8(codes, 0);\n"
    "    f[512 + i] = __builtin_amdgcn_cvt_f32_fp8(codes, 3);\n"
    "    f[768 + i] = __builtin_amdgcn_cvt_pk_f32_bf8(codes, true)[1];\n"
    "}\n"
    "extern \"C\" __global__ void encode(const float *f, unsigned *out) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    out[i] = __builtin_amdgcn_cvt_pk_bf8_f32(f[i], f[i],\n"
    "        __builtin_amdgcn_cvt_pk_fp8_f32(f[i], f[i], 0, false), true);\n"
    "}\n";

static float number_of(int code, int digits)
{
    int bias = digits == 3 ? 8 : 16, exponent = (code & 127) >> digits, one = 1 << digits;
    int whole = (code & (one - 1)) + (exponent ? one : 0);
    double value = whole;
    for (int i = exponent ? exponent : 1; i < bias + digits; i++) {
        value /= 2;
    }
    for (int i = bias + digits; i < exponent; i++) {
        value *= 2;
    }
    return (float)(code & 128 ? -value : value);
}

/* What is nearest to x, by trying them all; beyond half a step after the largest it is the NaN. */
static int nearest_to(float x, int digits)
{
    int best = 0;
    double step = (double)number_of(127, digits) - (double)number_of(126, digits);
    double size = x < 0 ? -(double)x : (double)x;
    if (!(size < (double)number_of(127, digits) + step / 2)) {
        return 128;
    }
    for (int code = 1; code < 128; code++) {
        double to_best = size - (double)number_of(best, digits);
        double to_this = (double)number_of(code, digits) - size;
        best = to_this < to_best || (to_this == to_best && !(code & 1)) ? code : best;
    }
    return best && x < 0 ? best | 128 : best;
}

static void numbers_of_8_bits_are_converted(void **state)
{
    enum { STEPS = 1024 };
    static float given[STEPS], decoded[1024];
    static uint32_t encoded[STEPS];
    void *floats, *codes;
    hipFunction_t decode, encode;
    if (strncmp(processor, "gfx942", 6) != 0) {
        skip();
    }
    hipModule_t converts = module_of(conversions);
    for (int i = 0; i < STEPS; i++) { /* numbers, their middles, and what is beside these */
        float from = number_of(i / 8, i & 1 ? 3 : 2), to = number_of(i / 8 + 1, i & 1 ? 3 : 2);
        float middle = (from + to) / 2;
        given[i] = i >> 1 & 1   ? (i >> 2 & 1 ? middle : middle * 1.00001f)
                   : i >> 2 & 1 ? from
                                : -middle;
    }
    given[STEPS - 1] = 1e30f;
    given[STEPS - 2] = -1.f / 0.f;
    OK(hipMalloc(&floats, sizeof given));
    OK(hipMalloc(&codes, sizeof encoded));
    OK(hipModuleGetFunction(&decode, converts, "decode"));
    OK(hipModuleGetFunction(&encode, converts, "encode"));
    OK(hipModuleLaunchKernel(decode, 1, 1, 1, 256, 1, 1, 0, NULL, (void *[]){&floats}, NULL));
    OK(hipMemcpy(decoded, floats, sizeof decoded, hipMemcpyDeviceToHost));
    OK(hipMemcpy(floats, given, sizeof given, hipMemcpyHostToDevice));
    OK(hipModuleLaunchKernel(encode, STEPS / 256, 1, 1, 256, 1, 1, 0, NULL,
                             (void *[]){&floats, &codes}, NULL));
    OK(hipMemcpy(encoded, codes, sizeof encoded, hipMemcpyDeviceToHost));
    for (int i = 0; i < 1024; i++) {
        int code = i / 512 ? (i + 1) % 256 : i % 256, digits = i / 256 % 2 ? 2 : 3;
        if (code == 128 ? decoded[i] == decoded[i] : decoded[i] != number_of(code, digits)) {
            fail_msg("code 0x%x, %d digits: %a", code, digits, (double)decoded[i]);
        }
    }
    for (int i = 0; i < STEPS; i++) {
        uint32_t wanted =
            (uint32_t)(nearest_to(given[i], 3) * 0x101 | nearest_to(given[i], 2) * 0x1010000);
        if (encoded[i] != wanted) {
            fail_msg("%a: 0x%x, not 0x%x", (double)given[i], encoded[i], wanted);
        }
    }
    OK(hipModuleUnload(converts));
    OK(hipFree(floats));
    OK(hipFree(codes));
}

/* --- gfx1100 --- */

/* A kernel for each type of the result and of the factors. */
static const char squares[] =
    "typedef _Float16 V_half __attribute__((ext_vector_type(16)));\n"
    "typedef short V_brain __attribute__((ext_vector_type(16)));\n"
    "typedef float V_float __attribute__((ext_vector_type(8)));\n"
    "typedef int V_int __attribute__((ext_vector_type(8)));\n"
    "typedef int V_byte __attribute__((ext_vector_type(4)));\n"
    "typedef int V_nibble __attribute__((ext_vector_type(2)));\n"
    "__device__ int a_of(int row, int k) { return (row * 3 + k * 5) % 5 - 2; }\n"
    "__device__ int b_of(int k, int column) { return (column * 2 + k * 3) % 5 - 2; }\n"
    "__device__ int c_of(int row, int column) { return row - column; }\n"
    "__device__ short brain(float x) { return (short)(__float_as_uint(x) >> 16); }\n"
    "#define NUMBER(x) x\n#define OF_BRAIN(x) __uint_as_float((unsigned)(x) << 16)\n"
    "#define FLOATS(name, T, make, C, each, of, from, ...)\\\n"
    "extern \"C\" __global__ void name(int *out) {\\\n"
    "    int lane = threadIdx.x, l = lane % 16; T a, b; C c;\\\n"
    "    for (int k = 0; k < 16; k++) { a[k] = make(a_of(l, k)); b[k] = make(b_of(k, l)); }\\\n"
    "    for (int k = 0; k < 8; k++) c[k * each] = of(c_of(k * 2 + lane / 16, l));\\\n"
    "    c = __builtin_amdgcn_wmma_##name##_w32(a, b, c __VA_ARGS__);\\\n"
    "    for (int k = 0; k < 8; k++)\\\n"
    "        out[(k * 2 + lane / 16) * 16 + l] = (int)from(c[k * each]);\\\n"
    "}\n"
    "FLOATS(f32_16x16x16_f16, V_half, NUMBER, V_float, 1, NUMBER, NUMBER)\n"
    "FLOATS(f32_16x16x16_bf16, V_brain, brain, V_float, 1, NUMBER, NUMBER)\n"
    "FLOATS(f16_16x16x16_f16, V_half, NUMBER, V_half, 2, NUMBER, NUMBER, , false)\n"
    "FLOATS(bf16_16x16x16_bf16, V_brain, brain, V_brain, 2, brain, OF_BRAIN, , false)\n"
    "#define WHOLES(name, T, bits)\\\n"
    "extern \"C\" __global__ void name(int *out) {\\\n"
    "    int lane = threadIdx.x, l = lane % 16, mask = (1 << bits) - 1; T a = 0, b = 0; V_int "
    "c;\\\n"
    "    for (int k = 0; k < 16; k++) {\\\n"
    "        a[k * bits / 32] |= (a_of(l, k) & mask) << k * bits % 32;\\\n"
    "        b[k * bits / 32] |= (b_of(k, l) + 2 & mask) << k * bits % 32;\\\n"
    "    }\\\n"
    "    for (int k = 0; k < 8; k++) c[k] = c_of(k * 2 + lane / 16, l) + 1000;\\\n"
    "    c = __builtin_amdgcn_wmma_##name##_w32(true, a, false, b, c, false);\\\n"
    "    for (int k = 0; k < 8; k++) {\\\n"
    "        int row = k * 2 + lane / 16, sum = c[k] - 1000;\\\n"
    "        for (int n = 0; n < 16; n++) sum -= 2 * a_of(row, n);\\\n"
    "        out[row * 16 + l] = sum;\\\n"
    "    }\\\n"
    "}\n"
    "WHOLES(i32_16x16x16_iu8, V_byte, 8)\nWHOLES(i32_16x16x16_iu4, V_nibble, 4)\n";

static const char *const square_names[] = {"f32_16x16x16_f16", "f32_16x16x16_bf16",
                                           "f16_16x16x16_f16", "bf16_16x16x16_bf16",
                                           "i32_16x16x16_iu8", "i32_16x16x16_iu4"};

static void squares_are_right(void **state)
{
    int got[256];
    void *out;
    if (!is_rdna()) {
        skip();
    }
    OK(hipMalloc(&out, sizeof got));
    for (size_t i = 0; i < sizeof square_names / sizeof square_names[0]; i++) {
        hipFunction_t function;
        OK(hipModuleGetFunction(&function, module, square_names[i]));
        OK(hipMemset(out, 0xff, sizeof got));
        OK(hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&out}, NULL));
        OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
        for (int n = 0; n < 256; n++) {
            int row = n / 16, column = n % 16, wanted = row - column;
            for (int k = 0; k < 16; k++) {
                wanted += ((row * 3 + k * 5) % 5 - 2) * ((column * 2 + k * 3) % 5 - 2);
            }
            if (got[n] != wanted) {
                fail_msg("%s, row %d, column %d: %d, wanted %d", square_names[i], row, column,
                         got[n], wanted);
            }
        }
    }
    OK(hipFree(out));
}

/* A kernel for each shape; `a` and `b` have 8 bytes for a lane. */
static void write_kernel(FILE *to, const struct shape *shape)
{
    const char *result = is(shape, "double") ? "double" : is(shape, "byte") ? "int" : "float";
    const char *type = is(shape, "double")  ? "double"
                       : is_small(shape)    ? "long"
                       : is(shape, "byte")  ? (shape->held == 8 ? "long" : "int")
                       : is(shape, "float") ? "float"
                       : is(shape, "half")  ? "half4"
                       : shape->held == 2   ? "short2_"
                                            : "short4_";
    int held = registers(shape);
    fprintf(to,
            "typedef %s V_%s __attribute__((ext_vector_type(%d)));\n"
            "extern \"C\" __global__ void k_%s(const char *a, const char *b, double *d) {\n"
            "    int lane = threadIdx.x;\n    V_%s c;\n"
            "    for (int i = 0; i < %d; i++) c[i] = lane + i * 100;\n"
            "    c%s = __builtin_amdgcn_mfma_%s(*(const %s *)(a + lane * 8), "
            "*(const %s *)(b + lane * 8), c%s, 0, 0, 0);\n"
            "    for (int i = 0; i < %d; i++) d[lane * %d + i] = c[i];\n}\n",
            result, shape->name, held, shape->name, shape->name, held, held == 1 ? "[0]" : "",
            shape->name, type, type, held == 1 ? "[0]" : "", held, held);
}

static int load(void **state)
{
    char *source = NULL;
    size_t size = 0;
    hipDeviceProp_t properties;
    OK(hipGetDeviceProperties(&properties, 0));
    snprintf(processor, sizeof processor, "%s", properties.gcnArchName);
    if (is_rdna()) {
        module = module_of(squares);
        return 0;
    }
    FILE *to = open_memstream(&source, &size);
    fprintf(to, "typedef _Float16 half4 __attribute__((ext_vector_type(4)));\n"
                "typedef short short2_ __attribute__((ext_vector_type(2)));\n"
                "typedef short short4_ __attribute__((ext_vector_type(4)));\n");
    for (int i = 0; i < SHAPES; i++) {
        if (is_there(&shapes[i])) {
            write_kernel(to, &shapes[i]);
        }
    }
    fclose(to);
    module = module_of(source);
    free(source);
    return 0;
}

static int unload(void **state)
{
    OK(hipModuleUnload(module));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_right),
        cmocka_unit_test(numbers_of_8_bits_are_converted),
        cmocka_unit_test(squares_are_right),
    };
    return cmocka_run_group_tests_name("matrices are multiplied", tests, load, unload);
}
