/* SPDX-License-Identifier: MIT */
/* Uses HIP in a handler that was registered before the first HIP call. */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *memory;
static hipStream_t stream;

static void clean_up(void)
{
    printf("exit: %d", hipStreamSynchronize(stream));
    printf(" %d", hipStreamDestroy(stream));
    printf(" %d\n", hipFree(memory));
    /* What a program prints after such an error. */
    if (strcmp(hipGetErrorName(hipErrorDeinitialized), "hipErrorDeinitialized") != 0 ||
        strstr(hipGetErrorString(hipErrorDeinitialized), "missing")) {
        printf("exit: name\n");
    }
}

int main(void)
{
    atexit(clean_up);
    return hipMalloc(&memory, 1 << 20) || hipStreamCreate(&stream);
}
