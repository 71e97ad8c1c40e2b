/* SPDX-License-Identifier: MIT */
/*
 * Every function that the release or its build lacks gives the answer of its
 * type, and a text that names it.  It is looked up by name and called without
 * arguments, which what reports a missing function never looks at.
 */
#include "gpu.h"

/* Functions whose answer is not an error; NULL text: nothing is promised of it. */
static const struct {
    const char *name;
    bool is_text;
} others[] = {
    {"__hipGetPCH", false},          {"hipApiName", true},
    {"hipCreateChannelDesc", false}, {"hipGetErrorName", true},
    {"hipGetErrorString", true},     {"hipGetStreamDeviceId", false},
    {"hipKernelNameRef", true},      {"hipKernelNameRefByPtr", true},
    {"hiprtcGetErrorString", true},
};

static void expect_refusal(const char *name)
{
    char symbol[128];
    snprintf(symbol, sizeof symbol, "hipshim_%s", name);
    void *address = dlsym(RTLD_DEFAULT, symbol);
    assert_non_null(address);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(name, others[i].name) != 0) {
            continue;
        }
        if (others[i].is_text) {
            assert_non_null(((const char *(*)(void))address)());
        }
        return;
    }
    bool is_hiprtc = strncmp(name, "hiprtc", 6) == 0;
    int wanted = is_hiprtc ? (int)HIPRTC_ERROR_INTERNAL_ERROR : (int)hipErrorNotSupported;
    (void)hipGetLastError();
    int answer = ((int (*)(void))address)();
    if (answer != wanted) {
        fail_msg("%s: %d, not %d", name, answer, wanted);
    }
    int last = (int)hipGetLastError();
    if (last != (is_hiprtc ? (int)hipSuccess : wanted)) {
        fail_msg("%s: hipGetLastError then returns %d", name, last);
    }
}

static void each_says_what_it_is(void **state)
{
    unsigned missing = 0;
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        const char *name = hipshim_function_name(i);
        hipshim_function_t function = {.size = sizeof function};
        assert_int_equal(hipshim_function_info(name, &function), HIPSHIM_OK);
        if (function.kind == HIPSHIM_KIND_MISSING) {
            expect_refusal(name);
            if (strncmp(hipshim_error_text(), name, strlen(name)) != 0) {
                fail_msg("%s: \"%s\" does not name it", name, hipshim_error_text());
            }
            missing++;
        }
    }
    hipshim_runtime_t info = {.size = sizeof info};
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    assert_int_equal(missing, info.kinds[HIPSHIM_KIND_MISSING]);
    assert_true(missing > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_says_what_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
