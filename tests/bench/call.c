/* SPDX-License-Identifier: MIT */
/*
 * call [empty|real]     prints, for each way and each function (the first: it
 *                       is empty in the fake runtime; all but the first), the
 *                       median ns of a call and the median ratio to a direct
 *                       call
 * call FUNCTION WAY N   makes N calls, for counting instructions
 *
 * How fast one and the same jump is depends on where the process happens to
 * lie in memory; so run the first many times.
 */
#include "call.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

enum { WAY_COUNT = 6, ROUNDS = 101, CALLS = 8000 };

static const char *const function_names[CALL_COUNT] = {"hipCtxDestroy", "hipGetErrorName",
                                                       "hipRuntimeGetVersion"};
static const char *const way_names[WAY_COUNT] = {"plt",  "table",    "stub",
                                                 "shim", "shim-plt", "shim-inline"};
static const call_loop *const ways[WAY_COUNT] = {call_plt,  call_table,    call_stub,
                                                 call_shim, call_shim_plt, call_shim_inline};

static double times[WAY_COUNT][ROUNDS];

static void fill_tables(void)
{
    for (unsigned i = 0; i < CALL_COUNT; i++) {
        void *address = dlsym(RTLD_DEFAULT, function_names[i]);

        if (!address) {
            fprintf(stderr, "call: no %s\n", function_names[i]);
            exit(1);
        }
        memcpy(&call_targets[i], &address, sizeof address);
    }
}

/* Every round times every way, starting with another one each time. */
static void measure(unsigned function)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < WAY_COUNT; i++) {
            unsigned way = (round + i) % WAY_COUNT;

            if (ways[way][function]) {
                double start = sample_now();

                ways[way][function](CALLS);
                times[way][round] = (sample_now() - start) / CALLS;
            }
        }
    }
}

static void report(unsigned function)
{
    static double ratios[ROUNDS];

    measure(function);
    for (unsigned way = 0; way < WAY_COUNT; way++) {
        if (!ways[way][function]) {
            continue;
        }
        for (unsigned round = 0; round < ROUNDS; round++) {
            ratios[round] = times[way][round] / times[0][round];
        }
        printf("%s %s %.3f %.3f\n", function_names[function], way_names[way],
               sample_median(times[way], ROUNDS), sample_median(ratios, ROUNDS));
    }
}

static unsigned find(const char *const *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "call: no %s\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    fill_tables();
    if (argc == 4) {
        unsigned function = find(function_names, CALL_COUNT, argv[1]);
        unsigned way = find(way_names, WAY_COUNT, argv[2]);

        /* The first calls bind symbols and open the runtime. */
        ways[way][function](8);
        ways[way][function]((unsigned)strtoul(argv[3], NULL, 10));
        return 0;
    }
    unsigned first = argc == 2 && strcmp(argv[1], "real") == 0 ? CALL_NAME : CALL_EMPTY;
    unsigned end = argc == 2 && strcmp(argv[1], "empty") == 0 ? CALL_NAME : CALL_COUNT;

    for (unsigned i = first; i < end; i++) {
        report(i);
    }
    return 0;
}
