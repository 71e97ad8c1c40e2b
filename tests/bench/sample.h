/* SPDX-License-Identifier: MIT */
/* Times and what is said of a set of them. */
#ifndef HIPSHIM_TESTS_BENCH_SAMPLE_H
#define HIPSHIM_TESTS_BENCH_SAMPLE_H

#include <stdlib.h>
#include <time.h>

/* Nanoseconds. */
static inline double sample_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline int sample_compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Of `count` values, at most 4096, which keep their order. */
static inline double sample_median(const double *values, unsigned count)
{
    double sorted[4096];

    for (unsigned i = 0; i < count; i++) {
        sorted[i] = values[i];
    }
    qsort(sorted, count, sizeof *sorted, sample_compare);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static inline double sample_least(const double *values, unsigned count)
{
    double least = values[0];

    for (unsigned i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
    }
    return least;
}

#endif
