/* SPDX-License-Identifier: MIT */
/*
 * No changed entry of the kernel cache is taken for a whole one: every bit,
 * every length, and a few ten thousand random changes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cache/entry.h"

#include <stdlib.h>
#include <string.h>

static const unsigned char key[HS_CACHE_KEY] = {1, 2, 3}, other_key[HS_CACHE_KEY] = {3, 2, 1};
static const char names[] = "f<int>\0_Z1fIiE\0g\0";
static unsigned char code[200];
static unsigned char *file;
static size_t file_size;

static int set_up(void **state)
{
    struct hs_cache_entry entry = {.code = code,
                                   .code_size = sizeof code,
                                   .log = "a warning\n",
                                   .names = names,
                                   .names_size = sizeof names,
                                   .arch = "gfx90a",
                                   .release = "7.2.53211",
                                   .name = "kernel.hip",
                                   .compiler = "an identity",
                                   .created = 1700000000,
                                   .key = key};

    (void)state;
    for (unsigned i = 0; i < sizeof code; i++) {
        code[i] = (unsigned char)(i * 37);
    }
    file = hs_cache_entry_write(&entry, &file_size);
    return file ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(file);
    return 0;
}

/* The reason for bytes that lie at the end of their block, for AddressSanitizer. */
static const char *reason_of(const unsigned char *bytes, size_t size, const unsigned char *wanted)
{
    unsigned char *copy = malloc(size ? size : 1);
    struct hs_cache_entry entry;
    const char *reason;

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    reason = hs_cache_entry_read(copy, size, wanted, &entry);
    free(copy);
    return reason;
}

static void a_whole_one_is_read(void **state)
{
    struct hs_cache_entry entry;

    (void)state;
    assert_null(hs_cache_entry_read(file, file_size, key, &entry));
    assert_int_equal(entry.code_size, sizeof code);
    assert_memory_equal(entry.code, code, sizeof code);
    assert_string_equal(entry.log, "a warning\n");
    assert_string_equal(entry.arch, "gfx90a");
    assert_string_equal(entry.release, "7.2.53211");
    assert_string_equal(entry.name, "kernel.hip");
    assert_string_equal(entry.compiler, "an identity");
    assert_int_equal(entry.created, 1700000000);
    assert_memory_equal(entry.key, key, sizeof key);
    assert_string_equal(hs_cache_entry_lowered_name(&entry, "f<int>"), "_Z1fIiE");
    assert_string_equal(hs_cache_entry_lowered_name(&entry, "g"), "");
    assert_null(hs_cache_entry_lowered_name(&entry, "_Z1fIiE"));
    assert_null(hs_cache_entry_read(file, file_size, NULL, &entry));
}

static void another_key_is_refused(void **state)
{
    (void)state;
    assert_string_equal(reason_of(file, file_size, other_key), "for another key");
}

static void every_bit_counts(void **state)
{
    (void)state;
    for (size_t at = 0; at < file_size; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            file[at] ^= (unsigned char)(1u << bit);
            if (!reason_of(file, file_size, NULL)) {
                fail_msg("bit %u of byte %zu makes no difference", bit, at);
            }
            file[at] ^= (unsigned char)(1u << bit);
        }
    }
    assert_null(reason_of(file, file_size, key));
}

static void every_value_of_the_header_counts(void **state)
{
    (void)state;
    for (size_t at = 0; at < HS_CACHE_HEADER; at++) {
        unsigned char old = file[at];

        for (unsigned value = 0; value < 256; value++) {
            file[at] = (unsigned char)value;
            if (value != old && !reason_of(file, file_size, NULL)) {
                fail_msg("value %u of byte %zu makes no difference", value, at);
            }
        }
        file[at] = old;
    }
}

