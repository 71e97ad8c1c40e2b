/* SPDX-License-Identifier: MIT */
/* What a kernel may access: blocks that agents see, and pages of shared virtual memory. */
#include <stdio.h>

#include "internal.h"

/* What is farther away than this has probably nothing to do with a block. */
#define NEAR (UINT64_C(1) << 20)

bool lb_range(const void *address, uint64_t *start, uint64_t *size, char **bytes)
{
    lb_lock();
    const struct lb_block *block = lb_block_find_locked(address);
    bool is_there = block && !block->closed && (uint64_t)address >= (uint64_t)block->base &&
                    (uint64_t)address - (uint64_t)block->base < block->mapped;
    if (is_there) {
        *start = (uint64_t)block->base;
        *size = lb_settings.check ? block->size : block->mapped;
        *bytes = block->backing;
    } else if (!block && lb_svm_range_locked(address, start, size)) {
        is_there = true;
        *bytes = (char *)*start; /* NOLINT: the number is an address */
    }
    lb_unlock();
    return is_there;
}

void lb_miss(const void *address, char *text, size_t room)
{
    uint64_t distance = 0;
    text[0] = '\0';
    lb_lock();
    const struct lb_block *block = lb_block_nearest_locked(address, &distance);
    if (block && distance < NEAR) {
        bool is_after = (uint64_t)address >= (uint64_t)block->base;
        snprintf(text, room, ", %llu bytes %s the %zu bytes at %p",
                 (unsigned long long)(distance - is_after), is_after ? "after" : "before",
                 block->size, (void *)block->base);
    }
    lb_unlock();
}
