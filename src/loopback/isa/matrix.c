/* SPDX-License-Identifier: MIT */
/*
 * Matrix operations (MFMA): D = A x B + C for blocks of matrices that are spread over the lanes.
 * A row of the table has the shape M x N x K with its blocks, and how many numbers of A and B a
 * lane holds.  Element k of row m of A in a block is in lane m + M * (block + blocks * (k / held)),
 * as number k % held; B has columns for rows.  D holds four rows of a column in four registers,
 * then the rows of the next lanes.
 *
 * Those of gfx1100 (WMMA) have one shape, 16 x 16 x 16: a lane holds a row of A and a column of B,
 * lanes from 16 on the same as those before, and D has its even rows in the first 16 lanes.
 */
#include "isa.h"
#include "numbers.h"

/* Of the smallest ones that of A and that of B. */
enum number { SINGLE, HALF, BRAIN, BYTE, DOUBLE, NIBBLE, FP8_FP8, FP8_BF8, BF8_FP8, BF8_BF8 };

struct shape {
    uint8_t m, k, blocks, held;
    enum number number;
};

/* Result and factors in the names of gfx90a and of gfx942 or later (0: it has none), M and N, K,
 * blocks, held numbers, their type. */
#define SHAPES(X)                                                                                  \
    X(f32, 32x32x1f32, 32x32x1_2b_f32, 32, 1, 2, 1, SINGLE)                                        \
    X(f32, 16x16x1f32, 16x16x1_4b_f32, 16, 1, 4, 1, SINGLE)                                        \
    X(f32, 4x4x1f32, 4x4x1_16b_f32, 4, 1, 16, 1, SINGLE)                                           \
    X(f32, 32x32x2f32, 32x32x2_f32, 32, 2, 1, 1, SINGLE)                                           \
    X(f32, 16x16x4f32, 16x16x4_f32, 16, 4, 1, 1, SINGLE)                                           \
    X(f32, 32x32x4f16, 32x32x4_2b_f16, 32, 4, 2, 4, HALF)                                          \
    X(f32, 16x16x4f16, 16x16x4_4b_f16, 16, 4, 4, 4, HALF)                                          \
    X(f32, 4x4x4f16, 4x4x4_16b_f16, 4, 4, 16, 4, HALF)                                             \
    X(f32, 32x32x8f16, 32x32x8_f16, 32, 8, 1, 4, HALF)                                             \
    X(f32, 16x16x16f16, 16x16x16_f16, 16, 16, 1, 4, HALF)                                          \
    X(f32, 32x32x2bf16, 0, 32, 2, 2, 2, BRAIN)                                                     \
    X(f32, 16x16x2bf16, 0, 16, 2, 4, 2, BRAIN)                                                     \
    X(f32, 4x4x2bf16, 0, 4, 2, 16, 2, BRAIN)                                                       \
    X(f32, 32x32x4bf16, 0, 32, 4, 1, 2, BRAIN)                                                     \
    X(f32, 16x16x8bf16, 0, 16, 8, 1, 2, BRAIN)                                                     \
    X(f32, 32x32x4bf16_1k, 32x32x4_2b_bf16, 32, 4, 2, 4, BRAIN)                                    \
    X(f32, 16x16x4bf16_1k, 16x16x4_4b_bf16, 16, 4, 4, 4, BRAIN)                                    \
    X(f32, 4x4x4bf16_1k, 4x4x4_16b_bf16, 4, 4, 16, 4, BRAIN)                                       \
    X(f32, 32x32x8bf16_1k, 32x32x8_bf16, 32, 8, 1, 4, BRAIN)                                       \
    X(f32, 16x16x16bf16_1k, 16x16x16_bf16, 16, 16, 1, 4, BRAIN)                                    \
    X(i32, 32x32x4i8, 32x32x4_2b_i8, 32, 4, 2, 4, BYTE)                                            \
    X(i32, 16x16x4i8, 16x16x4_4b_i8, 16, 4, 4, 4, BYTE)                                            \
    X(i32, 4x4x4i8, 4x4x4_16b_i8, 4, 4, 16, 4, BYTE)                                               \
    X(i32, 32x32x8i8, 0, 32, 8, 1, 4, BYTE)                                                        \
    X(i32, 16x16x16i8, 0, 16, 16, 1, 4, BYTE)                                                      \
    X(f64, 16x16x4f64, 16x16x4_f64, 16, 4, 1, 1, DOUBLE)                                           \
    X(f64, 4x4x4f64, 4x4x4_4b_f64, 4, 4, 4, 1, DOUBLE)                                             \
    X(i32, 0, 32x32x16_i8, 32, 16, 1, 8, BYTE)                                                     \
    X(i32, 0, 16x16x32_i8, 16, 32, 1, 8, BYTE)                                                     \
    X(f32, 0, 32x32x16_fp8_fp8, 32, 16, 1, 8, FP8_FP8)                                             \
    X(f32, 0, 32x32x16_fp8_bf8, 32, 16, 1, 8, FP8_BF8)                                             \
    X(f32, 0, 32x32x16_bf8_fp8, 32, 16, 1, 8, BF8_FP8)                                             \
    X(f32, 0, 32x32x16_bf8_bf8, 32, 16, 1, 8, BF8_BF8)                                             \
    X(f32, 0, 16x16x32_fp8_fp8, 16, 32, 1, 8, FP8_FP8)                                             \
    X(f32, 0, 16x16x32_fp8_bf8, 16, 32, 1, 8, FP8_BF8)                                             \
    X(f32, 0, 16x16x32_bf8_fp8, 16, 32, 1, 8, BF8_FP8)                                             \
    X(f32, 0, 16x16x32_bf8_bf8, 16, 32, 1, 8, BF8_BF8)

