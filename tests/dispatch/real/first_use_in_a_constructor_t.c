/* SPDX-License-Identifier: MIT */
/* The first call may come before main. */
#include "check.h"

static int early;
static hipError_t early_error = hipErrorUnknown;

__attribute__((constructor)) static void before_main(void)
{
    early_error = hipRuntimeGetVersion(&early);
}

static void the_constructor_was_served(void **state)
{
    (void)state;
    int now = 0;
    assert_int_equal(early_error, hipSuccess);
    assert_int_equal(hipRuntimeGetVersion(&now), hipSuccess);
    assert_int_equal(early, now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_constructor_was_served)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
