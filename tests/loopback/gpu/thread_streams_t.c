/* SPDX-License-Identifier: MIT */
/* The functions of the thread's own default stream do in it what their twins do. */
#include "gpu.h"

enum { SIZE = 256 };

static int called;

static inline void of_stream(hipStream_t stream, hipError_t status, void *data)
{
    (void)stream;
    called += status == hipSuccess && data == &called;
}

static inline void of_host(void *data)
{
    called += data == &called;
}

static void it_waits_and_tells(void **state)
{
    hipEvent_t event;
    void *device = NULL;
    unsigned flags = 77;
    int priority = 77;
    OK(hipMalloc(&device, SIZE));
    OK(hipEventCreate(&event));
    OK(hipStreamGetFlags_spt(NULL, &flags));
    assert_int_equal(flags, hipStreamDefault);
    OK(hipStreamGetPriority_spt(NULL, &priority));
    assert_int_equal(priority, 0);
    OK(hipMemset_spt(device, 5, SIZE));
    OK(hipStreamWaitEvent_spt(NULL, event, 0));
    OK(hipStreamSynchronize_spt(NULL));
    OK(hipStreamQuery_spt(NULL));
    expect_device_filled(device, 5, SIZE);
    OK(hipEventDestroy(event));
    OK(hipFree(device));
}

static void it_calls_back(void **state)
{
#if HIP_VERSION < 50700000
    skip();
#else
    NEEDS(hipStreamAddCallback_spt);
    called = 0;
    OK(hipStreamAddCallback_spt(NULL, of_stream, &called, 0));
    OK(hipStreamSynchronize_spt(NULL));
    assert_int_equal(called, 1);
    OK(hipLaunchHostFunc_spt(NULL, of_host, &called));
    OK(hipStreamSynchronize_spt(NULL));
    assert_int_equal(called, 2);
#endif
}

static void events_are_recorded_in_it(void **state)
{
    hipEvent_t event;
    OK(hipEventCreate(&event));
#if HIP_VERSION >= 50700000
    NEEDS(hipEventRecord_spt);
    OK(hipEventRecord_spt(event, NULL));
    OK(hipEventSynchronize(event));
    OK(hipEventQuery(event));
#endif
#if HIP_VERSION >= 60000000
    if (HAS(hipEventRecordWithFlags)) {
        OK(hipEventRecordWithFlags(event, NULL, hipEventRecordDefault));
        OK(hipEventSynchronize(event));
    }
#endif
    OK(hipEventDestroy(event));
}

#if HIP_VERSION >= 50700000
static void expect_capture(hipStream_t stream, hipStreamCaptureStatus wanted)
{
    hipStreamCaptureStatus status = hipStreamCaptureStatusInvalidated;
    unsigned long long id = 0;
    unsigned long long other = 0;
    hipGraph_t graph = NULL;
    const hipGraphNode_t *nodes = NULL;
    size_t count = 77;
    OK(hipStreamGetCaptureInfo_spt(stream, &status, &id));
    assert_int_equal(status, wanted);
    status = hipStreamCaptureStatusInvalidated;
    OK(hipStreamGetCaptureInfo_v2_spt(stream, &status, &other, &graph, &nodes, &count));
    assert_int_equal(status, wanted);
    if (wanted == hipStreamCaptureStatusActive) {
        assert_true(id > 0 && id == other);
        assert_non_null(graph);
        assert_int_equal(count, 1);
    }
}
#endif

static void graphs_are_captured_from_it(void **state)
{
#if HIP_VERSION < 50700000
    skip();
#else
    NEEDS(hipStreamBeginCapture_spt);
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    hipStream_t stream;
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    void *device = NULL;
    OK(hipStreamCreate(&stream));
    OK(hipMalloc(&device, SIZE));
    OK(hipMemset(device, 0, SIZE));
    OK(hipStreamBeginCapture_spt(stream, hipStreamCaptureModeGlobal));
    OK(hipStreamIsCapturing_spt(stream, &status));
    assert_int_equal(status, hipStreamCaptureStatusActive);
    OK(hipMemsetAsync_spt(device, 6, SIZE, stream));
    expect_capture(stream, hipStreamCaptureStatusActive);
    OK(hipStreamEndCapture_spt(stream, &graph));
    expect_capture(stream, hipStreamCaptureStatusNone);
    expect_device_filled(device, 0, SIZE);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch_spt(exec, NULL));
    OK(hipStreamSynchronize(hipStreamPerThread));
    expect_device_filled(device, 6, SIZE);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_waits_and_tells),
        cmocka_unit_test(it_calls_back),
        cmocka_unit_test(events_are_recorded_in_it),
        cmocka_unit_test(graphs_are_captured_from_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
