/* SPDX-License-Identifier: MIT */
/* Two devices: each has its memory, peers reach each other's, copies cross. */
#include "gpu.h"

enum { SIZE = 100000 };

static void there_are_two(void **state)
{
    int count = 0;
    hipDeviceProp_t one;
    hipDeviceProp_t two;
    OK(hipGetDeviceCount(&count));
    assert_int_equal(count, 2);
    OK(hipGetDeviceProperties(&one, 0));
    OK(hipGetDeviceProperties(&two, 1));
    assert_int_not_equal(one.pciBusID, two.pciBusID);
    EXPECT(hipSetDevice(2), hipErrorInvalidDevice);
    (void)hipGetLastError();
}

static void memory_belongs_to_a_device(void **state)
{
    void *memory[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        hipPointerAttribute_t got;
        OK(hipSetDevice(i));
        OK(hipMalloc(&memory[i], SIZE));
        OK(hipMemset(memory[i], 10 + i, SIZE));
        OK(hipDeviceSynchronize());
        OK(hipPointerGetAttributes(&got, memory[i]));
        assert_int_equal(got.device, i);
    }
    for (int i = 0; i < 2; i++) {
        OK(hipSetDevice(i));
        expect_device_filled(memory[i], 10 + i, SIZE);
        OK(hipFree(memory[i]));
    }
    OK(hipSetDevice(0));
}

static void peers_reach_each_other(void **state)
{
    int can = 0;
    OK(hipSetDevice(0));
    OK(hipDeviceCanAccessPeer(&can, 0, 1));
    assert_int_equal(can, 1);
    OK(hipDeviceCanAccessPeer(&can, 0, 0));
    assert_int_equal(can, 0);
    OK(hipDeviceEnablePeerAccess(1, 0));
    EXPECT(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
    OK(hipDeviceDisablePeerAccess(1));
    EXPECT(hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
    (void)hipGetLastError();
}

static void links_between_them_are_told(void **state)
{
    uint32_t type = 77;
    uint32_t hops = 77;
    int value = -1;
    OK(hipExtGetLinkTypeAndHopCount(0, 1, &type, &hops));
    assert_int_equal(hops, 1);
    assert_in_range(type, 0, 11);
    OK(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 1));
    assert_int_equal(value, 1);
    OK(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrPerformanceRank, 0, 1));
    assert_in_range(value, 0, 4);
}

static void copies_cross(void **state)
{
    unsigned char *host = pattern_new(SIZE, 6);
    void *one = NULL;
    void *two = NULL;
    hipStream_t stream;
    OK(hipSetDevice(0));
    OK(hipMalloc(&one, SIZE));
    OK(hipMemcpy(one, host, SIZE, hipMemcpyHostToDevice));
    OK(hipSetDevice(1));
    OK(hipMalloc(&two, SIZE));
    OK(hipMemcpyPeer(two, 1, one, 0, SIZE));
    OK(hipDeviceSynchronize());
    expect_device_bytes(two, host, SIZE);
    OK(hipMemset(two, 0x19, SIZE));
    OK(hipDeviceSynchronize());
    OK(hipSetDevice(0));
    OK(hipStreamCreate(&stream));
    OK(hipMemcpyPeerAsync(one, 0, two, 1, SIZE, stream));
    OK(hipStreamSynchronize(stream));
    expect_device_filled(one, 0x19, SIZE);
    OK(hipMemcpy(two, host, SIZE, hipMemcpyDefault));
    OK(hipMemcpy(one, two, SIZE, hipMemcpyDefault));
    OK(hipDeviceSynchronize());
    expect_device_bytes(one, host, SIZE);
    OK(hipStreamDestroy(stream));
    OK(hipFree(one));
    OK(hipFree(two));
    free(host);
}

static void events_cross(void **state)
{
    hipStream_t streams[2];
    hipEvent_t event;
    void *memory = NULL;
    OK(hipSetDevice(0));
    OK(hipStreamCreate(&streams[0]));
    OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    OK(hipMalloc(&memory, SIZE));
    OK(hipMemsetAsync(memory, 7, SIZE, streams[0]));
    OK(hipEventRecord(event, streams[0]));
    OK(hipSetDevice(1));
    OK(hipStreamCreate(&streams[1]));
    OK(hipStreamWaitEvent(streams[1], event, 0));
    OK(hipStreamSynchronize(streams[1]));
    OK(hipEventQuery(event));
    OK(hipStreamDestroy(streams[1]));
    OK(hipSetDevice(0));
    expect_device_filled(memory, 7, SIZE);
    OK(hipStreamDestroy(streams[0]));
    OK(hipEventDestroy(event));
    OK(hipFree(memory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_two),          cmocka_unit_test(memory_belongs_to_a_device),
        cmocka_unit_test(peers_reach_each_other), cmocka_unit_test(copies_cross),
        cmocka_unit_test(events_cross),           cmocka_unit_test(links_between_them_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
