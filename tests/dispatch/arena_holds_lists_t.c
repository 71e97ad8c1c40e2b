/* SPDX-License-Identifier: MIT */
/* The arena gives room for any list, on the stack or the heap, and frees it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

static void short_and_long_lists_do_not_overlap(void **state)
{
    (void)state;
    struct hs_arena arena;
    unsigned char *rooms[40];
    hs_arena_init(&arena);
    for (size_t i = 0; i < 40; i++) {
        rooms[i] = hs_arena_take(&arena, i * i, 7);
        assert_non_null(rooms[i]);
        assert_int_equal((uintptr_t)rooms[i] % _Alignof(max_align_t), 0);
        memset(rooms[i], (int)i, i * i * 7);
    }
    for (size_t i = 0; i < 40; i++) {
        for (size_t at = 0; at < i * i * 7; at++) {
            assert_int_equal(rooms[i][at], i);
        }
    }
    hs_arena_release(&arena);
    assert_null(arena.blocks);
}

static void impossible_sizes_give_nothing(void **state)
{
    (void)state;
    struct hs_arena arena;
    hs_arena_init(&arena);
    assert_null(hs_arena_take(&arena, SIZE_MAX, 2));
    assert_null(hs_arena_take(&arena, SIZE_MAX / 144, 144));
    assert_null(hs_arena_take(&arena, 1, SIZE_MAX));
    assert_non_null(hs_arena_take(&arena, 0, 144));
    hs_arena_release(&arena);
}

static void one_set_bit_is_not_zero(void **state)
{
    (void)state;
    unsigned char bytes[65] = {0};
    assert_true(hs_arena_is_zero(bytes, sizeof bytes));
    assert_true(hs_arena_is_zero(bytes, 0));
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = 0x10;
        assert_false(hs_arena_is_zero(bytes, sizeof bytes));
        bytes[i] = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_and_long_lists_do_not_overlap),
        cmocka_unit_test(impossible_sizes_give_nothing),
        cmocka_unit_test(one_set_bit_is_not_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
