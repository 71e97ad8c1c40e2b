/* SPDX-License-Identifier: MIT */
/* Eight threads make the first call at the same time and all are served. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 8 };

static pthread_barrier_t start;

static void *use(void *result)
{
    int *version = result;
    int major = 0, minor = 0;
    pthread_barrier_wait(&start);
    if (hipRuntimeGetVersion(version) != hipSuccess ||
        hiprtcVersion(&major, &minor) != HIPRTC_SUCCESS ||
        strcmp(hipGetErrorName(hipErrorNoDevice), "hipErrorNoDevice") != 0) {
        *version = -1;
    }
    return NULL;
}

static void all_threads_get_one_answer(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    int versions[THREADS] = {0};
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, use, &versions[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_true(versions[i] > 50000000);
        assert_int_equal(versions[i], versions[0]);
    }
    pthread_barrier_destroy(&start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_threads_get_one_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
