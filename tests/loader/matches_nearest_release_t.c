/* SPDX-License-Identifier: MIT */
/*
 * A runtime of an unknown release is used as the known one with the most similar
 * functions, or else as the nearest, by the order that release.h states.  Uses
 * loader_tables.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/release.h"
#include "engine/tables.h"

/* `library` is the list of its symbols, each with a space behind it. */
static bool has_symbol(const void *library, const char *symbol)
{
    char word[64];
    size_t length = strlen(symbol);
    assert_true(length + 2 < sizeof word);
    memcpy(word, symbol, length);
    memcpy(word + length, " ", 2);
    return strstr(library, word) != NULL;
}

static bool must_not_be_asked(const void *library, const char *symbol)
{
    (void)library;
    fail_msg("%s was looked up in the library of a known release", symbol);
    return false;
}

static struct hs_release_request request(unsigned major, unsigned minor, unsigned patch,
                                         const char *symbols)
{
    return (struct hs_release_request){
        .major = major, .minor = minor, .patch = patch, .exports = has_symbol, .library = symbols};
}

/* Expects that a library of that release with these symbols is used as AS_MINOR.AS_PATCH. */
static void expect_with(const char *symbols, unsigned major, unsigned minor, unsigned patch,
                        hipshim_match_t kind, unsigned as_minor, unsigned as_patch)
{
    struct hs_release_request one = request(major, minor, patch, symbols);
    struct hs_release_match match = hs_release_match(&one);

    assert_int_equal(match.kind, kind);
    assert_true(match.nearest >= 0);
    assert_int_equal(hs_releases[match.nearest].major, major);
    assert_int_equal(hs_releases[match.nearest].minor, as_minor);
    assert_int_equal(hs_releases[match.nearest].patch, as_patch);
    assert_int_equal(match.exact, kind == HIPSHIM_MATCH_EXACT ? match.nearest : -1);
}

/* The same for a library that tells nothing by its functions. */
static void expect(unsigned major, unsigned minor, unsigned patch, hipshim_match_t kind,
                   unsigned as_minor, unsigned as_patch)
{
    expect_with("", major, minor, patch, kind, as_minor, as_patch);
}

