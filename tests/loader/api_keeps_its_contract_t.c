/* SPDX-License-Identifier: MIT */
/*
 * hipshim/hipshim.h on a machine without a runtime: bad arguments are refused with a text, and
 * functions that need no runtime work.  structures_of_other_ages_t.c has the sizes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hipshim/hipshim.h>

#include <stdlib.h>
#include <string.h>

static void init_says_that_there_is_no_runtime(void **state)
{
    (void)state;
    assert_int_equal(hipshim_init(), HIPSHIM_ERROR_NO_RUNTIME);
    assert_int_equal(hipshim_init(), HIPSHIM_ERROR_NO_RUNTIME);
    assert_non_null(strstr(hipshim_error_text(), "/nonexistent/libamdhip64.so.6"));
}

static void runtime_info_is_filled_all_the_same(void **state)
{
    hipshim_runtime_t info;

    (void)state;
    memset(&info, 0xa5, sizeof info);
    info.size = sizeof info;
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_ERROR_NO_RUNTIME);
    assert_int_equal(info.size, sizeof info);
    assert_null(info.path);
    assert_null(info.hiprtc_path);
    assert_non_null(info.hiprtc_text);
    assert_non_null(info.match_text);
    assert_string_equal(info.no_runtime_text, hipshim_error_text());
    assert_int_equal(info.release.major, 0);
    assert_true(info.stable.major >= 7);
    assert_int_equal(info.match, HIPSHIM_MATCH_NONE);
    assert_int_equal(info.found_by, HIPSHIM_SEARCH_SOURCE_NONE);
    assert_int_equal(info.kinds[HIPSHIM_KIND_DIRECT] + info.kinds[HIPSHIM_KIND_CONVERTED], 0);
    assert_int_equal(info.kinds[HIPSHIM_KIND_EMULATED] + info.kinds[HIPSHIM_KIND_MISSING],
                     hipshim_function_count());
}

static void bad_arguments_are_refused_with_a_text(void **state)
{
    hipshim_runtime_t runtime = {0};
    hipshim_function_t function = {.size = sizeof function};
    hipshim_step_t step = {.size = sizeof step};

    (void)state;
    assert_int_equal(hipshim_runtime_info(NULL), HIPSHIM_ERROR_INVALID);
    assert_non_null(strstr(hipshim_error_text(), "hipshim_runtime_info"));
    assert_int_equal(hipshim_runtime_info(&runtime), HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_step_info(0, NULL), HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_step_info(hipshim_step_count(), &step), HIPSHIM_ERROR_INVALID);
    assert_non_null(strstr(hipshim_error_text(), "hipshim_step_info"));
    assert_int_equal(hipshim_function_info("hipMalloc", NULL), HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_function_info("hipNoSuch", &function), HIPSHIM_ERROR_UNKNOWN_FUNCTION);
    assert_non_null(strstr(hipshim_error_text(), "hipNoSuch"));
}

static void the_search_ends_at_a_wrong_pin(void **state)
{
    hipshim_step_t step = {.size = sizeof step};

    (void)state;
    assert_int_equal(hipshim_step_count(), 1);
    assert_int_equal(hipshim_step_info(0, &step), HIPSHIM_OK);
    assert_int_equal(step.source, HIPSHIM_SEARCH_SOURCE_PIN);
    assert_int_equal(step.outcome, HIPSHIM_OUTCOME_REJECTED);
    assert_string_equal(step.subject, "/nonexistent/libamdhip64.so.6");
}

static void functions_are_listed_in_order(void **state)
{
    hipshim_function_t function = {.size = sizeof function};
    unsigned i, count = hipshim_function_count();

    (void)state;
    assert_true(count > 500);
    assert_null(hipshim_function_name(count));
    for (i = 0; i < count; i++) {
        const char *name = hipshim_function_name(i);

        assert_non_null(name);
        assert_true(i == 0 || strcmp(hipshim_function_name(i - 1), name) < 0);
        assert_int_equal(hipshim_function_info(name, &function), HIPSHIM_OK);
        assert_string_equal(function.name, name);
        assert_true(function.since.major >= 5);
        assert_true(function.removed.major == 0 || function.removed.major >= function.since.major);
    }
    assert_int_equal(hipshim_function_info("hipMalloc", &function), HIPSHIM_OK);
    assert_int_equal(function.since.major, 5);
    assert_int_equal(function.removed.major, 0);
}

/* HIP's headers since 6.0 define both names as macros; a look-up by name does not see macros. */
static void names_that_headers_define_as_macros_are_found(void **state)
{
    static const char *const names[][2] = {
        {"hipGetDeviceProperties", "hipGetDevicePropertiesR0600"},
        {"hipChooseDevice", "hipChooseDeviceR0600"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *plain = names[i][0], *own = names[i][1];
        hipshim_function_t function = {.size = sizeof function};
        hipshim_release_t since, removed;
        hipshim_kind_t kind;

        assert_int_equal(hipshim_function_info(plain, &function), HIPSHIM_OK);
        assert_string_equal(function.name, own);
        assert_non_null(hipshim_function_address(plain));
        assert_true(hipshim_function_address(plain) == hipshim_function_address(own));
        assert_int_equal(hipshim_function_kind_on_release(plain, 0, &kind), HIPSHIM_OK);
        assert_int_equal(kind, HIPSHIM_KIND_CONVERTED);
        assert_int_equal(hipshim_function_availability(plain, &since, &removed), HIPSHIM_OK);
        assert_int_equal(since.major, 5);
    }
}

static void a_name_that_is_null_is_an_invalid_argument(void **state)
{
    hipshim_function_t function = {.size = sizeof function};
    hipshim_release_t since, removed;
    hipshim_kind_t kind;

    (void)state;
    assert_int_equal(hipshim_function_info(NULL, &function), HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_function_kind_on_release(NULL, 0, &kind), HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_function_availability(NULL, &since, &removed), HIPSHIM_ERROR_INVALID);
    assert_string_equal(hipshim_error_text(), "hipshim_function_availability: `name` is NULL");
    assert_null(hipshim_function_address(NULL));
    assert_string_equal(hipshim_error_text(), "hipshim_function_address: `name` is NULL");
}

static void statuses_and_versions_have_words(void **state)
{
    (void)state;
    assert_string_equal(hipshim_status_text(HIPSHIM_OK), "no error");
    assert_string_equal(hipshim_status_text((hipshim_status_t)-99), "unknown status");
    assert_int_equal(hipshim_abi_version(), HIPSHIM_ABI_VERSION);
    assert_true(strlen(hipshim_version()) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_says_that_there_is_no_runtime),
        cmocka_unit_test(runtime_info_is_filled_all_the_same),
        cmocka_unit_test(bad_arguments_are_refused_with_a_text),
        cmocka_unit_test(the_search_ends_at_a_wrong_pin),
        cmocka_unit_test(functions_are_listed_in_order),
        cmocka_unit_test(names_that_headers_define_as_macros_are_found),
        cmocka_unit_test(a_name_that_is_null_is_an_invalid_argument),
        cmocka_unit_test(statuses_and_versions_have_words),
    };

    setenv("HIPSHIM_LIBRARY", "/nonexistent/libamdhip64.so.6", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
