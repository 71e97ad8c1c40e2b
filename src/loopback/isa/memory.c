/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores of a flat, global, scratch or buffer address.  An address means what the runtime
 * allocated or registered (memory.c of the loopback), the packet and the queue's structures, or
 * a window of LDS or of the lane's own memory; any other is a memory fault.
 *
 * Scratch is interleaved, as the hardware has it: word 0 of all lanes, word 1 of all lanes and so
 * on.
 */
#include <stdlib.h>
#include <string.h>

#include "isa.h"

/* --- addresses --- */

static inline bool within(const struct window *window, uint64_t address, size_t size)
{
    return address - window->start < window->size &&
           size <= window->size - (address - window->start);
}

static char *fault(struct wave *w, uint64_t address)
{
    if (!w->trap) {
        w->bad = address;
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT, "memory access fault");
    }
    return NULL;
}

/* The packet, the queue and signals are in the loopback's own memory. */
static char *reach_own(const struct wave *w, uint64_t address, size_t size)
{
    const struct isa_launch *request = w->group->worker->request;
    const struct {
        const void *start;
        size_t size;
    } own[] = {
        {request->packet, sizeof *request->packet},
        {request->queue, sizeof *request->queue},
        {lb_signal_at((void *)address), sizeof(amd_signal_t)}, /* NOLINT */
    };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        struct window window = {(uint64_t)own[i].start, own[i].size, NULL};
        if (own[i].start && within(&window, address, size)) {
            return (char *)address; /* NOLINT: the number is an address */
        }
    }
    return NULL;
}

/* Not inline, so that the way of most accesses is short. */
static __attribute__((noinline)) char *search(struct wave *w, uint64_t address, size_t size)
{
    struct worker *worker = w->group->worker;
    struct window *next = &worker->windows[worker->next_window++ % WINDOWS];
    if (!lb_range((void *)address, &next->start, &next->size, &next->bytes) || /* NOLINT */
        !within(next, address, size)) {
        next->size = 0;
        char *own = reach_own(w, address, size);
        return own ? own : fault(w, address);
    }
    return next->bytes + (address - next->start);
}

char *isa_reach(struct wave *w, uint64_t address, size_t size)
{
    struct worker *worker = w->group->worker;
    uint64_t now = lb_generation();
    w->effects |= READ_OUTSIDE;
    if (worker->generation != now) {
        memset(worker->windows, 0, sizeof worker->windows);
        worker->generation = now;
    }
    for (unsigned i = 0; i < WINDOWS; i++) {
        const struct window *window = &worker->windows[i];
        if (within(window, address, size)) {
            return window->bytes + (address - window->start);
        }
    }
    return search(w, address, size);
}

static char *reach_lds(struct wave *w, uint64_t offset, size_t size)
{
    const struct group *group = w->group;
    bool fits = offset < group->lds_size && size <= group->lds_size - offset;
    return fits ? group->lds + offset : fault(w, SHARED_BASE + offset);
}

/* One word at most, because the next word of the lane lies elsewhere. */
static char *reach_private(struct wave *w, uint64_t offset, size_t size, int lane)
{
    bool fits = offset < w->scratch_size && size <= w->scratch_size - offset;
    return fits ? w->scratch + (offset / 4 * LANES + (unsigned)lane) * 4 + offset % 4
                : fault(w, PRIVATE_BASE + offset);
}

char *isa_reach_flat(struct wave *w, uint64_t address, size_t size, int lane)
{
    switch (address >> 32) {
    case SHARED_BASE >> 32:
        return reach_lds(w, (uint32_t)address, size);
    case PRIVATE_BASE >> 32:
        return reach_private(w, (uint32_t)address, size, lane);
    default:
        return isa_reach(w, address, size);
    }
}

/* --- transfers --- */

/* Sign-extends, or fills one half of the register; the other stays, or is 0 where registers have
 * error correction, which compilers do not rely on but rocBLAS does. */
