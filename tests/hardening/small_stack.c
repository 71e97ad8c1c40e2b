/* SPDX-License-Identifier: MIT */
/* Makes the first HIP call of the process in a thread with a stack of argv[1] bytes. */
#include <hip/hip_runtime_api.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *call(void *nothing)
{
    int version = 0;
    (void)nothing;
    return (void *)(intptr_t)(hipRuntimeGetVersion(&version) == hipSuccess ? version : 0);
}

int main(int count, char **words)
{
    pthread_attr_t attributes;
    pthread_t thread;
    void *version = NULL;
    if (count != 2 || pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstacksize(&attributes, strtoul(words[1], NULL, 10)) != 0 ||
        pthread_create(&thread, &attributes, call, NULL) != 0 ||
        pthread_join(thread, &version) != 0) {
        return 99;
    }
    printf("%d\n", (int)(intptr_t)version / 100000);
    return 0;
}
