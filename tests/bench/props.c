/* SPDX-License-Identifier: MIT */
/*
 * Device properties between HIP 5 and the stable layout, against memcpy of
 * the destination.  Prints "NAME ns ratio" for each, medians.
 */
#include "convert.h"

#include <stdio.h>
#include <string.h>

#include "sample.h"

enum { ROUNDS = 2001, TIMES = 200 };

typedef struct hipDeviceProp_t_5_0 old_props;
typedef hipDeviceProp_tR0600 new_props;

static old_props old_from, old_to;
static new_props new_from, new_to;

/* Through a pointer, so that it is the C library's and its size is no hint. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static void copy_new(void)
{
    copy(&new_to, &new_from, sizeof new_to);
}

static void copy_old(void)
{
    copy(&old_to, &old_from, sizeof old_to);
}

static void old_to_new(void)
{
    hs_convert_hipDeviceProp_tR0600_hipDeviceProp_t_5_0_to_caller(&new_to, &old_from);
}

static void new_to_old(void)
{
    hs_convert_hipDeviceProp_tR0600_caller_to_hipDeviceProp_t_5_0(&old_to, &new_from);
}

static const struct {
    const char *name;
    void (*run)(void);
    unsigned base; /* which of these it is compared with */
} cases[] = {{"memcpy-new", copy_new, 0},
             {"memcpy-old", copy_old, 1},
             {"5-to-6", old_to_new, 0},
             {"6-to-5", new_to_old, 1}};

enum { CASE_COUNT = sizeof cases / sizeof cases[0] };

static double times[CASE_COUNT][ROUNDS], ratios[ROUNDS];

int main(void)
{
    memset(&old_from, 7, sizeof old_from);
    /* Only what HIP 5 can hold: else a conversion ends where it finds more. */
    old_to_new();
    new_from = new_to;
    if (hs_convert_hipDeviceProp_tR0600_caller_to_hipDeviceProp_t_5_0(&old_to, &new_from)) {
        fprintf(stderr, "props: the properties were not converted\n");
        return 1;
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < CASE_COUNT; i++) {
            unsigned which = (round + i) % CASE_COUNT;
            double start = sample_now();

            for (unsigned n = 0; n < TIMES; n++) {
                cases[which].run();
            }
            times[which][round] = (sample_now() - start) / TIMES;
        }
    }
    for (unsigned i = 0; i < CASE_COUNT; i++) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            ratios[round] = times[i][round] / times[cases[i].base][round];
        }
        printf("%s %.1f %.3f\n", cases[i].name, sample_median(times[i], ROUNDS),
               sample_median(ratios, ROUNDS));
    }
    return 0;
}