static uint32_t loaded(uint32_t value, unsigned transfer, uint32_t old)
{
    old = lb_settings.corrects ? 0 : old;
    if (transfer & SIGNED) {
        value = (transfer & BYTES) == 1 ? (uint32_t)(int8_t)value : (uint32_t)(int16_t)value;
    }
    if (transfer & LOW_HALF) {
        return (old & 0xffff0000) | (value & 0xffff);
    }
    return transfer & HIGH_HALF ? (old & 0xffff) | value << 16 : value;
}

/* Other threads may access the same bytes: what is aligned is moved as a whole, in order. */
static inline uint64_t read_bytes(const char *bytes, size_t size)
{
    uint64_t value = 0;
    if ((uintptr_t)bytes % size) {
        memcpy(&value, bytes, size);
        return value;
    }
    return size == 8   ? __atomic_load_n((const uint64_t *)bytes, __ATOMIC_ACQUIRE)
           : size == 4 ? __atomic_load_n((const uint32_t *)bytes, __ATOMIC_ACQUIRE)
           : size == 2 ? __atomic_load_n((const uint16_t *)bytes, __ATOMIC_ACQUIRE)
                       : __atomic_load_n((const uint8_t *)bytes, __ATOMIC_ACQUIRE);
}

static inline void write_bytes(char *bytes, size_t size, uint64_t value)
{
    if ((uintptr_t)bytes % size) {
        memcpy(bytes, &value, size);
    } else if (size == 8) {
        __atomic_store_n((uint64_t *)bytes, value, __ATOMIC_RELEASE);
    } else if (size == 4) {
        __atomic_store_n((uint32_t *)bytes, (uint32_t)value, __ATOMIC_RELEASE);
    } else if (size == 2) {
        __atomic_store_n((uint16_t *)bytes, (uint16_t)value, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n((uint8_t *)bytes, (uint8_t)value, __ATOMIC_RELEASE);
    }
}

/* Two words at a time, because an atomic load or store of 64 bits is such a transfer. */
static inline void move_words(struct wave *w, unsigned transfer, unsigned reg, int lane,
                              char *bytes)
{
    size_t left = transfer & BYTES;
    while (left) {
        size_t size = left < 8 ? 4 : 8;
        if (transfer & STORE) {
            uint32_t high = size == 8 ? w->v[reg + 1][lane] : 0;
            write_bytes(bytes, size, w->v[reg][lane] | (uint64_t)high << 32);
        } else {
            uint64_t value = read_bytes(bytes, size);
            w->v[reg][lane] = (uint32_t)value;
            if (size == 8) {
                w->v[reg + 1][lane] = (uint32_t)(value >> 32);
            }
        }
        reg += 2;
        bytes += size;
        left -= size;
    }
}

void isa_move(struct wave *w, unsigned transfer, unsigned reg, int lane, char *bytes)
{
    uint32_t *place = &w->v[reg][lane];
    size_t size = transfer & BYTES;
    w->effects |= transfer & STORE ? CHANGED : 0;
    if (size >= 4) {
        move_words(w, transfer, reg, lane, bytes);
    } else if (transfer & STORE) {
        write_bytes(bytes, size, transfer & HIGH_HALF ? *place >> 16 : *place);
    } else {
        *place = loaded((uint32_t)read_bytes(bytes, size), transfer, *place);
    }
}

/* Word by word, as the words of a lane in scratch are apart. */
static void move_private(struct wave *w, unsigned transfer, unsigned reg, int lane, uint64_t offset)
{
    unsigned size = transfer & BYTES;
    unsigned part = size < 4 ? size : 4;
    for (unsigned done = 0; done < size; done += part) {
        char *bytes = reach_private(w, offset + done, part, lane);
        if (bytes) {
            isa_move(w, (transfer & ~(unsigned)BYTES) | part, reg++, lane, bytes);
        }
    }
}

static uint64_t lane_pair(const struct wave *w, unsigned reg, int lane)
{
    return w->v[reg][lane] | (uint64_t)w->v[reg + 1][lane] << 32;
}

/*
 * A load is DATA, ADDRESS[, BASE], a store ADDRESS, DATA[, BASE].  The base is "off" or a pair of
 * scalar registers; with one, the address is an unsigned offset of 32 bits.  In scratch the address
 * is "off" or a lane's offset, and the base one scalar register.
 */
static void flat(struct wave *w, const struct instruction *in)
{
    bool store = in->argument & STORE;
    bool is_own = in->argument & OWN;
    const struct operand *address = &in->operand[store ? 0 : 1];
    unsigned reg = in->operand[store ? 1 : 0].reg;
    bool has_base = in->operands > 2 && in->operand[2].kind == OPERAND_SCALAR;
    uint64_t base = has_base ? pair(w, in->operand[2].reg) : 0;
    base += (uint64_t)(int64_t)in->offset;
    uint64_t active = exec(w);
    for (int i = 0; i < LANES && !w->trap; i++) {
        if (!is_on(active, i)) {
            continue;
        }
        bool is_narrow = is_own || has_base;
        uint64_t at = base;
        if (address->kind == OPERAND_VECTOR) {
            at += is_narrow ? w->v[address->reg][i] : lane_pair(w, address->reg, i);
        }
        if (is_own || at >> 32 == PRIVATE_BASE >> 32) {
            move_private(w, in->argument, reg, i, (uint32_t)at);
            continue;
        }
        char *bytes = isa_reach_flat(w, at, in->argument & BYTES, i);
        if (bytes) {
            isa_move(w, in->argument, reg, i, bytes);
        }
    }
}

/*
 * DATA, OFFSETS or "off", DESCRIPTOR, SCALAR OFFSET.  The descriptor of scratch has the bit for
 * interleaving; its scalar offset counts bytes of the wave, 64 for each of a lane.
 */
enum { SWIZZLE = 0x80000000, RDNA_SWIZZLES = 0xc0000000 };
/* What word 3 says on gfx1100 about bounds: of rows, with that of offsets in a row, or of bytes. */
enum { BY_ROW_AND_OFFSET, BY_ROW, BY_NOTHING, BY_BYTE };

/* Whether the bounds are those that the loopback checks. */
static bool has_bounds(const uint32_t *descriptor, bool by_row, bool in_row)
{
    unsigned kind = descriptor[3] >> 28 & 3;
    bool is_known =
        by_row ? kind == BY_ROW || (kind == BY_ROW_AND_OFFSET && in_row) : kind == BY_BYTE;
    return lb_settings.processor->is_cdna || (is_known && !(descriptor[1] & RDNA_SWIZZLES));
}

bool isa_buffer_place(struct wave *w, const struct instruction *in, int lane, struct part part,
                      uint64_t *place)
{
    const uint32_t *descriptor = &w->s[in->operand[2].reg];
    uint32_t stride = descriptor[1] >> 16 & 0x3fff;
    uint32_t scalar = in->operands > 3 ? isa_scalar(w, in, 3) : 0;
    unsigned reg = in->operand[1].reg;
    uint64_t index = in->idxen ? w->v[reg++][lane] : 0;
    uint64_t at = (uint32_t)in->offset + (in->offen ? w->v[reg][lane] : 0) + (uint64_t)part.from;
    *place = (descriptor[0] | (uint64_t)(descriptor[1] & 0xffff) << 32) + stride * index + at;
    *place += scalar;
    bool by_row = in->idxen && stride;
    if (!has_bounds(descriptor, by_row, at + part.size <= stride)) {
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
                 "a buffer with bounds that the loopback does not know");
        return false;
    }
    return by_row ? index < descriptor[2] : at + scalar + part.size <= descriptor[2];
}

