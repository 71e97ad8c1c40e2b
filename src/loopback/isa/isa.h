/* SPDX-License-Identifier: MIT */
/*
 * The interpreter of kernels for gfx90a, gfx942 and gfx1100.  comgr, which every HIP runtime
 * brings, disassembles an instruction; decode.c reads its text once, and the tables in scalar.c,
 * vector.c and so on say which function carries a mnemonic out; names.c has the names of gfx1100.
 * A wave has 64 lanes; of gfx1100 it has 32, and the others are never active.  Groups run on a few
 * threads, each of which carries out one wave of its group after the other until a barrier, the end
 * or a turn's length (run.c); groups.c gives the threads their groups.
 *
 * Nothing here ends the process: a wave that cannot go on has a reason in `trap`, and
 * lb_isa_launch returns it.
 */
#ifndef LOOPBACK_ISA_H
#define LOOPBACK_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../internal.h"

enum { LANES = 64, VECTORS = 512, AGPRS = 256, SCALARS = 128, OPERANDS = 6 };
/* What is written to NO_SCALAR is lost, and 0 is read. */
enum { FLAT_SCRATCH = 102, VCC = 106, NO_SCALAR = 108, M0 = 124, EXEC = 126 };

/* Bases of the windows in which a flat address means LDS or a lane's own memory. */
#define SHARED_BASE  (UINT64_C(0x10000) << 32)
#define PRIVATE_BASE (UINT64_C(0x20000) << 32)

struct wave;
struct instruction;
typedef void isa_operation(struct wave *w, const struct instruction *in);

enum operand_kind { OPERAND_OFF, OPERAND_VECTOR, OPERAND_SCALAR, OPERAND_CONSTANT };

struct operand {
    enum operand_kind kind;
    uint16_t reg; /* AGPRs begin at 256 */
    uint8_t count;
    bool negate, absolute, sign_extend;
    uint8_t half;   /* of a register: 1 for the lower one, 2 for the upper one, 0 is not said */
    bool is_float;  /* a constant that is written as a floating-point number */
    uint8_t select; /* SDWA: 0 for the whole, 1 to 4 for a byte, 5 and 6 for a half */
    uint64_t value;
    double number;
};

/* How an operation reads constants and modifiers of its sources, or changes its result. */
enum isa_type { INTEGER, FLOAT16, FLOAT32, FLOAT64 };

struct isa_row {
    const char *name;
    isa_operation *run;
    uint16_t argument;
    uint8_t source, result; /* enum isa_type */
    uint8_t first;          /* the index of the first source operand; 0 stands for 1 */
};

/* Arguments of rows: the operands do not matter; the upper half of the result stays; the result has
 * 16 bits, so that it stays on gfx1100; "gds" is in the text. */
enum { IGNORES = 0xffff, KEEPS_HIGH = 0x4000, IS_HALF = 0x1000, GLOBAL_SHARE = 0x2000 };

/* Of rows of loads and stores: bytes of memory, how a part of a register is filled, and for LDS a
 * second place and its stride of 64. */
enum transfer {
    BYTES = 0x1f,
    SIGNED = 0x20,
    LOW_HALF = 0x40,
    HIGH_HALF = 0x80,
    STORE = 0x100,
    PAIR = 0x200,
    FAR = 0x400,
    OWN = 0x800, /* in scratch */
};

enum { PACKED_ALL = 7, HARDWARE_MODE = 1, HARDWARE_BASES = 15, HARDWARE_CYCLES = 29 };
/* In dpp_control: the lanes are in dpp8. */
enum { DPP8 = 0x200 };

struct instruction {
    isa_operation *run; /* NULL for an unknown mnemonic */
    struct operand operand[OPERANDS];
    uint8_t operands, length;
    uint16_t argument;
    uint8_t source, result, first;
    int32_t offset, offset1;
    bool glc, offen, idxen, clamp, sdwa, dpp, bound, fetches_inactive, preserve, abides;
    uint8_t scale, select; /* of the result */
    uint16_t dpp_control;
    uint32_t dpp8; /* three bits for each of eight lanes */
    uint8_t row_mask, bank_mask;
    uint8_t op_sel, op_sel_hi, neg_lo, neg_hi;
    uint8_t mask;        /* of an image's channels */
    uint8_t coordinates; /* an image's, in registers that do not follow each other */
    uint8_t coordinate[4];
    struct instruction *dual; /* NULL, or the two that this one is */
    char *text;
};

