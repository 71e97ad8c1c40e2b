/* SPDX-License-Identifier: MIT */
/*
 * A program linked to libamdhip64 itself: what a drop-in costs it.
 *
 *   dropin          nothing: the start of a program
 *   dropin first    one call
 *   dropin calls    prints the nanoseconds of a call, median of 31 samples
 */
#include <stdio.h>
#include <string.h>

#include "bindings_43484.h"

#include "sample.h"

enum { SAMPLES = 31, CALLS = 1000000 };

static double sample_call(void)
{
    double start = sample_now();
    for (int i = 0; i < CALLS; i++) {
        hipCtxDestroy(NULL);
    }
    return (sample_now() - start) / CALLS;
}

int main(int argc, char **argv)
{
    double samples[SAMPLES];
    int version = 0;

    if (argc < 2) {
        return 0;
    }
    if (strcmp(argv[1], "first") == 0) {
        return hipRuntimeGetVersion(&version) != hipSuccess;
    }
    sample_call();
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = sample_call();
    }
    printf("%.3f\n", sample_median(samples, SAMPLES));
    return 0;
}
