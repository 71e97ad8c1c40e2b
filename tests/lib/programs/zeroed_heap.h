/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_TESTS_ZEROED_HEAP_H
#define HIPSHIM_TESTS_ZEROED_HEAP_H

#include <stdlib.h>
#include <string.h>

/*
 * Fills the small blocks that this thread's next allocations get with `byte`.  Call it with 0
 * before a hipImportExternalMemory that fails: every release up to 7.2 then frees a pointer of
 * its buffer that it has not set, and the loopback ends a process that frees an unknown address.
 * With memory that was zeroed the pointer is NULL.
 */
static inline void fill_free_heap(int byte)
{
    enum { COUNT = 16 };
    void *blocks[COUNT];
    for (size_t size = 32; size <= 1024; size += 16) {
        for (int i = 0; i < COUNT; i++) {
            blocks[i] = malloc(size);
            if (blocks[i]) {
                memset(blocks[i], byte, size);
                /* A compiler drops what is written to memory that is only freed. */
                __asm__ volatile("" : : "r"(blocks[i]) : "memory");
            }
        }
        for (int i = 0; i < COUNT; i++) {
            free(blocks[i]);
        }
    }
}

#endif
