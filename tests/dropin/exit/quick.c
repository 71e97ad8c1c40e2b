/* SPDX-License-Identifier: MIT */
/* Ends by quick_exit, which runs no exit handler, with a handler of its own that uses HIP. */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

static void *memory;

static void clean_up(void)
{
    printf("exit: %d\n", hipFree(memory));
    fflush(stdout);
}

int main(void)
{
    if (at_quick_exit(clean_up) || hipMalloc(&memory, 4096)) {
        return 3;
    }
    quick_exit(0);
}
