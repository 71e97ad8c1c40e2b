/* SPDX-License-Identifier: MIT */
/* A child works whether its parent had used hipshim before the fork or not. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int version_in_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        int version = 0, major = 0, minor = 0;
        bool good = hipRuntimeGetVersion(&version) == hipSuccess && version > 50000000 &&
                    hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS;
        _exit(good ? 0 : 1);
    }
    int status = -1;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void before_the_first_use(void **state)
{
    (void)state;
    assert_int_equal(version_in_child(), 0);
}

static void after_the_first_use(void **state)
{
    (void)state;
    int version = 0;
    assert_int_equal(hipRuntimeGetVersion(&version), hipSuccess);
    assert_int_equal(version_in_child(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_first_use),
        cmocka_unit_test(after_the_first_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
