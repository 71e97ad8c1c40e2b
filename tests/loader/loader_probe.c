/* SPDX-License-Identifier: MIT */
/*
 * Runs hipshim's loader alone and prints what it found, for the shell tests:
 * loader_probe [-l LIBRARY | -g LIBRARY]... [-s] [-t]
 *   -l  map the library first, its names local; -g  the same, names global
 *   -s  print the steps of the search too
 *   -t  let eight threads at once be the first to ask for hiprtc
 */
#include "engine/loader.h"
#include "engine/search_log.h"
#include "engine/tables.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static const char *or_none(const char *text)
{
    return text ? text : "none";
}

static int map_first(const char *path, int scope)
{
    if (!dlopen(path, RTLD_NOW | scope)) {
        fprintf(stderr, "loader_probe: %s\n", dlerror());
        return -1;
    }
    return 0;
}

static void print_steps(void)
{
    unsigned i;

    for (i = 0; i < hs_search_log_count(); i++) {
        const struct hs_search_step *step = hs_search_log_get(i);

        printf("step %s|%s|%s|%s\n", hs_search_log_source_text(step->source),
               hs_search_log_outcome_text(step->outcome), step->subject, step->reason);
    }
}

static void *ask_hiprtc(void *runtime)
{
    return hs_loader_symbol(runtime, "hiprtcCreateProgram", 1);
}

static void print_threads(const struct hs_runtime *runtime)
{
    pthread_t threads[8];
    void *first = NULL, *symbol;
    int i, agree = 0;

    for (i = 0; i < 8; i++) {
        if (pthread_create(&threads[i], NULL, ask_hiprtc, (void *)(uintptr_t)runtime) != 0) {
            return;
        }
    }
    for (i = 0; i < 8; i++) {
        pthread_join(threads[i], &symbol);
        first = i == 0 ? symbol : first;
        agree += symbol && symbol == first;
    }
    printf("threads=%d\n", agree);
}

static void print_runtime(const struct hs_runtime *runtime)
{
    static const char *const matches[] = {"none", "exact", "older", "newer", "unknown"};
    const struct hs_companion *hiprtc = hs_loader_companion(runtime, 1);

    printf("release=%d.%d.%u\n", runtime->major, runtime->minor, runtime->patch);
    if (runtime->nearest >= 0) {
        const struct hs_release *known = &hs_releases[runtime->nearest];

        printf("used_as=%u.%u.%u\n", known->major, known->minor, (unsigned)known->patch);
    }
    printf("match=%s\n", matches[runtime->match]);
    printf("path=%s\nsoname=%s\n", or_none(runtime->path), or_none(runtime->soname));
    printf("found_by=%s\n", hs_search_log_source_text(runtime->found_by));
    printf("reason=%s\n", or_none(runtime->reason));
    printf("hiprtc=%s\n", or_none(hiprtc->path));
    printf("hiprtc_reason=%s\n", or_none(hiprtc->reason));
    printf("symbol=%s\n", hs_loader_symbol(runtime, "hipRuntimeGetVersion", 0) ? "there" : "none");
}

int main(int argc, char **argv)
{
    const struct hs_runtime *runtime;
    int option, steps = 0, threads = 0;

    while ((option = getopt(argc, argv, "l:g:st")) != -1) {
        if (option == 's') {
            steps = 1;
        } else if (option == 't') {
            threads = 1;
        } else if (option == '?' ||
                   map_first(optarg, option == 'g' ? RTLD_GLOBAL : RTLD_LOCAL) != 0) {
            return 2;
        }
    }
    runtime = hs_loader_open();
    if (threads) {
        print_threads(runtime);
    }
    print_runtime(runtime);
    if (steps) {
        print_steps();
    }
    return runtime->handle ? 0 : 1;
}
