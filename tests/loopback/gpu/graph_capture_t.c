/* SPDX-License-Identifier: MIT */
/* What a stream tells while it is captured, and captures into a graph that is there. */
#include "gpu.h"

enum { SIZE = 128 };

static hipStream_t stream;
static unsigned char *device;

static int set_up(void **state)
{
    OK(hipStreamCreate(&stream));
    OK(hipMalloc((void **)&device, SIZE));
    return 0;
}

static int tear_down(void **state)
{
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
    return 0;
}

static void it_tells_its_state(void **state)
{
    hipStreamCaptureStatus status = hipStreamCaptureStatusInvalidated;
    unsigned long long id = 0;
    unsigned long long other = 0;
    hipGraph_t graph = NULL;
    hipGraph_t inside = NULL;
    const hipGraphNode_t *nodes = NULL;
    size_t count = 77;
    OK(hipStreamGetCaptureInfo(stream, &status, &id));
    assert_int_equal(status, hipStreamCaptureStatusNone);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    OK(hipMemsetAsync(device, 1, SIZE, stream));
    OK(hipStreamGetCaptureInfo(stream, &status, &id));
    assert_int_equal(status, hipStreamCaptureStatusActive);
    OK(hipStreamGetCaptureInfo_v2(stream, &status, &other, &inside, &nodes, &count));
    assert_int_equal(status, hipStreamCaptureStatusActive);
    assert_int_equal(id, other);
    assert_int_equal(count, 1);
    hipGraphNodeType type = hipGraphNodeTypeCount;
    OK(hipGraphNodeGetType(nodes[0], &type));
    assert_int_equal(type, node_type(hipGraphNodeTypeMemset));
    OK(hipStreamEndCapture(stream, &graph));
    assert_ptr_equal(graph, inside);
    OK(hipGraphDestroy(graph));
}

static void dependencies_are_added(void **state)
{
    hipStreamCaptureStatus status;
    hipGraph_t graph = NULL;
    hipGraph_t inside = NULL;
    hipGraphNode_t node;
    size_t count = 77;
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    OK(hipStreamGetCaptureInfo_v2(stream, &status, NULL, &inside, NULL, NULL));
    OK(hipGraphAddEmptyNode(&node, inside, NULL, 0));
    OK(hipStreamUpdateCaptureDependencies(stream, &node, 1, hipStreamAddCaptureDependencies));
    OK(hipMemsetAsync(device, 2, SIZE, stream));
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphGetEdges(graph, NULL, NULL, &count));
    assert_int_equal(count, 1);
    OK(hipGraphDestroy(graph));
}

static void modes_are_exchanged(void **state)
{
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    OK(hipThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, hipStreamCaptureModeGlobal);
    OK(hipThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, hipStreamCaptureModeRelaxed);
}

static void graphs_go_on_by_capture(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    NEEDS(hipStreamBeginCaptureToGraph);
    hipGraph_t graph;
    hipGraph_t got = NULL;
    hipGraphNode_t node;
    hipGraphExec_t exec;
    size_t count = 77;
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddEmptyNode(&node, graph, NULL, 0));
    OK(hipStreamBeginCaptureToGraph(stream, graph, &node, NULL, 1, hipStreamCaptureModeGlobal));
    OK(hipMemsetAsync(device, 3, SIZE, stream));
    OK(hipStreamEndCapture(stream, &got));
    assert_ptr_equal(got, graph);
    OK(hipGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 2);
    OK(hipGraphGetEdges(graph, NULL, NULL, &count));
    assert_int_equal(count, 1);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, NULL));
    OK(hipStreamSynchronize(NULL));
    expect_device_filled(device, 3, SIZE);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_tells_its_state),
        cmocka_unit_test(dependencies_are_added),
        cmocka_unit_test(modes_are_exchanged),
        cmocka_unit_test(graphs_go_on_by_capture),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