/* Instructions of one code object, decoded when they are first reached. */
struct isa_code {
    const char *start; /* as agents see it */
    const char *bytes; /* where the loopback reads it */
    size_t size;
    struct instruction **at; /* for each 4 bytes */
};

/* A range of memory that was found before. */
struct window {
    uint64_t start, size;
    char *bytes;
};

enum { WINDOWS = 4, GATES = 64 };

/* A thread that carries out groups of one launch. */
struct worker {
    const struct isa_launch *request;
    uint64_t *gates; /* of the launch: how many waves have arrived at each */
    struct window windows[WINDOWS];
    unsigned next_window;
    uint64_t generation;
    uint64_t executed; /* wave instructions */
};

/* Which waves loaded and changed a word of LDS since a barrier, and where the last of them did. */
struct touch {
    uint32_t barriers, place;
    uint16_t loads, changes;
};

struct group {
    struct worker *worker; /* that runs it now */
    char *lds, *scratch;
    struct touch *touches; /* for each word; NULL unless races are checked */
    uint32_t barriers;     /* so many are over */
    char race[160];
    uint32_t lds_size;
    uint32_t wave_count;
    uint32_t vectors, accumulators; /* registers of a lane */
    uint32_t id[3];
    uint64_t index; /* groups begin in this order */
    bool begun;     /* its registers and LDS are set */
    bool stuck;     /* it did the same twice, after `seen` changes of the launch */
    uint64_t seen;
    unsigned effects; /* of its last round */
    bool changed;     /* something, in its last slice */
    struct wave *waves;
    struct group *next;
};

enum wave_state { WAVE_RUNS, WAVE_WAITS, WAVE_GATED, WAVE_ENDED };

/* What a wave did that others may see, and what it saw of others. */
enum { CHANGED = 1, READ_OUTSIDE = 2 };

/* The registers of a wave at a place, to which it may come back. */
struct mark {
    const char *pc; /* NULL for none */
    uint32_t scc, mode;
    unsigned tries; /* comparisons that are left */
    uint32_t s[SCALARS];
    uint32_t v[VECTORS][LANES];
};

struct wave {
    uint32_t v[VECTORS][LANES];
    uint32_t s[SCALARS];
    uint32_t scc;
    uint32_t mode;
    uint32_t lanes; /* 32 or 64 */
    uint64_t all;   /* of these a bit each */
    const char *pc; /* of the next instruction, as agents see it */
    enum wave_state state;
    struct group *group;
    const uint64_t *gate; /* that opens when so many have arrived */
    uint64_t opens;
    unsigned effects; /* since the mark */
    bool rests;       /* its turn ended at s_sleep */
    bool spins;       /* it came back to its mark and changed nothing */
    char *scratch;
    uint32_t scratch_size; /* of a lane */
    const char *trap;      /* why the wave cannot go on */
    hsa_status_t status;
    uint64_t bad; /* the address, if that is why */
    struct mark mark;
};

/* MODE: two bits of rounding and two of denormals, each for 32 bits and for 64 and 16 bits. */
static inline unsigned rounding_32(const struct wave *w)
{
    return w->mode & 3;
}

static inline unsigned rounding_64(const struct wave *w)
{
    return w->mode >> 2 & 3;
}

static inline bool flushes_32(const struct wave *w)
{
    return (w->mode >> 4 & 3) == 0;
}

static inline uint64_t pair(const struct wave *w, unsigned reg)
{
    return w->s[reg] | (uint64_t)w->s[reg + 1] << 32;
}

static inline void set_pair(struct wave *w, unsigned reg, uint64_t value)
{
    w->s[reg] = (uint32_t)value;
    w->s[reg + 1] = (uint32_t)(value >> 32);
}

static inline uint64_t exec(const struct wave *w)
{
    return pair(w, EXEC);
}

