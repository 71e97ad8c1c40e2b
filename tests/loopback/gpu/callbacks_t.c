/* SPDX-License-Identifier: MIT */
/* Callbacks of the host run in the order of their stream, with their data. */
#include <unistd.h>

#include "gpu.h"

struct log {
    int count;
    int order[16];
    hipStream_t stream;
    hipError_t status;
    unsigned char *device;
    unsigned char seen;
};

struct entry {
    struct log *log;
    int number;
};

static void note(struct entry *entry)
{
    struct log *log = entry->log;
    usleep(1000);
    if (log->count < 16) {
        log->order[log->count] = entry->number;
    }
    __atomic_add_fetch(&log->count, 1, __ATOMIC_RELEASE);
}

static void of_stream(hipStream_t stream, hipError_t status, void *data)
{
    struct entry *entry = data;
    entry->log->stream = stream;
    entry->log->status = status;
    note(entry);
}

static inline void of_host(void *data)
{
    note(data);
}

static void expect_order(const struct log *log, int count)
{
    assert_int_equal(log->count, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(log->order[i], i);
    }
}

static void stream_callbacks_run_in_order(void **state)
{
    struct log log = {.status = hipErrorUnknown};
    struct entry entries[8];
    hipStream_t stream;
    void *device = NULL;
    OK(hipStreamCreate(&stream));
    OK(hipMalloc(&device, 4096));
    for (int i = 0; i < 8; i++) {
        entries[i] = (struct entry){&log, i};
        OK(hipMemsetAsync(device, i, 4096, stream));
        OK(hipStreamAddCallback(stream, of_stream, &entries[i], 0));
    }
    OK(hipStreamSynchronize(stream));
    expect_order(&log, 8);
    assert_int_equal(log.status, hipSuccess);
    assert_ptr_equal(log.stream, stream);
    expect_device_filled(device, 7, 4096);
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
}

static void host_functions_run_in_order(void **state)
{
#if HIP_VERSION < 50300000
    skip();
#else
    NEEDS(hipLaunchHostFunc);
    struct log log = {0};
    struct entry entries[8];
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    for (int i = 0; i < 8; i++) {
        entries[i] = (struct entry){&log, i};
        OK(hipLaunchHostFunc(stream, of_host, &entries[i]));
    }
    OK(hipStreamSynchronize(stream));
    expect_order(&log, 8);
    OK(hipStreamDestroy(stream));
#endif
}

/* What comes after a callback waits for it. */
static void a_callback_holds_its_stream(void **state)
{
    static unsigned char host[64];
    struct log log = {0};
    struct entry entry = {&log, 0};
    hipStream_t stream;
    void *device = NULL;
    memset(host, 0, sizeof host);
    OK(hipStreamCreate(&stream));
    OK(hipMalloc(&device, 64));
    OK(hipMemsetAsync(device, 9, 64, stream));
    OK(hipStreamAddCallback(stream, of_stream, &entry, 0));
    OK(hipMemcpyAsync(host, device, 64, hipMemcpyDeviceToHost, stream));
    OK(hipStreamSynchronize(stream));
    assert_int_equal(log.count, 1);
    assert_int_equal(host[63], 9);
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
}

static void nonsense_is_refused(void **state)
{
    EXPECT(hipStreamAddCallback(NULL, NULL, NULL, 0), hipErrorInvalidValue);
    EXPECT(hipStreamAddCallback(NULL, of_stream, NULL, 1), hipErrorInvalidValue);
    (void)hipGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_callbacks_run_in_order),
        cmocka_unit_test(host_functions_run_in_order),
        cmocka_unit_test(a_callback_holds_its_stream),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
