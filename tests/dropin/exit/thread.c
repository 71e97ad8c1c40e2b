/* SPDX-License-Identifier: MIT */
/* Makes the first HIP call in a thread, and uses HIP in a handler of the process. */
#include <hip/hip_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *memory;

static void *work(void *nothing)
{
    if (hipMalloc(&memory, 4096)) {
        exit(3);
    }
    return nothing;
}

static void clean_up(void)
{
    printf("exit: %d\n", hipFree(memory));
}

int main(void)
{
    pthread_t thread;

    atexit(clean_up);
    return pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL);
}
