/* SPDX-License-Identifier: MIT */
/*
 * Shares modules of the fake of fake.c.  Its argument says how; the last line of its
 * output is "done" if all that it checks holds:
 *   threads       32 threads get 10 kernels on 2 devices, and hold them all at a time
 *   failures      8 threads get a kernel that does not compile
 *   reset         a device is reset while modules are held
 *   fork          a child of fork releases a module of its parent, while a thread compiles and
 *                 another one has a lock of the dynamic linker
 *   exit          the process ends while modules are held, and releases one in an exit handler
 */
#include <hip/hip_runtime_api.h>
#include <hipshim/kernel.h>

#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 32, KERNELS = 10, DEVICES = 2 };

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s: %s\n", __LINE__, #condition, hipshim_error_text());               \
            fflush(stdout);                                                                        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static pthread_barrier_t all_hold;
static hipshim_module_t *shared[THREADS][DEVICES][KERNELS];

static hipshim_status_t get(const char *text, hipshim_module_t **module)
{
    const hipshim_kernel_options_t options = {
        .size = sizeof options, .source = text, .arch = "gfx90a"};

    return hipshim_module_get(&options, module);
}

static hipshim_module_t *get_number(int number)
{
    hipshim_module_t *module;
    char text[40];

    snprintf(text, sizeof text, "// kernel %d", number);
    CHECK(get(text, &module) == HIPSHIM_OK);
    return module;
}

static void *get_all(void *number)
{
    size_t self = (size_t)number;

    for (int i = 0; i < DEVICES * KERNELS; i++) {
        int device = (int)((self + (size_t)i) % DEVICES), kernel = i / DEVICES;

        CHECK(hipSetDevice(device) == hipSuccess);
        shared[self][device][kernel] = get_number(kernel);
    }
    pthread_barrier_wait(&all_hold);
    for (int i = 0; i < DEVICES * KERNELS; i++) {
        hipshim_module_t *mine = shared[self][i % DEVICES][i / DEVICES];

        CHECK(mine == shared[0][i % DEVICES][i / DEVICES]);
        CHECK(hipshim_module_handle(mine) &&
              hipshim_kernel_code(hipshim_module_kernel(mine), NULL));
    }
    pthread_barrier_wait(&all_hold);
    for (int i = 0; i < DEVICES * KERNELS; i++) {
        hipshim_module_release(shared[self][i % DEVICES][i / DEVICES]);
    }
    return NULL;
}

static void run_threads(void *(*body)(void *), size_t count)
{
    pthread_t threads[THREADS];

    CHECK(pthread_barrier_init(&all_hold, NULL, (unsigned)count) == 0);
    for (size_t i = 0; i < count; i++) {
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void *fail(void *number)
{
    hipshim_module_t *module = (hipshim_module_t *)number;

    pthread_barrier_wait(&all_hold);
    CHECK(get("#error", &module) == HIPSHIM_ERROR_COMPILATION);
    CHECK(!module && strstr(hipshim_error_text(), "does not compile for gfx90a"));
    CHECK(strstr(hipshim_error_text(), "error: as asked for"));
    return NULL;
}

static void fail_once_more(void)
{
    run_threads(fail, 8);
    run_threads(fail, 1);
}

static void reset(void)
{
    hipshim_module_t *before = get_number(1), *after, *others;

    CHECK(hipSetDevice(1) == hipSuccess);
    others = get_number(1);
    CHECK(hipSetDevice(0) == hipSuccess && hipDeviceReset() == hipSuccess);
    after = get_number(1);
    CHECK(hipGetLastError() == hipSuccess);
    CHECK(after != before && get_number(1) == after);
    CHECK(hipSetDevice(1) == hipSuccess && get_number(1) == others);
    for (int i = 0; i < 2; i++) {
        hipshim_module_release(others);
        hipshim_module_release(after);
    }
    hipshim_module_release(before);
}

static void *compile_slowly(void *unused)
{
    (void)unused;
    hipshim_module_release(get_number(2));
    return NULL;
}

static pthread_barrier_t in_linker;

/* Keeps a lock of the dynamic linker that a child of fork may inherit. */
static int wait_twice(struct dl_phdr_info *info, size_t size, void *nothing)
{
    (void)info, (void)size, (void)nothing;
    pthread_barrier_wait(&in_linker);
    pthread_barrier_wait(&in_linker);
    return 1;
}

static void *stay_in_linker(void *nothing)
{
    (void)dl_iterate_phdr(wait_twice, nothing);
    return NULL;
}

static void fork_and_release(void)
{
    hipshim_module_t *held = get_number(1);
    pthread_t thread;
    pthread_t holder;
    int status;

    CHECK(pthread_barrier_init(&in_linker, NULL, 2) == 0);
    CHECK(pthread_create(&holder, NULL, stay_in_linker, NULL) == 0);
    pthread_barrier_wait(&in_linker);
    CHECK(pthread_create(&thread, NULL, compile_slowly, NULL) == 0);
    pid_t child = fork();

    if (child == 0) {
        CHECK(get_number(1) != held);
        hipshim_module_release(held);
        (void)get_number(2); /* which the thread may be at work on */
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    pthread_barrier_wait(&in_linker);
    pthread_join(holder, NULL);
    pthread_join(thread, NULL);
    CHECK(get_number(1) == held);
    hipshim_module_release(held);
    hipshim_module_release(held);
}

static hipshim_module_t *released_at_exit;

static void release_at_exit(void)
{
    hipshim_module_release(released_at_exit);
}

static void hold_to_the_end(void)
{
    CHECK(atexit(release_at_exit) == 0);
    released_at_exit = get_number(1);
    (void)get_number(2);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "threads") == 0) {
        run_threads(get_all, THREADS);
    } else if (strcmp(what, "failures") == 0) {
        fail_once_more();
    } else if (strcmp(what, "reset") == 0) {
        reset();
    } else if (strcmp(what, "fork") == 0) {
        fork_and_release();
    } else if (strcmp(what, "exit") == 0) {
        hold_to_the_end();
    } else {
        return 2;
    }
    puts("done");
    return 0;
}
