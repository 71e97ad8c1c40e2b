/* SPDX-License-Identifier: MIT */
/*
 * Threads register and unregister fat binaries as constructors of plugins do, while they and others
 * make the first launch of the process, that of a kernel of the program.  With an argument, one fat
 * binary has a managed variable, which opens the runtime while it is registered.
 */
#include <hip/hip_runtime_api.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 16, ROUNDS = 20, KERNELS = 6 };

void **__hipRegisterFatBinary(const void *wrapper) __asm__("hipshim___hipRegisterFatBinary");
void __hipRegisterFunction(void **binary, const void *host, char *device, const char *name,
                           unsigned threads, void *thread, void *block, void *block_dim,
                           void *grid_dim, int *warp) __asm__("hipshim___hipRegisterFunction");
void __hipRegisterManagedVar(void *binary, void **host, void *initial, const char *name,
                             size_t size,
                             unsigned alignment) __asm__("hipshim___hipRegisterManagedVar");
void __hipUnregisterFatBinary(void **binary) __asm__("hipshim___hipUnregisterFatBinary");

/* No bundle: the runtime judges it. */
static struct {
    unsigned magic, version;
    const void *bundle, *unused;
} wrapper = {1, 1, NULL, NULL};

static char hosts[THREADS][ROUNDS][KERNELS];
static void *managed[THREADS][ROUNDS];
static char of_program;
static pthread_barrier_t start;
static atomic_int wrong;
static int with_managed;

static void expect(int is_right, const char *what)
{
    if (!is_right && !wrong++) {
        printf("wrong: %s: %s\n", what, hipGetErrorName(hipSuccess));
    }
}

static hipError_t launch(const void *host)
{
    return hipLaunchKernel(host, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL);
}

static void one_round(int thread, int round)
{
    static int seven = 7;
    char *names = hosts[thread][round];
    void **binary = __hipRegisterFatBinary(&wrapper);

    for (int i = 0; i < KERNELS; i++) {
        __hipRegisterFunction(binary, &names[i], "k", "k", 0, NULL, NULL, NULL, NULL, NULL);
    }
    if (with_managed && thread == 3) {
        __hipRegisterManagedVar(binary, &managed[thread][round], &seven, "m", sizeof seven,
                                sizeof seven);
        expect(managed[thread][round] != NULL, "a managed variable has memory");
    }
    if (round % 3 != thread % 3) {
        for (int i = 0; i < KERNELS; i++) {
            expect(launch(&names[i]) == hipSuccess, "a registered kernel launches");
        }
    }
    __hipUnregisterFatBinary(binary);
    if (round % 3 != thread % 3) {
        expect(launch(&names[0]) == hipErrorInvalidDeviceFunction, "an unloaded kernel is gone");
    }
}

static void *work(void *number)
{
    pthread_barrier_wait(&start);
    expect(launch(&of_program) == hipSuccess, "the program's kernel launches");
    for (int round = 0; round < ROUNDS; round++) {
        one_round((int)(size_t)number, round);
    }
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t threads[THREADS];

    (void)arguments;
    with_managed = count > 1;
    __hipRegisterFunction(__hipRegisterFatBinary(&wrapper), &of_program, "k", "k", 0, NULL, NULL,
                          NULL, NULL, NULL);
    pthread_barrier_init(&start, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return wrong != 0;
}
