/* SPDX-License-Identifier: MIT */
/* Uses HIP in an exit handler of both a process and its child. */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *memory;

static void clean_up(void)
{
    printf("exit: %d\n", hipFree(memory));
    fflush(stdout);
}

int main(void)
{
    int status;

    if (atexit(clean_up) || hipMalloc(&memory, 4096)) {
        return 3;
    }
    pid_t child = fork();
    if (child == 0) {
        return 0;
    }
    return waitpid(child, &status, 0) != child || status != 0;
}