/* Result, type of the factors, and their number in the table of shapes. */
#define SQUARES(X)                                                                                 \
    X(f32, f16, HALF)                                                                              \
    X(f32, bf16, BRAIN)                                                                            \
    X(f16, f16, HALF)                                                                              \
    X(bf16, bf16, BRAIN)                                                                           \
    X(i32, iu8, BYTE)                                                                              \
    X(i32, iu4, NIBBLE)

#define SHAPE(type, old, new, ...)           {__VA_ARGS__},
#define NUMBER(type, old, new, ...)          number_##type##_##old##_##new,
#define SQUARE_SHAPE(type, factors, number)  {16, 16, 1, 16, number},
#define SQUARE_NUMBER(type, factors, number) number_##type##_##factors,
static const struct shape shapes[] = {SHAPES(SHAPE) SQUARES(SQUARE_SHAPE)};
enum { SHAPES(NUMBER) SQUARES(SQUARE_NUMBER) };

static double element(const struct wave *w, const struct shape *shape, const struct instruction *in,
                      unsigned which, unsigned row, unsigned k, unsigned block)
{
    unsigned lane = row + shape->m * (block + shape->blocks * (k / shape->held));
    unsigned at = k % shape->held;
    const uint32_t(*v)[LANES] = (const uint32_t(*)[LANES])w->v + in->operand[1 + which].reg;
    unsigned smallest = shape->number - FP8_FP8;
    switch (shape->number) {
    case SINGLE:
        return (double)f32(v[0][lane]);
    case HALF:
        return (double)isa_half(v[at / 2][lane] >> at % 2 * 16);
    case BRAIN:
        return (double)f32(v[at / 2][lane] >> at % 2 * 16 << 16);
    case BYTE:
        return (double)(int8_t)(v[at / 4][lane] >> at % 4 * 8);
    case NIBBLE:
        return (double)(int32_t)signed_field(v[at / 8][lane], at % 8 * 4, 4);
    case DOUBLE:
        return f64(v[0][lane] | (uint64_t)v[1][lane] << 32);
    default:
        return (double)isa_small(v[at / 4][lane] >> at % 4 * 8,
                                 smallest >> (1 - which) & 1 ? 2 : 3);
    }
}

/* Where D and C have an element: the lane, and the index of its register. */
struct cell {
    unsigned lane, index;
};

static struct cell cell_of(const struct shape *shape, unsigned row, unsigned column, unsigned block)
{
    unsigned m = shape->m;
    if (shape->number == DOUBLE) { /* a row in each group of lanes */
        unsigned groups = LANES / m;
        return m == 4 ? (struct cell){column + 4 * block + 16 * row, 0}
                      : (struct cell){column + m * (row % groups), row / groups};
    }
    if (m == 4) {
        return (struct cell){column + 4 * block, row};
    }
    unsigned groups = LANES / m; /* of lanes, each with four rows at a time */
    unsigned held = m / groups;  /* of one block in a lane */
    return (struct cell){column + m * (row / 4 % groups),
                         block * held + row / 4 / groups * 4 + row % 4};
}

static uint64_t old_value(const struct wave *w, const struct instruction *in, struct cell cell)
{
    const struct operand *o = &in->operand[3];
    bool wide = in->result == FLOAT64;
    if (o->kind != OPERAND_VECTOR) {
        return wide ? isa_scalar_wide(w, in, 3) : isa_scalar(w, in, 3);
    }
    unsigned reg = o->reg + cell.index * (wide ? 2 : 1);
    return w->v[reg][cell.lane] | (wide ? (uint64_t)w->v[reg + 1][cell.lane] << 32 : 0);
}

/* One element; a product is added after the other, as the hardware does for 32 and 64 bits. */
static uint64_t dot(const struct wave *w, const struct instruction *in, const struct shape *shape,
                    unsigned row, unsigned column, unsigned block, uint64_t old)
{
    float single = f32((uint32_t)old);
    double wide = f64(old);
    uint32_t whole = (uint32_t)old;
    for (unsigned k = 0; k < shape->k; k++) {
        double a = element(w, shape, in, 0, row, k, block);
        double b = element(w, shape, in, 1, column, k, block);
        single = fmaf((float)a, (float)b, single);
        wide = fma(a, b, wide);
        whole += shape->number == BYTE ? (uint32_t)(int32_t)(a * b) : 0;
    }
    return shape->number == DOUBLE ? bits64(wide) : shape->number == BYTE ? whole : bits32(single);
}

