/* SPDX-License-Identifier: MIT */
/* A runtime that is in the process already is the one hipshim uses. */
#include <dlfcn.h>

#include "check.h"

static void uses_the_one_that_is_mapped(void **state)
{
    (void)state;
    char soname[32];
    snprintf(soname, sizeof soname, "libamdhip64.so.%c", wanted_release()[0]);
    void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(handle);

    hipshim_runtime_t info = {.size = sizeof info};
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    assert_int_equal(info.found_by, HIPSHIM_SEARCH_SOURCE_LOADED);
    Dl_info place;
    void *symbol = dlsym(handle, "hipRuntimeGetVersion");
    assert_non_null(symbol);
    assert_true(dladdr(symbol, &place) != 0);
    assert_string_equal(place.dli_fname, info.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(uses_the_one_that_is_mapped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
