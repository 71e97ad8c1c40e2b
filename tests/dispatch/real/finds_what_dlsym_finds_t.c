/* SPDX-License-Identifier: MIT */
/* hipshim's own look-up of symbols gives the addresses that dlsym gives. */
#include <dlfcn.h>

#include "check.h"

static void check_library(const char *path, bool of_hiprtc)
{
    void *library = dlopen(path, RTLD_NOW);
    unsigned compared = 0;
    assert_non_null(library);
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        const char *name = hipshim_function_name(i);
        hipshim_function_t function = {.size = sizeof function};
        if ((strncmp(name, "hiprtc", 6) == 0) != of_hiprtc) {
            continue;
        }
        assert_int_equal(hipshim_function_info(name, &function), HIPSHIM_OK);
        if (function.kind == HIPSHIM_KIND_DIRECT && dlsym(library, name)) {
            assert_true((hipshim_address_t)dlsym(library, name) == hipshim_function_address(name));
            compared++;
        }
    }
    assert_true(compared > (of_hiprtc ? 8 : 300));
}

static void both_libraries(void **state)
{
    (void)state;
    hipshim_runtime_t info = {.size = sizeof info};
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    check_library(info.path, false);
    check_library(info.hiprtc_path, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_libraries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