static void mfma(struct wave *w, const struct instruction *in)
{
    const struct shape *shape = &shapes[in->argument];
    uint64_t values[32][LANES] = {{0}};
    struct cell cell;
    bool wide = shape->number == DOUBLE;
    unsigned count = (unsigned)shape->m * shape->m * shape->blocks / LANES;
    for (unsigned n = 0; n < (unsigned)shape->m * shape->m * shape->blocks; n++) {
        unsigned row = n % shape->m;
        unsigned column = n / shape->m % shape->m;
        unsigned block = n / shape->m / shape->m;
        cell = cell_of(shape, row, column, block);
        values[cell.index][cell.lane] =
            dot(w, in, shape, row, column, block, old_value(w, in, cell));
    }
    for (unsigned k = 0; k < count; k++) { /* EXEC does not matter */
        unsigned reg = in->operand[0].reg + k * (wide ? 2 : 1);
        uint32_t(*v)[LANES] = w->v + reg;
        for (int i = 0; i < LANES; i++) {
            v[0][i] = (uint32_t)values[k][i];
            if (wide) {
                v[1][i] = (uint32_t)(values[k][i] >> 32);
            }
        }
    }
}

/* --- WMMA --- */

/* Of whole numbers, neg_lo says which factor is signed. */
static double factor(const struct wave *w, const struct instruction *in, unsigned which,
                     unsigned row, unsigned k)
{
    const struct shape *shape = &shapes[in->argument];
    double value = element(w, shape, in, which, row, k, 0);
    bool is_unsigned = in->result == INTEGER && !(in->neg_lo >> which & 1);
    return is_unsigned && value < 0 ? value + (shape->number == BYTE ? 256 : 16) : value;
}

/* A result of 16 bits is in one half of its register, which op_sel says, and so is the old one. */
static void wmma(struct wave *w, const struct instruction *in)
{
    uint32_t values[8][LANES] = {{0}};
    unsigned shift = in->op_sel & 4 ? 16 : 0;
    bool is_brain = in->argument == number_bf16_bf16;
    bool is_half = is_brain || in->argument == number_f16_f16;
    if (in->neg_hi || (in->result != INTEGER && in->neg_lo)) {
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
                 "the loopback does not know this instruction with signs");
        return;
    }
    for (unsigned n = 0; n < 256; n++) {
        unsigned row = n / 16;
        struct cell cell = {n % 16 + row % 2 * 16, row / 2};
        uint32_t old = (uint32_t)old_value(w, in, cell);
        uint32_t half = old >> shift & 0xffff;
        float single = !is_half ? f32(old) : is_brain ? f32(half << 16) : isa_half(half);
        uint32_t whole = old;
        for (unsigned k = 0; k < 16; k++) {
            double a = factor(w, in, 0, row, k);
            double b = factor(w, in, 1, n % 16, k);
            single = fmaf((float)a, (float)b, single);
            whole += in->result == INTEGER ? (uint32_t)(int32_t)(a * b) : 0;
        }
        half = is_brain ? isa_to_brain(single) : isa_to_half((double)single, 0);
        values[cell.index][cell.lane] = in->result == INTEGER ? whole
                                        : !is_half            ? bits32(single)
                                                              : half << shift;
    }
    for (unsigned k = 0; k < 8; k++) {
        uint32_t *reg = w->v[in->operand[0].reg + k];
        for (int i = 0; i < LANES; i++) {
            reg[i] = (is_half ? reg[i] & ~(UINT32_C(0xffff) << shift) : 0) | values[k][i];
        }
    }
}

#define TYPE_SINGLE FLOAT32
#define TYPE_HALF   FLOAT32
#define TYPE_BRAIN  FLOAT32
#define TYPE_BYTE   INTEGER
#define TYPE_DOUBLE FLOAT64
#define NAMED(type, shape, number, index)                                                          \
    {"v_mfma_" #type "_" #shape, mfma, index, TYPE_##number, TYPE_##number, 1},
#define ROW(type, old, new, m, k, blocks, held, number)                                            \
    NAMED(type, old, number, number_##type##_##old##_##new)                                        \
    NAMED(type, new, number, number_##type##_##old##_##new)
#define TYPE_NIBBLE  INTEGER
#define TYPE_FP8_FP8 FLOAT32
#define TYPE_FP8_BF8 FLOAT32
#define TYPE_BF8_FP8 FLOAT32
#define TYPE_BF8_BF8 FLOAT32
#define SQUARE(type, factors, number)                                                              \
    {"v_wmma_" #type "_16x16x16_" #factors,                                                        \
     wmma,                                                                                         \
     number_##type##_##factors,                                                                    \
     TYPE_##number,                                                                                \
     TYPE_##number,                                                                                \
     1},

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_matrix_rows[] = {
    SHAPES(ROW) SQUARES(SQUARE) {NULL, NULL, 0, 0, 0, 0},
};
