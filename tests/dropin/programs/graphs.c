/* SPDX-License-Identifier: MIT */
/* Graphs do their work, and their nodes say what they are: the numbers of that changed after 5.2.
 */
#include "check.h"

static int host_calls;

static void on_host(void *data)
{
    host_calls += *(int *)data;
}

/* 5.2 counted from 1 and had two of them in another order; its headers say so to its programs. */
static int node_type(hipGraphNodeType type)
{
    static const int of_5_7[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7};
    if (BUILT_FOR < 507 && check_front >= 507) {
        return of_5_7[type];
    }
    return (int)type;
}

/* 5.2 has a type of its own for a copy of a line; nothing else has. */
static int line_copy_type(void)
{
#if HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR < 507
    if (check_front < 507) {
        return hipGraphNodeTypeMemcpy1D;
    }
#endif
    return node_type(hipGraphNodeTypeMemcpy);
}

static int told_type(hipGraphNode_t node)
{
    hipGraphNodeType type = hipGraphNodeTypeCount;
    return hipGraphNodeGetType(node, &type) == hipSuccess ? (int)type : -1;
}

static void built_by_hand(void)
{
    static unsigned char host[256];
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t set, copy, call, nothing;
    void *device = NULL;
    int step = 3;
    size_t count = 0;
    OK(hipMalloc(&device, 256));
    OK(hipGraphCreate(&graph, 0));
    hipMemsetParams fill;
    memset(&fill, 0, sizeof fill);
    fill.dst = device;
    fill.elementSize = 1;
    fill.height = 1;
    fill.pitch = 256;
    fill.value = 0x2d;
    fill.width = 256;
    OK(hipGraphAddMemsetNode(&set, graph, NULL, 0, &fill));
    OK(hipGraphAddMemcpyNode1D(&copy, graph, &set, 1, host, device, 256, hipMemcpyDeviceToHost));
    hipHostNodeParams parameters = {on_host, &step};
    OK(hipGraphAddHostNode(&call, graph, &copy, 1, &parameters));
    OK(hipGraphAddEmptyNode(&nothing, graph, &call, 1));
    SAME(told_type(set), node_type(hipGraphNodeTypeMemset));
    SAME(told_type(copy), line_copy_type());
    SAME(told_type(call), node_type(hipGraphNodeTypeHost));
    SAME(told_type(nothing), node_type(hipGraphNodeTypeEmpty));
    OK(hipGraphGetNodes(graph, NULL, &count));
    SAME(count, 4);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, NULL));
    OK(hipStreamSynchronize(NULL));
    SAME(host[0], 0x2d);
    SAME(host[255], 0x2d);
    SAME(host_calls, 3);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipFree(device));
}

static void events_are_nodes(void)
{
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t record, wait;
    hipEvent_t event = NULL, told = NULL;
    OK(hipEventCreate(&event));
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddEventRecordNode(&record, graph, NULL, 0, event));
    OK(hipGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    SAME(told_type(record), node_type(hipGraphNodeTypeEventRecord));
    SAME(told_type(wait), node_type(hipGraphNodeTypeWaitEvent));
    OK(hipGraphEventRecordNodeGetEvent(record, &told));
    CHECK(told == event);
    /* 5.2 cannot destroy such a graph before it has run. */
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipEventQuery(event));
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipEventDestroy(event));
}

/* hipMemcpy3DParms, which holds arrays, as the parameters of a node. */
static void volumes_are_nodes(void)
{
    static unsigned char in[16 * 4 * 2], out[16 * 4 * 2];
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t to, from;
    void *device = NULL;
    hipMemcpy3DParms up, down, told;
    check_fill(in, sizeof in, 1);
    OK(hipMalloc(&device, sizeof in));
    OK(hipGraphCreate(&graph, 0));
    memset(&up, 0, sizeof up);
    up.srcPtr = (hipPitchedPtr){in, 16, 16, 4};
    up.dstPtr = (hipPitchedPtr){device, 16, 16, 4};
    up.extent = (hipExtent){16, 4, 2};
    up.kind = hipMemcpyHostToDevice;
    memset(&down, 0, sizeof down);
    down.srcPtr = up.dstPtr;
    down.dstPtr = (hipPitchedPtr){out, 16, 16, 4};
    down.extent = up.extent;
    down.kind = hipMemcpyDeviceToHost;
    memset(&told, 0xff, sizeof told);
    OK(hipGraphAddMemcpyNode(&to, graph, NULL, 0, &up));
    OK(hipGraphAddMemcpyNode(&from, graph, &to, 1, &down));
    OK(hipGraphMemcpyNodeGetParams(to, &told));
    CHECK(told.srcPtr.ptr == in);
    CHECK(told.dstPtr.ptr == device);
    SAME(told.extent.depth, 2);
    SAME(told.kind, hipMemcpyHostToDevice);
    CHECK(told.srcArray == NULL);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, NULL));
    OK(hipStreamSynchronize(NULL));
    CHECK(memcmp(in, out, sizeof in) == 0);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipFree(device));
}

static void made_by_capture(void)
{
    static unsigned char host[64];
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    void *device = NULL;
    size_t count = 0;
    memset(host, 0, sizeof host);
    OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    OK(hipMalloc(&device, 64));
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    OK(hipMemsetAsync(device, 0x1e, 64, stream));
    OK(hipMemcpyAsync(host, device, 64, hipMemcpyDeviceToHost, stream));
    OK(hipStreamIsCapturing(stream, &status));
    SAME(status, hipStreamCaptureStatusActive);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphGetNodes(graph, NULL, &count));
    SAME(count, 2);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, stream));
    OK(hipStreamSynchronize(stream));
    SAME(host[63], 0x1e);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
}

static void memory_nodes(void)
{
#if HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR >= 507
    hipGraph_t graph = NULL;
    hipGraphNode_t node;
    struct {
        hipMemAllocNodeParams parameters;
        unsigned char behind[64];
    } got;
    int supported = 0;
    OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, 0));
    memset(&got, 0, sizeof got);
    memset(got.behind, 0x5b, sizeof got.behind);
    got.parameters.poolProps.allocType = hipMemAllocationTypePinned;
    got.parameters.poolProps.location.type = hipMemLocationTypeDevice;
    got.parameters.bytesize = 5000;
    OK(hipGraphCreate(&graph, 0));
    NEEDS(505, hipGraphAddMemAllocNode(&node, graph, NULL, 0, &got.parameters));
    if (!supported) {
        check_skips("this device has no memory pools");
        return;
    }
    OK(hipGraphAddMemAllocNode(&node, graph, NULL, 0, &got.parameters));
    CHECK(got.parameters.dptr != NULL);
    SAME(got.behind[0], 0x5b);
    void *where = got.parameters.dptr;
    memset(&got, 0x5b, sizeof got);
    OK(hipGraphMemAllocNodeGetParams(node, &got.parameters));
    SAME(got.parameters.bytesize, 5000);
    CHECK(got.parameters.dptr == where);
    SAME(got.behind[0], 0x5b);
    OK(hipGraphAddMemFreeNode(&node, graph, &node, 1, where));
    OK(hipGraphDestroy(graph));
#else
    check_skips("HIP 5.2 has no such nodes");
#endif
}

const struct test graph_tests[] = {
    {"graphs built by hand work, and nodes tell their types", built_by_hand},
    {"events are nodes", events_are_nodes},
    {"copies of volumes are nodes", volumes_are_nodes},
    {"graphs made by capture work", made_by_capture},
    {"memory is made by nodes", memory_nodes},
    {NULL, NULL},
};