/* A word that is outside reads as 0, and is not stored.  A result may lie in the registers of the
 * address, so all places are found first. */
static void move_words_inside(struct wave *w, const struct instruction *in, int lane)
{
    unsigned size = in->argument & BYTES;
    unsigned part = size < 4 ? size : 4;
    uint64_t places[4];
    bool inside[4] = {false};
    for (unsigned i = 0; i < size / part; i++) {
        inside[i] = isa_buffer_place(w, in, lane, (struct part){i * part, part}, &places[i]);
    }
    for (unsigned i = 0; i < size / part && !w->trap; i++) {
        char zero[4] = {0};
        char *bytes = inside[i] ? isa_reach(w, places[i], part) : zero;
        if (bytes && (inside[i] || !(in->argument & STORE))) {
            isa_move(w, (in->argument & ~(unsigned)BYTES) | part, in->operand[0].reg + i, lane,
                     bytes);
        }
    }
}

static void buffer(struct wave *w, const struct instruction *in)
{
    bool is_own = w->s[in->operand[2].reg + 1] & SWIZZLE && !in->idxen;
    unsigned size = in->argument & BYTES;
    uint64_t active = exec(w);
    for (int i = 0; i < LANES && !w->trap; i++) {
        uint64_t place;
        if (!is_on(active, i)) {
            continue;
        }
        if (is_own && lb_settings.processor->is_cdna) {
            uint32_t at = (uint32_t)in->offset + (in->offen ? w->v[in->operand[1].reg][i] : 0);
            uint32_t scalar = in->operands > 3 ? isa_scalar(w, in, 3) : 0;
            move_private(w, in->argument, in->operand[0].reg, i, at + (uint64_t)scalar / LANES);
            continue;
        }
        if (!isa_buffer_place(w, in, i, (struct part){0, size}, &place)) {
            move_words_inside(w, in, i);
            continue;
        }
        char *bytes = isa_reach(w, place, size);
        if (bytes) {
            isa_move(w, in->argument, in->operand[0].reg, i, bytes);
        }
    }
}

