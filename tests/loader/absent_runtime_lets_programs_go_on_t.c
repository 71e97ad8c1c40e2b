/* SPDX-License-Identifier: MIT */
/* Without a runtime nothing crashes and programs can fall back to the CPU. */
#include "../dispatch/real/check.h"

static void there_are_no_devices(void **state)
{
    (void)state;
    int count = -1;
    assert_int_equal(hipGetDeviceCount(&count), hipErrorInsufficientDriver);
    assert_int_equal(count, 0);
    assert_int_equal(hipGetDeviceCount(NULL), hipErrorInvalidValue);
}

static void calls_say_what_is_missing(void **state)
{
    (void)state;
    void *memory = NULL;
    assert_int_equal(hipMalloc(&memory, 16), hipErrorInsufficientDriver);
    assert_null(memory);
    assert_non_null(strstr(hipshim_error_text(), "hipMalloc"));
    assert_non_null(strstr(hipshim_error_text(), "HIPSHIM_LIBRARY"));
    assert_int_equal(hipshim_init(), HIPSHIM_ERROR_NO_RUNTIME);
}

static void the_last_error_is_kept(void **state)
{
    (void)state;
    void *memory = NULL;
    (void)hipGetLastError();
    assert_int_equal(hipGetLastError(), hipSuccess);
    assert_int_equal(hipMalloc(&memory, 16), hipErrorInsufficientDriver);
    assert_int_equal(hipPeekAtLastError(), hipErrorInsufficientDriver);
    assert_int_equal(hipGetLastError(), hipErrorInsufficientDriver);
    assert_int_equal(hipPeekAtLastError(), hipSuccess);
}

static void errors_still_have_names(void **state)
{
    (void)state;
    assert_string_equal(hipGetErrorName(hipErrorInsufficientDriver), "hipErrorInsufficientDriver");
    assert_string_equal(hipGetErrorString(hipErrorOutOfMemory), "hipErrorOutOfMemory");
    /* hipErrorTbd, a marker without a meaning, had this number before 7.14. */
    assert_string_equal(hipGetErrorName(hipErrorInvalidClusterSize), "hipErrorInvalidClusterSize");
    assert_string_equal(hipGetErrorName((hipError_t)123456), "hipErrorUnknown");
    assert_string_equal(hipGetErrorString(hipErrorInsufficientDriver),
                        "no HIP runtime (libamdhip64) was found");
}

static void hiprtc_refuses(void **state)
{
    (void)state;
    hiprtcProgram program = NULL;
    int major = 0, minor = 0;
    assert_int_equal(hiprtcCreateProgram(&program, "", "k", 0, NULL, NULL),
                     HIPRTC_ERROR_INTERNAL_ERROR);
    assert_int_equal(hiprtcVersion(&major, &minor), HIPRTC_ERROR_INTERNAL_ERROR);
    assert_string_equal(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "HIPRTC_ERROR_COMPILATION");
}

static void other_result_types_are_harmless(void **state)
{
    (void)state;
    assert_string_equal(hipApiName(1), "no HIP runtime");
    assert_int_equal(hipGetStreamDeviceId(NULL), -1);
    assert_int_equal(hipCreateChannelDesc(1, 2, 3, 4, hipChannelFormatKindFloat).x, 0);
}

int main(void)
{
    /* Whatever this machine has, this process has no runtime. */
    setenv("HIPSHIM_LIBRARY", "/dev/null/no-runtime", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_no_devices),   cmocka_unit_test(calls_say_what_is_missing),
        cmocka_unit_test(the_last_error_is_kept), cmocka_unit_test(errors_still_have_names),
        cmocka_unit_test(hiprtc_refuses),         cmocka_unit_test(other_result_types_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
