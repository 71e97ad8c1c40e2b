/* SPDX-License-Identifier: MIT */
/* Frames come out as they went in; whatever else is there is an error with a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/zstd.h"

enum { SIZE = 30000 };

static unsigned char plain[SIZE];
static unsigned char *frame;
static size_t frame_size;
static char reason[HS_ZSTD_REASON];

static int prepare(void **state)
{
    (void)state;
    if (hs_zstd_version() == 0) {
        return 0; /* each test skips */
    }
    for (size_t i = 0; i < SIZE; i++) {
        plain[i] = (unsigned char)(i * i >> 12);
    }
    frame = hs_zstd_pack(plain, SIZE, &frame_size, reason);
    return frame ? 0 : -1;
}

static int clean_up(void **state)
{
    (void)state;
    free(frame);
    return 0;
}

static void needs_zstd(void)
{
    if (!frame) {
        print_message("no libzstd.so.1 here\n");
        skip();
    }
}

static void comes_out_as_it_went_in(void **state)
{
    unsigned char *code;

    (void)state;
    needs_zstd();
    assert_true(hs_zstd_version() >= 10000);
    assert_in_range(frame_size, 10, SIZE / 2);
    code = hs_zstd_unpack(frame, frame_size, SIZE, reason);
    assert_non_null(code);
    assert_memory_equal(code, plain, SIZE);
    assert_int_equal((uintptr_t)code % 4096, 0);
    free(code);
}

static void another_length_is_an_error(void **state)
{
    (void)state;
    needs_zstd();
    assert_null(hs_zstd_unpack(frame, frame_size, SIZE - 1, reason));
    assert_non_null(strstr(reason, "zstd: "));
    assert_null(hs_zstd_unpack(frame, frame_size, SIZE + 1, reason));
    assert_string_equal(reason, "zstd: the size is another than recorded");
    assert_null(hs_zstd_unpack(frame, frame_size, (size_t)-1, reason));
    assert_non_null(strstr(reason, "no memory"));
}

static void what_is_cut_is_an_error(void **state)
{
    (void)state;
    needs_zstd();
    for (size_t size = 0; size < frame_size; size += 1 + size / 8) {
        unsigned char *cut = malloc(size + 1); /* exact, for AddressSanitizer */

        assert_non_null(cut);
        cut = realloc(cut, size ? size : 1);
        memcpy(cut, frame, size);
        *reason = '\0';
        assert_null(hs_zstd_unpack(cut, size, SIZE, reason));
        assert_true(strlen(reason) > 6);
        free(cut);
    }
}

/* zstd's own checksum is not in a frame made this way: other bytes may come out, never more. */
static void what_is_damaged_does_no_harm(void **state)
{
    (void)state;
    needs_zstd();
    for (size_t at = 0; at < frame_size; at += 1 + at / 64) {
        unsigned char *code;

        frame[at] ^= 0x55;
        code = hs_zstd_unpack(frame, frame_size, SIZE, reason);
        assert_true(code || strstr(reason, "zstd: "));
        free(code);
        frame[at] ^= 0x55;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_out_as_it_went_in),
        cmocka_unit_test(another_length_is_an_error),
        cmocka_unit_test(what_is_cut_is_an_error),
        cmocka_unit_test(what_is_damaged_does_no_harm),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
