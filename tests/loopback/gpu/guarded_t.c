/* SPDX-License-Identifier: MIT */
/*
 * Under LOOPBACK_GUARD=1 memory of the GPU is not the host's: copies reach it,
 * a look through its address is a fault, as on a card whose memory is its own.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu.h"

static int dies_of(const volatile char *address)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGSEGV, SIG_DFL);
        _exit(*address == 1);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void device_memory_faults_on_the_host(void **state)
{
    char *device = NULL;
    OK(hipMalloc((void **)&device, 4096));
    OK(hipMemset(device, 1, 4096));
    OK(hipDeviceSynchronize());
    expect_device_filled(device, 1, 4096);
    assert_int_equal(dies_of(device), SIGSEGV);
    OK(hipFree(device));
}

static void host_memory_does_not(void **state)
{
    char *host = NULL;
    OK(hipHostMalloc((void **)&host, 4096, 0));
    host[0] = 1;
    assert_int_equal(dies_of(host), 0);
    OK(hipHostFree(host));
}

static void managed_memory_does_not(void **state)
{
    char *managed = NULL;
    OK(hipMallocManaged((void **)&managed, 4096, hipMemAttachGlobal));
    managed[0] = 1;
    assert_int_equal(dies_of(managed), 0);
    OK(hipFree(managed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_memory_faults_on_the_host),
        cmocka_unit_test(host_memory_does_not),
        cmocka_unit_test(managed_memory_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
