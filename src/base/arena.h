/* SPDX-License-Identifier: MIT */
/*
 * Memory that lives for one call: lists that an adapter converts before it
 * calls the runtime.  Short lists lie on the stack, longer ones on the heap;
 * releasing the arena frees all of them.  An arena belongs to one thread.
 */
#ifndef HIPSHIM_SRC_BASE_ARENA_H
#define HIPSHIM_SRC_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hs_arena_block;

struct hs_arena {
    struct hs_arena_block *blocks;
    size_t used; /* bytes of `inside` */
    _Alignas(max_align_t) unsigned char inside[2048];
};

/* Does not touch `inside`, which is written only as far as it is used. */
static inline void hs_arena_init(struct hs_arena *arena)
{
    arena->blocks = NULL;
    arena->used = 0;
}

/*
 * Uninitialised room for `count` items of `size` bytes, never NULL for a count
 * of 0; NULL when there is no memory or count * size overflows.
 */
void *hs_arena_take(struct hs_arena *arena, size_t count, size_t size);

void hs_arena_release(struct hs_arena *arena);

/* A converter returns this if hs_arena_take gave NULL; compare by address. */
extern const char hs_arena_full[];

/*
 * Zeroes `size` bytes.  It is a function, because gcc turns a memset of a large
 * struct into `rep stos`, which takes twice the time of libc's memset.
 */
void hs_arena_clear(void *bytes, size_t size);

/*
 * True if all `size` bytes are 0, as in a member that the caller left at its default.
 * It is inline so that the compiler knows the size and removes the loop, and compares
 * by words; callers' structs need not be aligned to them.
 */
static inline bool hs_arena_is_zero(const void *bytes, size_t size)
{
    const unsigned char *byte = (const unsigned char *)bytes;
    uint64_t any = 0, word;
    uint32_t half;
    for (; size >= sizeof word; size -= sizeof word, byte += sizeof word) {
        memcpy(&word, byte, sizeof word);
        any |= word;
    }
    for (; size >= sizeof half; size -= sizeof half, byte += sizeof half) {
        memcpy(&half, byte, sizeof half);
        any |= half;
    }
    for (; size > 0; size--) {
        any |= *byte++;
    }
    return any == 0;
}

#endif