static void every_known_release_is_itself(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < hs_release_count; i++) {
        const struct hs_release *known = &hs_releases[i];

        struct hs_release_request one = request(known->major, known->minor, known->patch, "");
        one.exports = must_not_be_asked;
        one.refuse_unknown = i % 2;
        struct hs_release_match match = hs_release_match(&one);
        assert_int_equal(match.kind, HIPSHIM_MATCH_EXACT);
        assert_int_equal(match.exact, i);
        assert_int_equal(match.nearest, i);
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

static void the_nearest_minor_comes_next(void **state)
{
    (void)state;
    expect(6, 9, 0, HIPSHIM_MATCH_OLDER, 4, 43484);
    expect(5, 5, 30201, HIPSHIM_MATCH_NEWER, 7, 31921);
    expect(5, 4, 22801, HIPSHIM_MATCH_OLDER, 2, 21153);
    expect(6, 3, 42131, HIPSHIM_MATCH_OLDER, 2, 41134); /* as near as 6.4, and older */
}

static void functions_come_before_numbers(void **state)
{
    (void)state;
    expect_with("hipAlways hipSince57 ", 5, 4, 22801, HIPSHIM_MATCH_NEWER, 7, 31921);
    expect_with("hipAlways ", 5, 6, 0, HIPSHIM_MATCH_OLDER, 2, 21153);
    expect_with("hipAlways hipSince57 hipSince62 ", 6, 4, 43485, HIPSHIM_MATCH_OLDER, 2, 41134);
    expect_with("hipAlways hipSince57 hipSince62 hipSince64 ", 6, 1, 40094, HIPSHIM_MATCH_NEWER, 4,
                43482);
}

static void a_lacking_function_counts_as_one_too_many(void **state)
{
    (void)state;
    /* One function differs from 6.1 and from 6.2, two from 6.4; 6.1 and 6.2 are equally near. */
    expect_with("hipAlways hipSince57 ", 6, 2, 1, HIPSHIM_MATCH_NEWER, 2, 41134);
    expect_with("hipAlways hipSince57 hipOnly61 hipSince62 ", 6, 1, 1, HIPSHIM_MATCH_NEWER, 1,
                40091);
    expect_with("hipAlways hipSince57 hipOnly61 ", 6, 4, 1, HIPSHIM_MATCH_OLDER, 1, 40093);
}

static void equal_functions_leave_it_to_the_number(void **state)
{
    (void)state;
    const char *both = "hipAlways hipSince57 hipSince62 hipSince64 ";
    expect_with(both, 6, 4, 43483, HIPSHIM_MATCH_OLDER, 4, 43482);
    expect_with(both, 6, 4, 99999, HIPSHIM_MATCH_OLDER, 4, 43484);
    expect_with(both, 6, 9, 0, HIPSHIM_MATCH_OLDER, 4, 43484);
}

static void some_functions_tell_nothing(void **state)
{
    (void)state;
    /* hipMaybe62 is not reliable, and hiprtc may be elsewhere. */
    expect_with("hipAlways hipSince57 hipSince62 ", 6, 9, 0, HIPSHIM_MATCH_OLDER, 2, 41134);
    expect_with("hipAlways hipSince57 hipOnly61 hipMaybe62 hiprtcSince62 ", 6, 9, 0,
                HIPSHIM_MATCH_OLDER, 1, 40093);
    /* A library without the functions of every release is no evidence. */
    expect_with("hipOnly61 ", 6, 9, 0, HIPSHIM_MATCH_OLDER, 4, 43484);
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
    struct hs_release_request eight = request(8, 0, 0, "");
    match = hs_release_match(&eight);
    assert_int_equal(match.kind, HIPSHIM_MATCH_NONE);
    assert_int_equal(match.nearest, -1);
    hs_release_describe(&match, &eight, text, sizeof text);
    assert_string_equal(text, "HIP 8 is not known to this hipshim (release 8.0.0); a newer "
                              "hipshim may know it, and HIPSHIM_ALLOW_UNKNOWN=1 uses it "
                              "nevertheless");
    struct hs_release_request four = request(4, 5, 0, "");
    match = hs_release_match(&four);
    assert_int_equal(match.kind, HIPSHIM_MATCH_NONE);
}

static void an_unknown_release_can_be_refused(void **state)
{
    struct hs_release_match match;
    char text[256];

    (void)state;
    struct hs_release_request one = request(6, 4, 43485, "hipAlways ");
    one.refuse_unknown = true;
    one.exports = must_not_be_asked;
    match = hs_release_match(&one);
    assert_int_equal(match.kind, HIPSHIM_MATCH_NONE);
    assert_int_equal(match.nearest, -1);
    hs_release_describe(&match, &one, text, sizeof text);
    assert_string_equal(text, "6.4.43485 is not known to this hipshim, and HIPSHIM_STRICT=1 "
                              "refuses unknown releases; a newer hipshim may know it");
    one = request(8, 0, 0, "");
    one.refuse_unknown = one.allow_unknown_major = true;
    assert_int_equal(hs_release_match(&one).kind, HIPSHIM_MATCH_NONE);
}

static void an_unknown_major_can_be_allowed(void **state)
{
    struct hs_release_match match;
    char text[256];

    (void)state;
    struct hs_release_request eight = request(8, 0, 0, "");
    eight.allow_unknown_major = true;
    match = hs_release_match(&eight);
    assert_int_equal(match.kind, HIPSHIM_MATCH_UNKNOWN);
    assert_int_equal(match.exact, -1);
    assert_int_equal(match.nearest, (int)hs_release_count - 1);
    hs_release_describe(&match, &eight, text, sizeof text);
    assert_string_equal(text, "8.0.0 is not known to this hipshim; it is used as 7.2.53211, as "
                              "HIPSHIM_ALLOW_UNKNOWN asks");
    struct hs_release_request four = request(4, 5, 0, "");
    four.allow_unknown_major = true;
    match = hs_release_match(&four);
    assert_int_equal(match.nearest, 0);
}

static void says(const char *wanted, unsigned major, unsigned minor, unsigned patch,
                 const char *symbols)
{
    char text[256];
    struct hs_release_request one = request(major, minor, patch, symbols);
    struct hs_release_match match = hs_release_match(&one);

    hs_release_describe(&match, &one, text, sizeof text);
    assert_string_equal(text, wanted);
}

static void the_choice_is_put_into_words(void **state)
{
    (void)state;
    says("6.4.43484 is known (ROCm 6.4.2, 6.4.3)", 6, 4, 43484, "");
    says("6.4.43485 is not known to this hipshim; it is used as 6.4.43484, the nearest older "
         "release",
         6, 4, 43485, "");
    says("7.0.1 is not known to this hipshim; it is used as 7.2.53211, the nearest release, a "
         "newer one",
         7, 0, 1, "");
    says("6.3.1 is not known to this hipshim; it is used as 6.2.41134, the known release with "
         "the most similar functions (1 of the 3 that tell the releases apart differ)",
         6, 3, 1, "hipAlways hipSince57 hipOnly61 hipSince62 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_known_release_is_itself),
        cmocka_unit_test(the_nearest_older_patch_of_the_minor_comes_first),
        cmocka_unit_test(a_newer_patch_of_the_minor_comes_before_an_older_minor),
        cmocka_unit_test(the_nearest_minor_comes_next),
        cmocka_unit_test(functions_come_before_numbers),
        cmocka_unit_test(a_lacking_function_counts_as_one_too_many),
        cmocka_unit_test(equal_functions_leave_it_to_the_number),
        cmocka_unit_test(some_functions_tell_nothing),
        cmocka_unit_test(an_unknown_release_can_be_refused),
        cmocka_unit_test(patches_are_not_compared_across_minors),
        cmocka_unit_test(the_first_release_of_the_major_stands_in_for_older_ones),
        cmocka_unit_test(an_unknown_major_is_refused),
        cmocka_unit_test(an_unknown_major_can_be_allowed),
        cmocka_unit_test(the_choice_is_put_into_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
