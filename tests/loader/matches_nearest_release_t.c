/* SPDX-License-Identifier: MIT */
/*
 * A runtime of an unknown release is used as the nearest known one, by the
 * order that release.h states.  Uses loader_tables.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loader/release.h"
#include "tables/tables.h"

static void expect(unsigned major, unsigned minor, unsigned patch, hipshim_match_t kind,
                   unsigned as_minor, unsigned as_patch)
{
    struct hs_release_match match = hs_release_match(major, minor, patch, false);

    assert_int_equal(match.kind, kind);
    assert_true(match.nearest >= 0);
    assert_int_equal(hs_releases[match.nearest].major, major);
    assert_int_equal(hs_releases[match.nearest].minor, as_minor);
    assert_int_equal(hs_releases[match.nearest].patch, as_patch);
    assert_int_equal(match.exact, kind == HIPSHIM_MATCH_EXACT ? match.nearest : -1);
}

static void every_known_release_is_itself(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < hs_release_count; i++) {
        const struct hs_release *known = &hs_releases[i];

        expect(known->major, known->minor, known->patch, HIPSHIM_MATCH_EXACT, known->minor,
               known->patch);
    }
}

static void the_nearest_older_patch_of_the_minor_comes_first(void **state)
{
    (void)state;
    expect(6, 1, 40092, HIPSHIM_MATCH_OLDER, 1, 40091);
    expect(6, 4, 43483, HIPSHIM_MATCH_OLDER, 4, 43482);
    expect(6, 4, 99999, HIPSHIM_MATCH_OLDER, 4, 43484);
}

static void a_newer_patch_of_the_minor_comes_before_an_older_minor(void **state)
{
    (void)state;
    expect(6, 4, 1, HIPSHIM_MATCH_NEWER, 4, 43482);
    expect(7, 2, 26015, HIPSHIM_MATCH_NEWER, 2, 53211);
}

static void the_last_release_of_the_nearest_older_minor_comes_next(void **state)
{
    (void)state;
    expect(6, 3, 42131, HIPSHIM_MATCH_OLDER, 2, 41134);
    expect(6, 9, 0, HIPSHIM_MATCH_OLDER, 4, 43484);
    expect(5, 5, 30201, HIPSHIM_MATCH_OLDER, 2, 21153);
}

static void patches_are_not_compared_across_minors(void **state)
{
    (void)state;
    /* 7.15 has patch 0, and 6.0 could have had any. */
    expect(7, 15, 0, HIPSHIM_MATCH_OLDER, 2, 53211);
    expect(6, 3, 0, HIPSHIM_MATCH_OLDER, 2, 41134);
    expect(6, 0, 99999, HIPSHIM_MATCH_NEWER, 1, 40091);
}

static void the_first_release_of_the_major_stands_in_for_older_ones(void **state)
{
    (void)state;
    expect(7, 0, 51831, HIPSHIM_MATCH_NEWER, 2, 53211);
    expect(5, 0, 1, HIPSHIM_MATCH_NEWER, 2, 21153);
}

static void an_unknown_major_is_refused(void **state)
{
    struct hs_release_match match;
    char text[256];

    (void)state;
    match = hs_release_match(8, 0, 0, false);
    assert_int_equal(match.kind, HIPSHIM_MATCH_NONE);
    assert_int_equal(match.nearest, -1);
    hs_release_describe(&match, 8, 0, 0, text, sizeof text);
    assert_string_equal(text, "HIP 8 is not known to this hipshim (release 8.0.0); a newer "
                              "hipshim may know it, and HIPSHIM_ALLOW_UNKNOWN=1 uses it "
                              "nevertheless");
    match = hs_release_match(4, 5, 0, false);
    assert_int_equal(match.kind, HIPSHIM_MATCH_NONE);
}

static void an_unknown_major_can_be_allowed(void **state)
{
    struct hs_release_match match;
    char text[256];

    (void)state;
    match = hs_release_match(8, 0, 0, true);
    assert_int_equal(match.kind, HIPSHIM_MATCH_UNKNOWN);
    assert_int_equal(match.exact, -1);
    assert_int_equal(match.nearest, (int)hs_release_count - 1);
    hs_release_describe(&match, 8, 0, 0, text, sizeof text);
    assert_string_equal(text, "8.0.0 is not known to this hipshim; it is used as 7.2.53211, as "
                              "HIPSHIM_ALLOW_UNKNOWN asks");
    match = hs_release_match(4, 5, 0, true);
    assert_int_equal(match.nearest, 0);
}

static void the_choice_is_put_into_words(void **state)
{
    struct hs_release_match match;
    char text[256];

    (void)state;
    match = hs_release_match(6, 4, 43484, false);
    hs_release_describe(&match, 6, 4, 43484, text, sizeof text);
    assert_string_equal(text, "6.4.43484 is known (ROCm 6.4.2, 6.4.3)");
    match = hs_release_match(6, 4, 43485, false);
    hs_release_describe(&match, 6, 4, 43485, text, sizeof text);
    assert_string_equal(text, "6.4.43485 is not known to this hipshim; it is used as 6.4.43484, "
                              "the nearest older release");
    match = hs_release_match(7, 0, 1, false);
    hs_release_describe(&match, 7, 0, 1, text, sizeof text);
    assert_string_equal(text, "7.0.1 is not known to this hipshim; it is used as 7.2.53211, the "
                              "nearest release, a newer one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_known_release_is_itself),
        cmocka_unit_test(the_nearest_older_patch_of_the_minor_comes_first),
        cmocka_unit_test(a_newer_patch_of_the_minor_comes_before_an_older_minor),
        cmocka_unit_test(the_last_release_of_the_nearest_older_minor_comes_next),
        cmocka_unit_test(patches_are_not_compared_across_minors),
        cmocka_unit_test(the_first_release_of_the_major_stands_in_for_older_ones),
        cmocka_unit_test(an_unknown_major_is_refused),
        cmocka_unit_test(an_unknown_major_can_be_allowed),
        cmocka_unit_test(the_choice_is_put_into_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
