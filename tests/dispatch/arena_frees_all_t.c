/* SPDX-License-Identifier: MIT */
/* Rooms of an arena lie inside it or on the heap, and releasing frees them all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
static int held;
static void *counted_malloc(size_t n)
{
    void *p = malloc(n);
    held += p != NULL;
    return p;
}
static void counted_free(void *p)
{
    held -= p != NULL;
    free(p);
}
#define malloc counted_malloc
#define free   counted_free
/* The arena with its allocations counted. */
#include "base/arena.c"
#undef malloc
#undef free
static void rooms_lie_inside_or_apart_and_all_are_freed(void **state)
{
    (void)state;
    for (size_t first = 0; first <= 2100; first += 4) {
        struct hs_arena arena;
        hs_arena_init(&arena);
        unsigned char *a = hs_arena_take(&arena, 1, first), *b = hs_arena_take(&arena, 3, 700);
        unsigned char *c = hs_arena_take(&arena, 3, 700), *low = arena.inside;
        assert_true(a + first <= low + sizeof arena.inside || a < low || a >= low + sizeof arena);
        assert_true(b + 2100 <= low + sizeof arena.inside || b < low || b >= low + sizeof arena);
        assert_non_null(c);
        assert_true(held >= 1);
        hs_arena_release(&arena);
        assert_int_equal(held, 0);
    }
}
int main(void)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(rooms_lie_inside_or_apart_and_all_are_freed)};
    return cmocka_run_group_tests(t, NULL, NULL);
}
