/* SPDX-License-Identifier: MIT */
/* main ends by pthread_exit while another thread, which ends the process, makes calls. */
#include <hip/hip_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *memory;
static pthread_t first;

static void clean_up(void)
{
    printf("exit: %d\n", hipFree(memory));
}

static void *work(void *nothing)
{
    if (pthread_join(first, NULL) || hipMalloc(&memory, 4096)) {
        exit(3);
    }
    return nothing;
}

int main(void)
{
    pthread_t thread;

    first = pthread_self();
    if (atexit(clean_up) || pthread_create(&thread, NULL, work, NULL)) {
        return 3;
    }
    pthread_exit(NULL);
}
