/* SPDX-License-Identifier: MIT */
/*
 * program [g:]PLUGIN...: loads plugins in that order (g: with global names), and
 * checks after each that all of those loaded so far, and the program itself if
 * it was linked with one (plugin.c), see the same memory and stream aright.
 * Prints a line for each wrong answer; exit status 0 if there was none.
 */
#include <hip/hip_runtime_api.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mixed.h"

enum { SIZE = 4096, PLUGINS = 8 };

static int wrong;
static unsigned char host[SIZE], back[SIZE];

static void expect(int got, const char *what, const struct plugin *one)
{
    if (got != 1) {
        printf("built for HIP %d: %s: %d\n", one->major, what, got);
        wrong = 1;
    }
}

static void check(const struct plugin *one, void *device, hipStream_t stream, unsigned seed)
{
    for (unsigned i = 0; i < SIZE; i++) {
        host[i] = (unsigned char)(i * 7 + seed);
    }
    memset(back, 0, SIZE);
    expect(one->sees_device(device), "device memory has its type", one);
    expect(one->sees_properties(), "the device has its properties", one);
    expect(one->copies_in(device, host, SIZE, stream), "a 3D copy is done", one);
    if (hipMemcpy(back, device, SIZE, hipMemcpyDeviceToHost) != hipSuccess) {
        expect(0, "hipMemcpy", one);
    }
    expect(memcmp(host, back, SIZE) == 0, "the bytes arrived", one);
}

static const struct plugin *load(const char *word)
{
    int global = strncmp(word, "g:", 2) == 0;
    void *handle = dlopen(global ? word + 2 : word, RTLD_NOW | (global ? RTLD_GLOBAL : 0));
    const struct plugin *found = handle ? dlsym(handle, "plugin") : NULL;
    if (!found) {
        printf("%s: %s\n", word, dlerror());
        wrong = 1;
    }
    return found;
}

int main(int argc, char **argv)
{
    const struct plugin *loaded[PLUGINS] = {&plugin};
    int count = 1;
    void *device = NULL;
    hipStream_t stream = NULL;

    setvbuf(stdout, NULL, _IOLBF, 0); /* a crash loses no line */
    if (hipMalloc(&device, SIZE) != hipSuccess || hipStreamCreate(&stream) != hipSuccess) {
        printf("no device: %s\n", hipGetErrorString(hipGetLastError()));
        return 2;
    }
    for (int i = 1; i <= argc; i++) {
        for (int n = 0; n < count; n++) {
            check(loaded[n], device, stream, (unsigned)(i * PLUGINS + n));
        }
        if (i < argc && count < PLUGINS) {
            const struct plugin *found = load(argv[i]);
            if (found) {
                loaded[count++] = found;
            }
        }
    }
    /* Without exit handlers: those of HIP 7.2 take down what its own threads may still use. */
    fflush(NULL);
    _exit(wrong);
}
