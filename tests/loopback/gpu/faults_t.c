/* SPDX-License-Identifier: MIT */
/*
 * A kernel that faults (LOOPBACK_FAULT=kernel).  HIP 7 gives an error that
 * stays; before, the runtime ends the process.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu.h"

static int launch(void)
{
    hipModule_t module;
    hipFunction_t function;
    void *code = compile("extern \"C\" __global__ void faulty() {}");
    hipError_t error = hipModuleLoadData(&module, code);
    error = error ? error : hipModuleGetFunction(&function, module, "faulty");
    if (error) {
        return 1;
    }
    /* The launch may see it already. */
    hipError_t first = hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, 0, NULL, NULL);
    first = first ? first : hipDeviceSynchronize();
    hipError_t second = hipDeviceSynchronize();
    fprintf(stderr, "after the fault: %d, then %d\n", (int)first, (int)second);
    return first == hipErrorIllegalAddress && second == hipErrorIllegalAddress ? 42 : 2;
}

static void a_fault_is_told(void **state)
{
    /* Asked in another process: this one must not have begun before the fork. */
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        _exit(launch());
    }
    assert_true(child > 0);
    waitpid(child, &status, 0);
    if (HIP_BEFORE(7, 0)) {
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGABRT);
    } else {
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 42);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_fault_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
