/* SPDX-License-Identifier: MIT */
/* The library knows which release it runs on, and passes its answers through. */
#include "check.h"

static void info_names_the_release(void **state)
{
    (void)state;
    hipshim_runtime_t info = {.size = sizeof info};
    char text[64];
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    snprintf(text, sizeof text, "%u.%u.%u", info.release.major, info.release.minor,
             info.release.patch);
    assert_string_equal(text, wanted_release());
    assert_int_equal(info.match, HIPSHIM_MATCH_EXACT);
    assert_non_null(info.path);
    assert_non_null(info.hiprtc_path);
    /* The name has a part more inside a wheel. */
    snprintf(text, sizeof text, ".so.%u", info.release.major);
    assert_memory_equal(info.soname, "libamdhip64", strlen("libamdhip64"));
    assert_non_null(strstr(info.soname, text));
}

static void versions_come_from_the_runtime(void **state)
{
    (void)state;
    hipshim_runtime_t info = {.size = sizeof info};
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    int runtime = 0, major = 0, minor = 0;
    assert_int_equal(hipRuntimeGetVersion(&runtime), hipSuccess);
    assert_int_equal(runtime, info.release.major * 10000000 + info.release.minor * 100000 +
                                  info.release.patch);
    assert_int_equal(hiprtcVersion(&major, &minor), HIPRTC_SUCCESS);
    assert_true(major >= 5);
    assert_int_equal(HIP_VERSION_MAJOR, info.stable.major);
}

static void errors_have_their_names(void **state)
{
    (void)state;
    assert_string_equal(hipGetErrorName(hipSuccess), "hipSuccess");
    assert_string_equal(hipGetErrorName(hipErrorNoDevice), "hipErrorNoDevice");
    assert_string_equal(hipGetErrorName(hipErrorNotSupported), "hipErrorNotSupported");
    assert_true(strlen(hipGetErrorString(hipErrorInvalidValue)) > 0);
    assert_string_equal(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "HIPRTC_ERROR_COMPILATION");
}

static void without_a_gpu_the_runtime_says_so(void **state)
{
    (void)state;
    int count = -1;
    hipError_t error = hipGetDeviceCount(&count);
    if (error == hipSuccess) {
        assert_true(count > 0);
        return;
    }
    assert_true(error == hipErrorNoDevice || error == hipErrorInvalidDevice);
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_names_the_release),
        cmocka_unit_test(versions_come_from_the_runtime),
        cmocka_unit_test(errors_have_their_names),
        cmocka_unit_test(without_a_gpu_the_runtime_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
