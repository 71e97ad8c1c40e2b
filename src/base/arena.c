/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdlib.h>

struct hs_arena_block {
    struct hs_arena_block *next;
    _Alignas(max_align_t) unsigned char bytes[];
};

const char hs_arena_full[] = "out of memory";

void *hs_arena_take(struct hs_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
        return NULL;
    }
    const size_t step = _Alignof(max_align_t);
    bytes = (bytes + step - 1) / step * step;
    if (bytes <= sizeof arena->inside - arena->used) {
        void *room = arena->inside + arena->used;
        arena->used += bytes;
        return room;
    }
    struct hs_arena_block *block = malloc(sizeof *block + bytes);
    if (!block) {
        return NULL;
    }
    block->next = arena->blocks;
    arena->blocks = block;
    return block->bytes;
}

void hs_arena_release(struct hs_arena *arena)
{
    while (arena->blocks) {
        struct hs_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    arena->used = 0;
}

void hs_arena_clear(void *bytes, size_t size)
{
    memset(bytes, 0, size);
}