/* With 32 lanes vcc_hi is an ordinary register. */
static inline uint64_t vcc(const struct wave *w)
{
    return pair(w, VCC) & w->all;
}

static inline bool is_on(uint64_t mask, int lane)
{
    return mask >> lane & 1;
}

static inline void isa_set_scalar(struct wave *w, const struct operand *operand, uint32_t value)
{
    w->s[operand->reg] = operand->reg == NO_SCALAR ? 0 : value;
}

/* A mask of 32 lanes is one register. */
static inline void isa_set_scalar_wide(struct wave *w, const struct operand *operand,
                                       uint64_t value)
{
    isa_set_scalar(w, operand, (uint32_t)value);
    if (operand->count > 1) {
        w->s[operand->reg + 1] = (uint32_t)(value >> 32);
    }
}

/* Stops the wave; the first reason counts. */
void isa_trap(struct wave *w, hsa_status_t status, const char *reason);

/* --- tables: a mnemonic without its encoding's suffix --- */

extern const struct isa_row isa_scalar_rows[], isa_vector_rows[], isa_wide_rows[], isa_half_rows[],
    isa_compare_rows[], isa_memory_rows[], isa_atomic_rows[], isa_lds_rows[], isa_image_rows[],
    isa_matrix_rows[];

/* Changes the name of an instruction of gfx1100 to that of the tables. */
void isa_name_as_gfx90a(char *name, size_t room);

/* --- decode.c, comgr.c --- */

/* Of an instruction that is two: both read their sources before one has a result. */
void isa_run_dual(struct wave *w, const struct instruction *in);
/* Fills in everything but `length`; false if an operand or a modifier is not understood. */
bool isa_decode(struct instruction *in, const char *text);
/* Finds comgr in the process.  False if there is none. */
bool isa_comgr_find(void);
bool isa_comgr_ready(void);
/* The text of the instruction at `bytes`, of which `size` may be read; its length, or 0. */
size_t isa_disassemble(const char *bytes, size_t size, char *text, size_t room);
/* NULL if the address is not in the code. */
const struct instruction *isa_fetch(struct isa_code *code, const char *pc);

/* --- memory.c --- */

/* Where the loopback accesses `size` bytes of an agent's address; NULL, and a trap, if nowhere. */
char *isa_reach(struct wave *w, uint64_t address, size_t size);
/* The same for a flat address, which may mean LDS or the lane's own memory. */
char *isa_reach_flat(struct wave *w, uint64_t address, size_t size, int lane);

/* Bytes of what an instruction transfers. */
struct part {
    unsigned from, size;
};
/* Where a lane's access of a buffer goes; false if outside, where it reads 0 or does nothing. */
bool isa_buffer_place(struct wave *w, const struct instruction *in, int lane, struct part part,
                      uint64_t *place);
/* Loads or stores registers of a lane; `transfer` is a row's argument. */
void isa_move(struct wave *w, unsigned transfer, unsigned reg, int lane, char *bytes);

/* --- operands.c --- */

uint32_t isa_scalar(const struct wave *w, const struct instruction *in, unsigned index);
uint64_t isa_scalar_wide(const struct wave *w, const struct instruction *in, unsigned index);
/* The lanes of a source, in the register or in `room`. */
const uint32_t *isa_source(struct wave *w, const struct instruction *in, unsigned index,
                           uint32_t room[LANES]);
void isa_source_wide(struct wave *w, const struct instruction *in, unsigned index,
                     uint64_t room[LANES]);
/* The first `count` sources; with ACCUMULATES the result is the next one. */
enum { ACCUMULATES = 4 };
void isa_sources(struct wave *w, const struct instruction *in, unsigned count,
                 uint32_t room[3][LANES], const uint32_t *sources[3]);
/* The same, where each bit of `narrow` stands for a source of 32 bits. */
void isa_sources_wide(struct wave *w, const struct instruction *in, unsigned count, unsigned narrow,
                      uint64_t sources[3][LANES]);
/* Writes the active lanes of operand 0; changes `values`. */
void isa_result(struct wave *w, const struct instruction *in, uint32_t values[LANES]);
void isa_result_wide(struct wave *w, const struct instruction *in, uint64_t values[LANES]);

#endif