static void every_length_counts(void **state)
{
    unsigned char longer[1000] = {0};

    (void)state;
    for (size_t size = 0; size < file_size; size++) {
        if (!reason_of(file, size, NULL)) {
            fail_msg("cut to %zu bytes it is whole", size);
        }
    }
    assert_true(file_size < sizeof longer);
    memcpy(longer, file, file_size);
    for (size_t size = file_size + 1; size <= sizeof longer; size++) {
        assert_non_null(reason_of(longer, size, NULL));
    }
}

/* Sums that fit, over sizes and texts that do not: written by a faulty program. */
static void reseal(unsigned char *bytes, size_t size)
{
    hs_cache_entry_checksum(bytes + HS_CACHE_HEADER, size - HS_CACHE_HEADER, bytes + 96);
    hs_sha256_of(bytes, 128, bytes + 128);
}

static void sums_alone_are_not_believed(void **state)
{
    uint64_t random = 88172645463325252u;
    unsigned char *copy = malloc(file_size);
    struct hs_cache_entry entry;

    (void)state;
    assert_non_null(copy);
    for (unsigned round = 0; round < 50000; round++) {
        memcpy(copy, file, file_size);
        for (unsigned change = 0; change < 1 + round % 3; change++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            /* Mostly sizes and texts: nothing else is interpreted. */
            copy[random % 4 ? 48 + random / 4 % 32
                            : HS_CACHE_HEADER + sizeof code +
                                  random / 4 % (file_size - HS_CACHE_HEADER - sizeof code)] =
                (unsigned char)(round % 5 ? random >> 40 : 0);
        }
        reseal(copy, file_size);
        if (!hs_cache_entry_read(copy, file_size, NULL, &entry)) {
            /* What is accepted can be used: all strings end within the bytes. */
            assert_true(strlen(entry.log) + strlen(entry.arch) + strlen(entry.release) +
                            strlen(entry.name) + strlen(entry.compiler) + entry.code_size <
                        file_size);
            hs_cache_entry_lowered_name(&entry, "none of them");
        }
    }
    free(copy);
}

static void sums_over_more_are_not_believed(void **state)
{
    unsigned char *longer = calloc(1, file_size + 8);

    (void)state;
    assert_non_null(longer);
    memcpy(longer, file, file_size);
    for (size_t more = 1; more <= 8; more++) {
        reseal(longer, file_size + more);
        assert_string_equal(reason_of(longer, file_size + more, key), "longer than it should be");
    }
    free(longer);
}

/* The first format's may hold code of another architecture than they say. */
static void entries_of_the_first_format_are_refused(void **state)
{
    unsigned char *copy = malloc(file_size);

    (void)state;
    assert_non_null(copy);
    memcpy(copy, file, file_size);
    memcpy(copy + 8, "\1\0\0", 4);
    reseal(copy, file_size);
    assert_string_equal(reason_of(copy, file_size, key), "of another format");
    free(copy);
}

static void pairs_of_names_are_whole(void **state)
{
    struct hs_cache_entry entry;
    unsigned char *copy;
    size_t size;

    (void)state;
    assert_null(hs_cache_entry_read(file, file_size, NULL, &entry));
    entry.names_size = strlen("f<int>") + 1; /* its partner is missing */
    copy = hs_cache_entry_write(&entry, &size);
    assert_non_null(copy);
    assert_string_equal(reason_of(copy, size, NULL), "wrong in its texts");
    free(copy);
    entry.names_size = strlen("f<int>");
    copy = hs_cache_entry_write(&entry, &size);
    assert_string_equal(reason_of(copy, size, NULL), "wrong in its texts");
    free(copy);
    entry.names_size = 0;
    copy = hs_cache_entry_write(&entry, &size);
    assert_null(reason_of(copy, size, NULL));
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_one_is_read),
        cmocka_unit_test(another_key_is_refused),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(every_value_of_the_header_counts),
        cmocka_unit_test(every_length_counts),
        cmocka_unit_test(sums_over_more_are_not_believed),
        cmocka_unit_test(entries_of_the_first_format_are_refused),
        cmocka_unit_test(pairs_of_names_are_whole),
        cmocka_unit_test(sums_alone_are_not_believed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
