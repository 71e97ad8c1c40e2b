/* SPDX-License-Identifier: MIT */
/* Sixteen threads make the first calls at once, direct and converted ones. */
#include <pthread.h>

#include "real/check.h"

enum { THREADS = 16, ROUNDS = 200 };

static pthread_barrier_t start;

static void *use(void *result)
{
    int *bad = result;
    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUNDS; i++) {
        hipDeviceProp_t properties;
        hipPointerAttribute_t attributes;
        int version = 0;
        *bad += hipRuntimeGetVersion(&version) != hipSuccess || version < 50000000;
        *bad += hipGetDeviceProperties(&properties, 0) != hipSuccess || properties.warpSize != 64;
        *bad += hipPointerGetAttributes(&attributes, &start) != hipSuccess ||
                attributes.type != hipMemoryTypeDevice;
        *bad += hipMalloc(NULL, 1) != hipErrorNotSupported; /* the fake has none */
        *bad += strstr(hipshim_error_text(), "hipMalloc") == NULL;
    }
    return NULL;
}

static void all_threads_are_served(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    int bad[THREADS] = {0};
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, use, &bad[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(bad[i], 0);
    }
    pthread_barrier_destroy(&start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_threads_are_served)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
