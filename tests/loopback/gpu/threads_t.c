/* SPDX-License-Identifier: MIT */
/* Eight threads, each with a stream, fill, launch, copy and check at the same time. */
#include <pthread.h>

#include "gpu.h"

enum { THREADS = 8, ROUNDS = 40, SIZE = 4096 };

static hipFunction_t function;
/* Not cmocka's: its checks leave a thread by longjmp. */
static int round_of(int number, int round, hipStream_t stream, hipEvent_t event, void *device)
{
    unsigned char host[SIZE];
    int by = number + round;
    void *arguments[] = {&device, &by};
    int bad = hipMemsetAsync(device, round, SIZE, stream);
    bad |= hipModuleLaunchKernel(function, SIZE / 64, 1, 1, 64, 1, 1, 0, stream, arguments, NULL);
    bad |= hipModuleLaunchKernel(function, SIZE / 64, 1, 1, 64, 1, 1, 0, stream, arguments, NULL);
    bad |= hipMemcpyAsync(host, device, SIZE, hipMemcpyDeviceToHost, stream);
    bad |= hipEventRecord(event, stream);
    bad |= hipEventSynchronize(event);
    bad |= hipStreamSynchronize(stream);
    for (size_t i = 0; i < SIZE; i++) {
        bad |= host[i] != (unsigned char)(round + 2 * by);
    }
    return bad;
}

static void *work(void *argument)
{
    int number = (int)(intptr_t)argument;
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    void *device = NULL;
    int bad = hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
    bad |= hipEventCreateWithFlags(&event, hipEventDisableTiming);
    bad |= hipMalloc(&device, SIZE);
    for (int round = 0; round < ROUNDS && !bad; round++) {
        bad |= round_of(number, round, stream, event, device);
    }
    bad |= hipFree(device);
    bad |= hipEventDestroy(event);
    bad |= hipStreamDestroy(stream);
    return (void *)(intptr_t)bad;
}

static void threads_do_not_disturb_each_other(void **state)
{
    pthread_t threads[THREADS];
    hipModule_t module = module_of("extern \"C\" __global__ void bump(unsigned char *bytes, int by)"
                                   "{ bytes[blockIdx.x * blockDim.x + threadIdx.x] += by; }");
    OK(hipModuleGetFunction(&function, module, "bump"));
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        assert_null(bad);
    }
    OK(hipModuleUnload(module));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_disturb_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
