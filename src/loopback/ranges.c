/* SPDX-License-Identifier: MIT */
/* What a kernel may access: blocks that agents see, and pages of shared virtual memory. */
#include "internal.h"

bool lb_range(const void *address, uint64_t *start, uint64_t *size, char **bytes)
{
    lb_lock();
    const struct lb_block *block = lb_block_find_locked(address);
    bool is_there = block && !block->closed && (uint64_t)address >= (uint64_t)block->base &&
                    (uint64_t)address - (uint64_t)block->base < block->mapped;
    if (is_there) {
        *start = (uint64_t)block->base;
        *size = block->mapped;
        *bytes = block->backing;
    } else if (!block && lb_svm_range_locked(address, start, size)) {
        is_there = true;
        *bytes = (char *)*start; /* NOLINT: the number is an address */
    }
    lb_unlock();
    return is_there;
}
