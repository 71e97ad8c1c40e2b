/* SPDX-License-Identifier: MIT */
/*
 * A program that makes no HIP call.  Linked with nothing, with libhipshim
 * (START_SHIM) or with a runtime (START_DIRECT); the call that keeps the link
 * is never reached.  With an argument it prints what it holds in memory,
 * "Rss Anonymous" in KB: anonymous is what was written to, so its own.
 */
#include <stdio.h>
#include <string.h>

#ifdef START_SHIM
#include <hip/hip_runtime_api.h>
#elif defined START_DIRECT
#include "bindings_43484.h"
#endif

static long memory(const char *name)
{
    char line[256];
    long found = -1;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");

    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            sscanf(line + strlen(name), "%ld", &found);
        }
    }
    if (file) {
        fclose(file);
    }
    return found;
}

int main(int argc, char **argv)
{
    (void)argv;
#if defined START_SHIM || defined START_DIRECT
    if (argc > 1000) {
        return (int)hipDeviceSynchronize();
    }
#endif
    if (argc == 2) {
        printf("%ld %ld\n", memory("Rss:"), memory("Anonymous:"));
    }
    return 0;
}
