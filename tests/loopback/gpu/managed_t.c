/* SPDX-License-Identifier: MIT */
/* Managed memory: both sides see it, advice and places are kept. */
#include "gpu.h"

enum { SIZE = 64 * 1024 };

static void both_sides_see_it(void **state)
{
    unsigned char *managed = NULL;
    unsigned char *host = pattern_new(SIZE, 4);
    OK(hipMallocManaged((void **)&managed, SIZE, hipMemAttachGlobal));
    memcpy(managed, host, SIZE);
    expect_device_bytes(managed, host, SIZE);
    OK(hipMemset(managed, 0x3c, SIZE));
    OK(hipDeviceSynchronize());
    assert_int_equal(managed[0], 0x3c);
    assert_int_equal(managed[SIZE - 1], 0x3c);
    OK(hipFree(managed));
    free(host);
}

static void advice_is_kept(void **state)
{
    unsigned char *managed = NULL;
    int value = -77;
    OK(hipMallocManaged((void **)&managed, SIZE, hipMemAttachGlobal));
    OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeReadMostly, managed,
                               SIZE));
    assert_int_equal(value, 0);
    OK(hipMemAdvise(managed, SIZE, hipMemAdviseSetReadMostly, 0));
    OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeReadMostly, managed,
                               SIZE));
    assert_int_equal(value, 1);
    OK(hipMemAdvise(managed, SIZE, hipMemAdviseUnsetReadMostly, 0));
    OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeReadMostly, managed,
                               SIZE));
    assert_int_equal(value, 0);
    OK(hipMemAdvise(managed, SIZE, hipMemAdviseSetPreferredLocation, 0));
    OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributePreferredLocation, managed,
                               SIZE));
    assert_int_equal(value, 0);
    OK(hipFree(managed));
}

static void prefetching_tells_the_place(void **state)
{
    unsigned char *managed = NULL;
    int place = -77;
    OK(hipMallocManaged((void **)&managed, SIZE, hipMemAttachGlobal));
    memset(managed, 5, SIZE);
    OK(hipMemPrefetchAsync(managed, SIZE, 0, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipMemRangeGetAttribute(&place, sizeof place, hipMemRangeAttributeLastPrefetchLocation,
                               managed, SIZE));
    assert_int_equal(place, 0);
    OK(hipMemPrefetchAsync(managed, SIZE, hipCpuDeviceId, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipMemRangeGetAttribute(&place, sizeof place, hipMemRangeAttributeLastPrefetchLocation,
                               managed, SIZE));
    assert_int_equal(place, hipCpuDeviceId);
    assert_int_equal(managed[SIZE - 1], 5);
    OK(hipFree(managed));
}

static void memory_attaches_to_a_stream(void **state)
{
    unsigned char *managed = NULL;
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    OK(hipMallocManaged((void **)&managed, SIZE, hipMemAttachGlobal));
    OK(hipStreamAttachMemAsync(stream, managed, SIZE, hipMemAttachSingle));
    /* No length is the whole allocation; 5.2 refuses that. */
    EXPECT(hipStreamAttachMemAsync(stream, managed, 0, hipMemAttachSingle),
           HIP_BEFORE(5, 7) ? hipErrorInvalidValue : hipSuccess);
    (void)hipGetLastError();
    OK(hipStreamSynchronize(stream));
    OK(hipFree(managed));
    OK(hipStreamDestroy(stream));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_see_it),
        cmocka_unit_test(advice_is_kept),
        cmocka_unit_test(prefetching_tells_the_place),
        cmocka_unit_test(memory_attaches_to_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
