/* SPDX-License-Identifier: MIT */
/* Among embedded code objects the one that fits the architecture best is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hipshim/embed.h>

static const hipshim_embedded_code_t codes[] = {
    {"all", "gfx90a", "", 1, 0},        {"all", "gfx10-3-generic", "", 1, 0},
    {"all", "gfx90a:xnack-", "", 1, 0}, {"all", "gfx90a:sramecc+:xnack-", "", 1, 0},
    {"all", "gfx9-generic", "", 1, 0},  {"all", "gfx906", "", 1, 0},
    {"all", "gfx1030", "", 1, 0},       {"all", "gfx9-generic:xnack+", "", 1, 0},
    {"few", "gfx90a:xnack+", "", 1, 0}, {"few", "gfx11-generic", "", 1, 0},
    {"short", "gfx103", "", 1, 0},
};
static const hipshim_embedded_t embedded = {
    sizeof embedded, HIPSHIM_EMBEDDED_VERSION, codes, sizeof codes / sizeof codes[0], NULL, 0};

static const char *found(const char *kernel, const char *arch)
{
    const hipshim_embedded_code_t *code = codes;

    if (hipshim_embedded_find(&embedded, kernel, arch, &code) == HIPSHIM_OK) {
        assert_non_null(code);
        assert_string_equal(code->kernel, kernel);
        return code->arch;
    }
    assert_null(code);
    return "none";
}

static void the_most_features_win(void **state)
{
    (void)state;
    assert_string_equal(found("all", "gfx90a:sramecc+:xnack-"), "gfx90a:sramecc+:xnack-");
    assert_string_equal(found("all", "gfx90a:sramecc-:xnack-"), "gfx90a:xnack-");
    assert_string_equal(found("all", "gfx90a:sramecc+:xnack+"), "gfx90a");
    assert_string_equal(found("all", "gfx90a"), "gfx90a");
}

static void other_features_do_not_fit(void **state)
{
    (void)state;
    assert_string_equal(found("few", "gfx90a:sramecc+:xnack+"), "gfx90a:xnack+");
    assert_string_equal(found("few", "gfx90a:sramecc+:xnack-"), "none");
    assert_string_equal(found("few", "gfx90a"), "none");
}

static void generic_targets_come_last(void **state)
{
    (void)state;
    assert_string_equal(found("all", "gfx1030"), "gfx1030");
    assert_string_equal(found("all", "gfx1032"), "gfx10-3-generic");
    assert_string_equal(found("all", "gfx906:sramecc+:xnack+"), "gfx906");
    assert_string_equal(found("all", "gfx900:xnack-"), "gfx9-generic");
    assert_string_equal(found("all", "gfx900:xnack+"), "gfx9-generic:xnack+");
    assert_string_equal(found("few", "gfx1151"), "gfx11-generic");
}

static void beginnings_of_names_do_not_fit(void **state)
{
    (void)state;
    assert_string_equal(found("all", "gfx1010"), "none");
    assert_string_equal(found("all", "gfx103"), "none");
    assert_string_equal(found("all", "gfx90"), "none");
    assert_string_equal(found("few", "gfx11"), "none");
    assert_string_equal(found("short", "gfx1030"), "none");
    assert_string_equal(found("few", "gfx1200"), "none");
}

static void errors_say_what_there_is(void **state)
{
    const hipshim_embedded_code_t *code;

    (void)state;
    assert_int_equal(hipshim_embedded_find(&embedded, "few", "gfx1201", &code),
                     HIPSHIM_ERROR_NO_CODE);
    assert_non_null(strstr(hipshim_error_text(), "gfx90a:xnack+, gfx11-generic"));
    assert_non_null(strstr(hipshim_error_text(), "gfx1201"));
    assert_int_equal(hipshim_embedded_find(&embedded, "None", "gfx90a", &code),
                     HIPSHIM_ERROR_INVALID);
    assert_non_null(strstr(hipshim_error_text(), "\"None\"; there are: all, few, short"));
}

static void what_makes_no_sense_is_refused(void **state)
{
    const hipshim_embedded_code_t *code;
    hipshim_embedded_t other = embedded;
    struct ihipModule_t *module = (struct ihipModule_t *)&other;

    (void)state;
    assert_int_equal(hipshim_embedded_find(NULL, "all", "gfx90a", &code), HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_embedded_find(&embedded, NULL, "gfx90a", &code),
                     HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_embedded_find(&embedded, "all", "gfx90a", NULL),
                     HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_embedded_find(&embedded, "all", "sm_80", &code),
                     HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_embedded_load(&embedded, "all", "gfx90a", NULL),
                     HIPSHIM_ERROR_INVALID);
    assert_int_equal(hipshim_embedded_load(NULL, "all", "gfx90a", &module), HIPSHIM_ERROR_INVALID);
    assert_null(module);
    other.version = HIPSHIM_EMBEDDED_VERSION + 1;
    assert_int_equal(hipshim_embedded_find(&other, "all", "gfx90a", &code), HIPSHIM_ERROR_INVALID);
    other = embedded;
    other.size = sizeof other.size - 1;
    assert_int_equal(hipshim_embedded_find(&other, "all", "gfx90a", &code), HIPSHIM_ERROR_INVALID);
}

static void without_a_runtime_loading_fails(void **state)
{
    struct ihipModule_t *module = (struct ihipModule_t *)&module;

    (void)state;
    assert_int_equal(hipshim_embedded_load(&embedded, "all", "gfx90a", &module),
                     HIPSHIM_ERROR_SYSTEM);
    assert_null(module);
    assert_int_equal(hipshim_embedded_load(&embedded, "few", "gfx1201", &module),
                     HIPSHIM_ERROR_NO_CODE);
    assert_non_null(strstr(hipshim_error_text(), "gfx11-generic"));
}

/* A program that was compiled with an older header has a smaller structure. */
static void structures_of_other_ages_are_read(void **state)
{
    struct {
        hipshim_embedded_t known;
        char newer[64];
    } larger = {embedded, ""};
    hipshim_embedded_t older = embedded;
    const hipshim_embedded_code_t *code;

    (void)state;
    larger.known.size = sizeof larger;
    assert_int_equal(hipshim_embedded_find(&larger.known, "all", "gfx906", &code), HIPSHIM_OK);
    larger.newer[sizeof larger.newer - 1] = 1; /* a member that is not known here is used */
    assert_int_equal(hipshim_embedded_find(&larger.known, "all", "gfx906", &code),
                     HIPSHIM_ERROR_INVALID);
    assert_non_null(strstr(hipshim_error_text(), "a member that this version"));
    older.sources = (const hipshim_embedded_source_t *)1; /* not read */
    older.source_count = 1000;
    older.size = offsetof(hipshim_embedded_t, sources);
    assert_int_equal(hipshim_embedded_find(&older, "all", "gfx906", &code), HIPSHIM_OK);
    assert_int_equal(hipshim_embedded_find(&older, "absent", "gfx906", &code),
                     HIPSHIM_ERROR_INVALID);
    older.size = 0;
    assert_int_equal(hipshim_embedded_find(&older, "all", "gfx906", &code), HIPSHIM_ERROR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_features_win),
        cmocka_unit_test(other_features_do_not_fit),
        cmocka_unit_test(generic_targets_come_last),
        cmocka_unit_test(beginnings_of_names_do_not_fit),
        cmocka_unit_test(errors_say_what_there_is),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(without_a_runtime_loading_fails),
        cmocka_unit_test(structures_of_other_ages_are_read),
    };

    setenv("HIPSHIM_LIBRARY", "/nowhere/libamdhip64.so", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
