/* SPDX-License-Identifier: MIT */
/*
 * first_call hipshim|now|lazy SONAME
 * Prints how many ns the first HIP call of this process takes, with what
 * comes before it: opening the runtime through hipshim, or by dlopen with
 * hipshim's flags (now) or bound lazily.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <hip/hip_runtime_api.h>

#include "sample.h"

static hipError_t ask_runtime(const char *soname, int flags, int *version)
{
    hipError_t (*get_version)(int *);
    void *handle = dlopen(soname, flags | RTLD_LOCAL);
    void *symbol = handle ? dlsym(handle, "hipRuntimeGetVersion") : NULL;

    if (!symbol) {
        fprintf(stderr, "first_call: %s\n", dlerror());
        return hipErrorUnknown;
    }
    memcpy(&get_version, &symbol, sizeof symbol);
    return get_version(version);
}

int main(int argc, char **argv)
{
    hipError_t result;
    int version = 0;

    if (argc != 3) {
        return 2;
    }
    double start = sample_now();
    if (strcmp(argv[1], "hipshim") == 0) {
        result = hipRuntimeGetVersion(&version);
    } else {
        result = ask_runtime(argv[2], strcmp(argv[1], "now") == 0 ? RTLD_NOW : RTLD_LAZY, &version);
    }
    double end = sample_now();
    printf("%.0f\n", end - start);
    return result != hipSuccess || version == 0;
}
