/* SPDX-License-Identifier: MIT */
/*
 * Hides all devices in main by a variable of the environment.  HIP reads it when a process calls
 * it first, which the registration of kernels before main does not count as.  With an argument it
 * registers a bundle without kernels.
 */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void **__hipRegisterFatBinary(const void *wrapper);

/* A bundle without code objects, as a compiler places it. */
static const char bundle[32] __attribute__((aligned(4096))) = "__CLANG_OFFLOAD_BUNDLE__";
static const struct {
    unsigned magic, version;
    const void *bundle;
    void *unused;
} wrapper = {0x48495046, 1, bundle, NULL};

__attribute__((constructor)) static void register_kernels(int count)
{
    if (count > 1 && !__hipRegisterFatBinary(&wrapper)) {
        abort();
    }
}

static int devices(const char *hidden)
{
    int count = -1;
    setenv("HIP_VISIBLE_DEVICES", hidden, 1);
    return hipGetDeviceCount(&count) == hipSuccess ? count : 0;
}

int main(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        _exit(devices("0"));
    }
    int status = -1;
    waitpid(child, &status, 0);
    printf("child %d, parent %d\n", WEXITSTATUS(status), devices("-1"));
    fflush(stdout);
    _exit(0);
}
