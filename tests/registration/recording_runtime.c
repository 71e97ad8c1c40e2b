/* SPDX-License-Identifier: MIT */
/*
 * Makes of tests/loader/fake_runtime.c a runtime that checks what is registered with it: each name
 * once, of a fat binary that is registered and not yet unregistered.  Anything else ends the
 * process.  A launch finds its kernel among those that are registered, or returns
 * hipErrorInvalidDeviceFunction.  With SLOW in the environment, the first fat binary takes one
 * second and a half.
 */
#include "bindings_43484.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BINARIES = 4096, NAMES = 16 };

struct binary {
    bool is_registered;
    const void *names[NAMES];
    int count;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct binary binaries[BINARIES];
static int used;

void **__hipRegisterFatBinary(const void *wrapper);
void __hipRegisterFunction(void **binary, const void *host);
void __hipRegisterVar(void **binary, const void *host);
void __hipRegisterManagedVar(void **binary, const void *host);
void __hipRegisterSurface(void **binary, const void *host);
void __hipRegisterTexture(void **binary, const void *host);
void __hipUnregisterFatBinary(void **binary);

static void check(bool is_right, const char *what)
{
    if (!is_right) {
        fprintf(stderr, "recording_runtime: %s\n", what);
        abort();
    }
}

void **__hipRegisterFatBinary(const void *wrapper)
{
    check(wrapper, "no wrapper");
    pthread_mutex_lock(&mutex);
    check(used < BINARIES, "too many fat binaries");
    struct binary *binary = &binaries[used++];
    binary->is_registered = true;
    pthread_mutex_unlock(&mutex);
    if (binary == binaries && getenv("SLOW")) {
        nanosleep(&(struct timespec){1, 500000000}, NULL);
    }
    return (void **)binary;
}

static void add(void **to, const void *host)
{
    struct binary *binary = (struct binary *)to;

    for (int i = 0; i < 20; i++) {
        sched_yield(); /* other threads come upon a fat binary of which some names are registered */
    }
    pthread_mutex_lock(&mutex);
    check(binary >= binaries && binary < binaries + used, "a fat binary that is not registered");
    check(binary->is_registered, "a fat binary that was unregistered");
    check(binary->count < NAMES, "too many names");
    for (int i = 0; i < binary->count; i++) {
        check(binary->names[i] != host, "a name twice");
    }
    binary->names[binary->count++] = host;
    pthread_mutex_unlock(&mutex);
}

void __hipRegisterFunction(void **binary, const void *host)
{
    add(binary, host);
}

void __hipRegisterVar(void **binary, const void *host)
{
    add(binary, host);
}

void __hipRegisterManagedVar(void **binary, const void *host)
{
    add(binary, host);
}

void __hipRegisterSurface(void **binary, const void *host)
{
    add(binary, host);
}

void __hipRegisterTexture(void **binary, const void *host)
{
    add(binary, host);
}

void __hipUnregisterFatBinary(void **to)
{
    struct binary *binary = (struct binary *)to;

    pthread_mutex_lock(&mutex);
    check(binary->is_registered, "unregistered twice");
    binary->is_registered = false;
    pthread_mutex_unlock(&mutex);
}

static bool knows(const void *host)
{
    bool found = false;

    pthread_mutex_lock(&mutex);
    for (int i = 0; i < used; i++) {
        for (int j = 0; binaries[i].is_registered && j < binaries[i].count; j++) {
            found = found || binaries[i].names[j] == host;
        }
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                           size_t shared, hipStream_t stream)
{
    (void)grid, (void)block, (void)arguments, (void)shared, (void)stream;
    return knows(function) ? hipSuccess : hipErrorInvalidDeviceFunction;
}
