/* SPDX-License-Identifier: MIT */
/* With HIPSHIM_INLINE a program calls through pointers of its own. */
#define HIPSHIM_INLINE
#include "check.h"

static void calls_arrive(void **state)
{
    (void)state;
    int one = 0, two = 0, major = 0, minor = 0;
    assert_int_equal(hipRuntimeGetVersion(&one), hipSuccess);
    assert_int_equal(hipRuntimeGetVersion(&two), hipSuccess);
    assert_int_equal(one, two);
    assert_true(one > 50000000);
    assert_int_equal(hiprtcVersion(&major, &minor), HIPRTC_SUCCESS);
    assert_true(major > 0);
}

static void the_pointer_leads_to_the_runtime(void **state)
{
    (void)state;
    int version = 0;
    assert_int_equal(hipRuntimeGetVersion(&version), hipSuccess);
    assert_true((hipshim_address_t)hipshim_at_hipRuntimeGetVersion ==
                hipshim_function_address("hipRuntimeGetVersion"));
    assert_true((hipshim_address_t)hipshim_at_hipRuntimeGetVersion !=
                (hipshim_address_t)hipRuntimeGetVersion);
}

static void missing_functions_still_say_so(void **state)
{
    (void)state;
    hipshim_function_t function = {.size = sizeof function};
    assert_int_equal(hipshim_function_info("hipRemoveApiCallback", &function), HIPSHIM_OK);
    if (function.kind == HIPSHIM_KIND_MISSING) {
        assert_int_equal(hipRemoveApiCallback(0), hipErrorNotSupported);
        assert_non_null(
            strstr(hipshim_error_text(), "hipRemoveApiCallback was last declared by HIP 5.3"));
    }
}

static void unknown_names_have_no_address(void **state)
{
    (void)state;
    assert_null(hipshim_function_address("hipNoSuchThing"));
    assert_null(hipshim_function_address(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_arrive),
        cmocka_unit_test(the_pointer_leads_to_the_runtime),
        cmocka_unit_test(missing_functions_still_say_so),
        cmocka_unit_test(unknown_names_have_no_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
