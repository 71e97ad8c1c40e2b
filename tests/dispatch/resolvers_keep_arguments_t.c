/* SPDX-License-Identifier: MIT */
/* A resolver goes on to its function with all arguments in their places, whatever was called
 * before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/dispatch.h"

/* As large as goes through memory that the caller gives. */
struct large {
    long numbers[8];
};
struct pair {
    double a, b;
};

static hs_function target;
static unsigned entered;
static const void *entered_from;
static int returned;

/* Overwrites every register that a call may change. */
static void spoil(void)
{
#if defined(__x86_64__)
    __asm__ volatile("movq $-1, %%rax; movq %%rax, %%rcx; movq %%rax, %%rdx; movq %%rax, %%rsi\n"
                     "movq %%rax, %%rdi; movq %%rax, %%r8; movq %%rax, %%r9; movq %%rax, %%r10\n"
                     "movq %%rax, %%r11; pcmpeqd %%xmm0, %%xmm0; pcmpeqd %%xmm1, %%xmm1\n"
                     "pcmpeqd %%xmm2, %%xmm2; pcmpeqd %%xmm3, %%xmm3; pcmpeqd %%xmm4, %%xmm4\n"
                     "pcmpeqd %%xmm5, %%xmm5; pcmpeqd %%xmm6, %%xmm6; pcmpeqd %%xmm7, %%xmm7\n"
                     :
                     :
                     : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
#else
    __asm__ volatile("mov x0, #-1; mov x1, x0; mov x2, x0; mov x3, x0; mov x4, x0; mov x5, x0\n"
                     "mov x6, x0; mov x7, x0; mov x8, x0; mov x16, x0; mov x17, x0\n"
                     "movi v0.2d, #0; movi v1.2d, #0; movi v2.2d, #0; movi v3.2d, #0\n"
                     "movi v4.2d, #0; movi v5.2d, #0; movi v6.2d, #0; movi v7.2d, #0\n"
                     :
                     :
                     : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x16", "x17", "v0",
                       "v1", "v2", "v3", "v4", "v5", "v6", "v7");
#endif
}

hs_function hs_dispatch_enter(unsigned function, const void *caller)
{
    entered = function;
    entered_from = caller;
    spoil();
    return target;
}

static struct large sum_up(long a, int b, long c, int d, long e, int f, long g, int h, float i,
                           double j, float k, double l, struct pair m, double n, double o, double p,
                           long double q)
{
    return (struct large){
        {a, b, c + d, e + f, g, h, (long)(i + j + k + l + m.a + m.b + n), (long)(o + p + q)}};
}

static void arguments_arrive(void **state)
{
    (void)state;
    target = (hs_function)sum_up;
    __typeof__(&sum_up) call = (__typeof__(&sum_up))hs_slots[2];
    struct large got =
        call(1, -2, 3, 4, 5, 6, 7, -8, 1.5F, 2.5, 4, 8, (struct pair){16, 32}, 64, 128, 256, 512);
    const struct large wanted = {{1, -2, 7, 11, 7, -8, 128, 896}};
    assert_memory_equal(&got, &wanted, sizeof got);
    assert_int_equal(entered, 2);
}

static double of_list(int count, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        sum += va_arg(list, double) * va_arg(list, int);
    }
    va_end(list);
    return sum;
}

static void arguments_of_a_list_arrive(void **state)
{
    (void)state;
    target = (hs_function)of_list;
    double got = ((__typeof__(&of_list))hs_slots[1])(10, 1.0, 1, 2.0, 1, 3.0, 1, 4.0, 1, 5.0, 1,
                                                     6.0, 1, 7.0, 1, 8.0, 1, 9.0, 1, 10.0, 2);
    assert_true(got == 65);
    assert_int_equal(entered, 1);
}

static void note_return(void)
{
    returned = entered_from == __builtin_return_address(0);
}

static void the_caller_is_known(void **state)
{
    (void)state;
    target = note_return;
    hs_slots[0]();
    assert_true(returned);
    assert_int_equal(entered, 0);
}

static void a_slot_holds_its_resolver(void **state)
{
    (void)state;
    for (unsigned f = 0; f < 3; f++) {
        assert_ptr_equal((void *)hs_slots[f], (void *)hs_resolver(f));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_arrive),
        cmocka_unit_test(arguments_of_a_list_arrive),
        cmocka_unit_test(the_caller_is_known),
        cmocka_unit_test(a_slot_holds_its_resolver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