/* The caches of the hardware: what was stored before is there before what is loaded after. */
static void write_back(struct wave *w, const struct instruction *in)
{
    (void)w;
    (void)in;
    __sync_synchronize();
}

#define TRANSFERS(X)                                                                               \
    X("load_ubyte", 1)                                                                             \
    X("load_sbyte", 1 | SIGNED)                                                                    \
    X("load_ushort", 2)                                                                            \
    X("load_sshort", 2 | SIGNED)                                                                   \
    X("load_dword", 4)                                                                             \
    X("load_dwordx2", 8)                                                                           \
    X("load_dwordx3", 12)                                                                          \
    X("load_dwordx4", 16)                                                                          \
    X("load_ubyte_d16", 1 | LOW_HALF)                                                              \
    X("load_ubyte_d16_hi", 1 | HIGH_HALF)                                                          \
    X("load_sbyte_d16", 1 | SIGNED | LOW_HALF)                                                     \
    X("load_sbyte_d16_hi", 1 | SIGNED | HIGH_HALF)                                                 \
    X("load_short_d16", 2 | LOW_HALF)                                                              \
    X("load_short_d16_hi", 2 | HIGH_HALF)                                                          \
    X("store_byte", 1 | STORE)                                                                     \
    X("store_byte_d16_hi", 1 | STORE | HIGH_HALF)                                                  \
    X("store_short", 2 | STORE)                                                                    \
    X("store_short_d16_hi", 2 | STORE | HIGH_HALF)                                                 \
    X("store_dword", 4 | STORE)                                                                    \
    X("store_dwordx2", 8 | STORE)                                                                  \
    X("store_dwordx3", 12 | STORE)                                                                 \
    X("store_dwordx4", 16 | STORE)
#define FLAT(name, transfer)    {"flat_" name, flat, transfer, INTEGER, INTEGER, 0},
#define GLOBAL(name, transfer)  {"global_" name, flat, transfer, INTEGER, INTEGER, 0},
#define SCRATCH(name, transfer) {"scratch_" name, flat, (transfer) | OWN, INTEGER, INTEGER, 0},
#define BUFFER(name, transfer)  {"buffer_" name, buffer, transfer, INTEGER, INTEGER, 0},
#define CACHE(name)             {name, write_back, IGNORES, INTEGER, INTEGER, 0},

/* The comma of a row is in its macro. */
/* clang-format off */
const struct isa_row isa_memory_rows[] = {
    TRANSFERS(FLAT) TRANSFERS(GLOBAL) TRANSFERS(SCRATCH) TRANSFERS(BUFFER) CACHE("buffer_wbl2")
    CACHE("buffer_invl2") CACHE("buffer_wbinvl1") CACHE("buffer_wbinvl1_vol")
    CACHE("buffer_inv") CACHE("buffer_gl0_inv")
    CACHE("buffer_gl1_inv")
    {NULL, NULL, 0, 0, 0, 0},
};
