/* SPDX-License-Identifier: MIT */
/*
 * The record of the search keeps its texts, and stays whole when it is full;
 * the last error is the thread's own and long texts are cut visibly.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "engine/api.h"
#include "engine/search_log.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

const struct hs_api hs_api = {.pin = "HIPSHIM_LIBRARY"};

static void texts_are_copied(void **state)
{
    char subject[] = "subject", word[] = "word";

    (void)state;
    assert_null(hs_search_log_get(0));
    hs_search_log_add(HIPSHIM_SEARCH_SOURCE_LINKER, HIPSHIM_OUTCOME_USED, "nobody's", "lost");
    assert_int_equal(hs_search_log_count(), 0);
    assert_non_null(hs_search_log_begin());
    hs_search_log_add(HIPSHIM_SEARCH_SOURCE_LINKER, HIPSHIM_OUTCOME_REJECTED, subject, "a %s",
                      word);
    memset(subject, 'x', sizeof subject - 1);
    memset(word, 'x', sizeof word - 1);
    assert_int_equal(hs_search_log_count(), 1);
    assert_string_equal(hs_search_log_get(0)->subject, "subject");
    assert_string_equal(hs_search_log_get(0)->reason, "a word");
    assert_int_equal(hs_search_log_get(0)->source, HIPSHIM_SEARCH_SOURCE_LINKER);
    assert_int_equal(hs_search_log_get(0)->outcome, HIPSHIM_OUTCOME_REJECTED);
    assert_null(hs_search_log_get(1));
}

static void a_full_record_keeps_its_first_and_last_step(void **state)
{
    char filler[800];
    unsigned i;

    (void)state;
    memset(filler, 'f', sizeof filler - 1);
    filler[sizeof filler - 1] = '\0';
    for (i = 0; i < 200; i++) {
        hs_search_log_add(HIPSHIM_SEARCH_SOURCE_DIRECTORY, HIPSHIM_OUTCOME_ABSENT, filler, "%s",
                          filler);
    }
    hs_search_log_add(HIPSHIM_SEARCH_SOURCE_DIRECTORY, HIPSHIM_OUTCOME_USED, "last", "used");
    assert_in_range(hs_search_log_count(), 16, 200);
    assert_string_equal(hs_search_log_get(0)->subject, "subject");
    assert_int_equal(hs_search_log_get(hs_search_log_count() - 1)->outcome, HIPSHIM_OUTCOME_USED);
    for (i = 0; i < hs_search_log_count(); i++) {
        assert_non_null(hs_search_log_get(i)->subject);
        assert_in_range(strlen(hs_search_log_get(i)->reason), 0, sizeof filler);
    }
}

static void an_error_is_kept_and_errno_too(void **state)
{
    (void)state;
    assert_string_equal(hs_error_get(), "");
    errno = EAGAIN;
    hs_error_set("%s needs HIP %d.%d", "hipExample", 7, 0);
    assert_string_equal(hs_error_get(), "hipExample needs HIP 7.0");
    assert_int_equal(errno, EAGAIN);
    hs_error_set("again: %s", hs_error_get());
    assert_string_equal(hs_error_get(), "again: hipExample needs HIP 7.0");
}

static void a_long_error_is_cut_visibly(void **state)
{
    char longer[2 * HS_ERROR_SIZE];

    (void)state;
    memset(longer, 'l', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    hs_error_set("%s", longer);
    assert_int_equal(strlen(hs_error_get()), HS_ERROR_SIZE - 1);
    assert_string_equal(hs_error_get() + HS_ERROR_SIZE - 5, "l...");
}

static void *set_in_thread(void *result)
{
    snprintf(result, 8, "%s", hs_error_get());
    hs_error_set("of the other thread");
    return NULL;
}

static void an_error_belongs_to_its_thread(void **state)
{
    char seen[8] = "unset";
    pthread_t thread;

    (void)state;
    hs_error_set("of this thread");
    assert_int_equal(pthread_create(&thread, NULL, set_in_thread, seen), 0);
    pthread_join(thread, NULL);
    assert_string_equal(seen, "");
    assert_string_equal(hs_error_get(), "of this thread");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(a_full_record_keeps_its_first_and_last_step),
        cmocka_unit_test(an_error_is_kept_and_errno_too),
        cmocka_unit_test(a_long_error_is_cut_visibly),
        cmocka_unit_test(an_error_belongs_to_its_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
