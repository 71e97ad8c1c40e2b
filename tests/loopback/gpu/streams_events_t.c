/* SPDX-License-Identifier: MIT */
/* Streams keep their order, wait for each other, and events tell about it. */
#include "gpu.h"

/* A fill of it takes longer than a launch.  More only takes time, most under ThreadSanitizer. */
enum { SIZE = 1 << 17 };

static void streams_have_flags_and_priorities(void **state)
{
    hipStream_t stream;
    int least = 7;
    int greatest = 7;
    int priority = 7;
    unsigned flags = 7;
    OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
    assert_true(greatest <= 0 && least >= 0);
    OK(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, greatest));
    OK(hipStreamGetPriority(stream, &priority));
    assert_int_equal(priority, greatest);
    OK(hipStreamGetFlags(stream, &flags));
    assert_int_equal(flags, hipStreamNonBlocking);
    OK(hipStreamQuery(stream));
    OK(hipStreamDestroy(stream));
}

static void streams_tell_their_device(void **state)
{
#if HIP_VERSION < 50700000
    skip();
#else
    NEEDS(hipStreamGetDevice);
    hipStream_t stream;
    hipDevice_t device = -1;
    OK(hipStreamCreate(&stream));
    OK(hipStreamGetDevice(stream, &device));
    assert_int_equal(device, 0);
    OK(hipStreamDestroy(stream));
#endif
}

static void masks_of_compute_units_are_kept(void **state)
{
    uint32_t mask[4] = {0x0f, 0, 0, 0};
    uint32_t got[4] = {0};
    hipStream_t stream;
    OK(hipExtStreamCreateWithCUMask(&stream, 4, mask));
    OK(hipExtStreamGetCUMask(stream, 4, got));
    assert_int_equal(got[0], 0x0f);
    OK(hipStreamDestroy(stream));
}

static void work_in_a_stream_is_ordered(void **state)
{
    hipStream_t stream;
    void *device = NULL;
    OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    OK(hipMalloc(&device, SIZE));
    for (int round = 0; round < 50; round++) {
        OK(hipMemsetAsync(device, round, SIZE, stream));
        OK(hipMemsetAsync(device, round + 1, SIZE / 2, stream));
    }
    OK(hipStreamSynchronize(stream));
    expect_device_filled(device, 50, SIZE / 2);
    expect_device_filled((char *)device + SIZE / 2, 49, SIZE / 2);
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
}

static void events_order_streams(void **state)
{
    hipStream_t one;
    hipStream_t two;
    hipEvent_t event;
    void *a = NULL;
    void *b = NULL;
    OK(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&two, hipStreamNonBlocking));
    OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    OK(hipMalloc(&a, SIZE));
    OK(hipMalloc(&b, SIZE));
    for (int round = 1; round < 30; round++) {
        OK(hipMemsetAsync(a, round, SIZE, one));
        OK(hipEventRecord(event, one));
        OK(hipStreamWaitEvent(two, event, 0));
        OK(hipMemcpyAsync(b, a, SIZE, hipMemcpyDeviceToDevice, two));
        OK(hipStreamSynchronize(two));
        expect_device_filled(b, round, SIZE);
    }
    OK(hipEventDestroy(event));
    OK(hipFree(a));
    OK(hipFree(b));
    OK(hipStreamDestroy(one));
    OK(hipStreamDestroy(two));
}

static void events_measure(void **state)
{
    hipEvent_t start;
    hipEvent_t stop;
    float milliseconds = -1;
    void *device = NULL;
    OK(hipMalloc(&device, SIZE));
    OK(hipEventCreate(&start));
    OK(hipEventCreate(&stop));
    OK(hipEventRecord(start, NULL));
    OK(hipMemsetAsync(device, 3, SIZE, NULL));
    OK(hipEventRecord(stop, NULL));
    OK(hipEventSynchronize(stop));
    OK(hipEventQuery(stop));
    OK(hipEventElapsedTime(&milliseconds, start, stop));
    assert_true(milliseconds >= 0 && milliseconds < 60000);
    OK(hipEventDestroy(start));
    OK(hipEventDestroy(stop));
    OK(hipFree(device));
}

static void untimed_events_refuse_to_measure(void **state)
{
    hipEvent_t event;
    float milliseconds = 0;
    OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    OK(hipEventRecord(event, NULL));
    OK(hipEventSynchronize(event));
    EXPECT(hipEventElapsedTime(&milliseconds, event, event), hipErrorInvalidHandle);
    (void)hipGetLastError();
    OK(hipEventDestroy(event));
}

/* Memory of hipMallocSignalMemory: 8 bytes, waited on by one stream, written by another. */
static void streams_wait_for_values(void **state)
{
    hipStream_t waits;
    hipStream_t writes;
    uint64_t *signal = NULL;
    void *device = NULL;
    int supported = 0;
    OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeCanUseStreamWaitValue, 0));
    assert_int_equal(supported, 1);
    OK(hipStreamCreateWithFlags(&waits, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&writes, hipStreamNonBlocking));
    OK(hipExtMallocWithFlags((void **)&signal, 8, hipMallocSignalMemory));
    OK(hipMalloc(&device, 64));
    OK(hipMemset(device, 1, 64));
    OK(hipDeviceSynchronize());
    *signal = 0;
    OK(hipStreamWaitValue64(waits, signal, 5, hipStreamWaitValueEq, UINT64_MAX));
    OK(hipMemsetAsync(device, 2, 64, waits));
    assert_int_equal(hipStreamQuery(waits), hipErrorNotReady);
    OK(hipStreamWriteValue64(writes, signal, 5, 0));
    OK(hipStreamSynchronize(writes));
    OK(hipStreamSynchronize(waits));
    expect_device_filled(device, 2, 64);
    assert_int_equal(*signal, 5);
    (void)hipGetLastError();
    OK(hipFree(device));
    OK(hipFree(signal));
    OK(hipStreamDestroy(waits));
    OK(hipStreamDestroy(writes));
}

static void values_are_written(void **state)
{
    uint32_t *word = NULL;
    OK(hipMalloc((void **)&word, 64));
    OK(hipMemset(word, 0xff, 64));
    OK(hipDeviceSynchronize());
    OK(hipStreamWriteValue32(NULL, word, 0x12345678, 0));
    OK(hipStreamWriteValue64(NULL, word + 2, 0x1122334455667788, 0));
    OK(hipStreamWaitValue32(NULL, word, 0x12345678, hipStreamWaitValueGte, UINT32_MAX));
    OK(hipStreamSynchronize(NULL));
    uint32_t wanted[] = {0x12345678, 0xffffffff, 0x55667788, 0x11223344, 0xffffffff};
    expect_device_bytes(word, wanted, sizeof wanted);
    OK(hipFree(word));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_have_flags_and_priorities),
        cmocka_unit_test(streams_tell_their_device),
        cmocka_unit_test(masks_of_compute_units_are_kept),
        cmocka_unit_test(work_in_a_stream_is_ordered),
        cmocka_unit_test(events_order_streams),
        cmocka_unit_test(events_measure),
        cmocka_unit_test(untimed_events_refuse_to_measure),
        cmocka_unit_test(streams_wait_for_values),
        cmocka_unit_test(values_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
