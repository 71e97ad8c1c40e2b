/* SPDX-License-Identifier: MIT */
/*
 * Graphs by hand and by capture do their work each time they are launched, and
 * answer what their nodes are: the numbers of node types differ between releases.
 */
#include "gpu.h"

static int host_calls;

static void on_host(void *data)
{
    host_calls += *(int *)data;
}

static void expect_type(hipGraphNode_t node, hipGraphNodeType wanted)
{
    hipGraphNodeType type = hipGraphNodeTypeCount;
    OK(hipGraphNodeGetType(node, &type));
    assert_int_equal(type, node_type(wanted));
}

/* 5.2 has a type of its own for a copy of a line; nothing else has. */
static hipGraphNodeType line_copy_type(void)
{
#if HIP_VERSION < 50700000
    if (ANSWERS_BEFORE(5, 7)) {
        return hipGraphNodeTypeMemcpy1D;
    }
#endif
    return hipGraphNodeTypeMemcpy;
}

static void built_by_hand(void **state)
{
    static unsigned char host[256];
    hipGraph_t graph;
    hipGraphNode_t set, copy, call, nothing;
    void *device = NULL;
    int step = 3;
    OK(hipMalloc(&device, 256));
    OK(hipGraphCreate(&graph, 0));
    hipMemsetParams fill = {
        .dst = device, .elementSize = 1, .height = 1, .pitch = 256, .value = 0x2d, .width = 256};
    OK(hipGraphAddMemsetNode(&set, graph, NULL, 0, &fill));
    OK(hipGraphAddMemcpyNode1D(&copy, graph, &set, 1, host, device, 256, hipMemcpyDeviceToHost));
    hipHostNodeParams call_params = {on_host, &step};
    OK(hipGraphAddHostNode(&call, graph, &copy, 1, &call_params));
    OK(hipGraphAddEmptyNode(&nothing, graph, &call, 1));
    expect_type(set, hipGraphNodeTypeMemset);
    expect_type(copy, line_copy_type());
    expect_type(call, hipGraphNodeTypeHost);
    expect_type(nothing, hipGraphNodeTypeEmpty);
    size_t count = 0;
    OK(hipGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 4);
    OK(hipGraphGetEdges(graph, NULL, NULL, &count));
    assert_int_equal(count, 3);

    hipGraphExec_t exec = graph_instantiate(graph);
    host_calls = 0;
    graph_run(exec);
    assert_int_equal(host[0], 0x2d);
    assert_int_equal(host[255], 0x2d);
    OK(hipMemset(device, 0, 256));
    memset(host, 0, sizeof host);
    graph_run(exec);
    assert_int_equal(host[128], 0x2d);
    assert_int_equal(host_calls, 6);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipFree(device));
}

static void parameters_come_back(void **state)
{
    hipGraph_t graph;
    hipGraphNode_t set, call;
    void *device = NULL;
    int step = 1;
    OK(hipMalloc(&device, 1024));
    OK(hipGraphCreate(&graph, 0));
    hipMemsetParams fill = {
        .dst = device, .elementSize = 4, .height = 1, .pitch = 1024, .value = 77, .width = 100};
    hipMemsetParams got = {0};
    OK(hipGraphAddMemsetNode(&set, graph, NULL, 0, &fill));
    OK(hipGraphMemsetNodeGetParams(set, &got));
    assert_ptr_equal(got.dst, device);
    assert_int_equal(got.elementSize, 4);
    assert_int_equal(got.value, 77);
    assert_int_equal(got.width, 100);
    fill.value = 78;
    OK(hipGraphMemsetNodeSetParams(set, &fill));
    OK(hipGraphMemsetNodeGetParams(set, &got));
    assert_int_equal(got.value, 78);
    hipHostNodeParams call_params = {on_host, &step};
    hipHostNodeParams call_got = {NULL, NULL};
    OK(hipGraphAddHostNode(&call, graph, NULL, 0, &call_params));
    OK(hipGraphHostNodeGetParams(call, &call_got));
    assert_true(call_got.fn == on_host);
    assert_ptr_equal(call_got.userData, &step);
    OK(hipGraphDestroy(graph));
    OK(hipFree(device));
}

/* hipMemcpy3DParms holds arrays, whose type HIP 6 changed. */
static void copies_of_volumes_are_nodes(void **state)
{
    static unsigned char in[16 * 4 * 2];
    static unsigned char out[16 * 4 * 2];
    hipGraph_t graph;
    hipGraphNode_t to, from;
    void *device = NULL;
    pattern(in, sizeof in, 1);
    OK(hipMalloc(&device, sizeof in));
    OK(hipGraphCreate(&graph, 0));
    hipMemcpy3DParms up = {.srcPtr = {in, 16, 16, 4},
                           .dstPtr = {device, 16, 16, 4},
                           .extent = {16, 4, 2},
                           .kind = hipMemcpyHostToDevice};
    hipMemcpy3DParms down = {.srcPtr = {device, 16, 16, 4},
                             .dstPtr = {out, 16, 16, 4},
                             .extent = {16, 4, 2},
                             .kind = hipMemcpyDeviceToHost};
    hipMemcpy3DParms got;
    memset(&got, 0xff, sizeof got);
    OK(hipGraphAddMemcpyNode(&to, graph, NULL, 0, &up));
    OK(hipGraphAddMemcpyNode(&from, graph, &to, 1, &down));
    OK(hipGraphMemcpyNodeGetParams(to, &got));
    assert_ptr_equal(got.srcPtr.ptr, in);
    assert_ptr_equal(got.dstPtr.ptr, device);
    assert_int_equal(got.extent.depth, 2);
    assert_int_equal(got.kind, hipMemcpyHostToDevice);
    assert_null(got.srcArray);
    hipGraphExec_t exec = graph_instantiate(graph);
    graph_run(exec);
    assert_memory_equal(out, in, sizeof in);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipFree(device));
}

static void kernels_are_nodes(void **state)
{
    hipModule_t module =
        module_of("extern \"C\" __global__ void append(int *where, int value)"
                  "{ if (threadIdx.x + threadIdx.z + blockIdx.x + blockIdx.y == 0)"
                  "    *where = *where * 3 + value * gridDim.x * gridDim.y * blockDim.z; }");
    hipFunction_t function;
    hipGraph_t graph;
    hipGraphNode_t one;
    hipGraphNode_t two;
    int *device = NULL;
    int value = 5;
    OK(hipModuleGetFunction(&function, module, "append"));
    OK(hipMalloc((void **)&device, 4));
    OK(hipMemset(device, 0, 4));
    OK(hipGraphCreate(&graph, 0));
    void *arguments[] = {&device, &value};
    hipKernelNodeParams params = {
        .func = function, .gridDim = {3, 2, 1}, .blockDim = {32, 1, 2}, .kernelParams = arguments};
    OK(hipGraphAddKernelNode(&one, graph, NULL, 0, &params));
    value = 100; /* taken when the node was made */
    params.gridDim.x = 1;
    OK(hipGraphAddKernelNode(&two, graph, &one, 1, &params));
    expect_type(one, hipGraphNodeTypeKernel);
    hipKernelNodeParams got = {0};
    OK(hipGraphKernelNodeGetParams(one, &got));
    assert_ptr_equal(got.func, function);
    assert_int_equal(got.gridDim.x, 3);
    assert_int_equal(got.gridDim.y, 2);
    assert_int_equal(got.blockDim.x, 32);
    assert_int_equal(got.blockDim.z, 2);
    hipGraphExec_t exec = graph_instantiate(graph);
    graph_run(exec);
    graph_run(exec);
    int wanted = ((60 * 3 + 400) * 3 + 60) * 3 + 400;
    expect_device_bytes(device, &wanted, 4);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipModuleUnload(module));
    OK(hipFree(device));
}

static void events_and_graphs_are_nodes(void **state)
{
    hipGraph_t graph, child;
    hipGraphNode_t record, wait, inner, whole;
    hipEvent_t event, got = NULL;
    OK(hipEventCreate(&event));
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphCreate(&child, 0));
    OK(hipGraphAddEmptyNode(&inner, child, NULL, 0));
    OK(hipGraphAddEventRecordNode(&record, graph, NULL, 0, event));
    OK(hipGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    OK(hipGraphAddChildGraphNode(&whole, graph, &wait, 1, child));
    expect_type(record, hipGraphNodeTypeEventRecord);
    expect_type(wait, hipGraphNodeTypeWaitEvent);
    expect_type(whole, hipGraphNodeTypeGraph);
    OK(hipGraphEventRecordNodeGetEvent(record, &got));
    assert_ptr_equal(got, event);
    hipGraphExec_t exec = graph_instantiate(graph);
    graph_run(exec);
    OK(hipEventQuery(event));
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(child));
    OK(hipGraphDestroy(graph));
    OK(hipEventDestroy(event));
}

/* Before HIP 6.2 the location in the pool's properties is at another place. */
static void memory_is_a_node(void **state)
{
#if HIP_VERSION < 50500000
    skip();
#else
    NEEDS(hipGraphAddMemAllocNode);
    hipGraph_t graph;
    hipGraphNode_t give, set, take;
    struct {
        hipMemAllocNodeParams params;
        unsigned char after[64];
    } got, given = {.params = {.poolProps = {.allocType = hipMemAllocationTypePinned,
                                             .location = {hipMemLocationTypeDevice, 0}},
                               .bytesize = 4096}};
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddMemAllocNode(&give, graph, NULL, 0, &given.params));
    assert_non_null(given.params.dptr);
    assert_int_equal(given.after[0], 0);
    expect_type(give, hipGraphNodeTypeMemAlloc);
    memset(&got, 0x5b, sizeof got);
    OK(hipGraphMemAllocNodeGetParams(give, &got.params));
    assert_ptr_equal(got.params.dptr, given.params.dptr);
    assert_int_equal(got.params.bytesize, 4096);
    assert_int_equal(got.params.poolProps.location.type, hipMemLocationTypeDevice);
    assert_int_equal(got.after[0], 0x5b);
    hipMemsetParams fill = {.dst = given.params.dptr,
                            .elementSize = 1,
                            .height = 1,
                            .pitch = 4096,
                            .value = 1,
                            .width = 4096};
    OK(hipGraphAddMemsetNode(&set, graph, &give, 1, &fill));
    OK(hipGraphAddMemFreeNode(&take, graph, &set, 1, given.params.dptr));
    expect_type(take, hipGraphNodeTypeMemFree);
    hipGraphExec_t exec = graph_instantiate(graph);
    graph_run(exec);
    graph_run(exec);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
#endif
}

static void captured_from_a_stream(void **state)
{
    static unsigned char host[512];
    hipStream_t stream;
    hipGraph_t graph = NULL;
    void *device = NULL;
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    size_t count = 0;
    OK(hipStreamCreate(&stream));
    OK(hipMalloc(&device, 512));
    OK(hipMemset(device, 0, 512));
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    OK(hipStreamIsCapturing(stream, &status));
    assert_int_equal(status, hipStreamCaptureStatusActive);
    OK(hipMemsetAsync(device, 0x66, 512, stream));
    OK(hipMemcpyAsync(host, device, 512, hipMemcpyDeviceToHost, stream));
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 2);
    assert_int_equal(host[0], 0);
    hipGraphNode_t nodes[2];
    hipGraphNode_t root;
    OK(hipGraphGetNodes(graph, nodes, &count));
    count = 1;
    OK(hipGraphGetRootNodes(graph, &root, &count));
    expect_type(root, hipGraphNodeTypeMemset);
    hipGraphExec_t exec = graph_instantiate(graph);
    OK(hipGraphLaunch(exec, stream));
    OK(hipStreamSynchronize(stream));
    assert_int_equal(host[511], 0x66);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_by_hand),
        cmocka_unit_test(parameters_come_back),
        cmocka_unit_test(copies_of_volumes_are_nodes),
        cmocka_unit_test(kernels_are_nodes),
        cmocka_unit_test(events_and_graphs_are_nodes),
        cmocka_unit_test(memory_is_a_node),
        cmocka_unit_test(captured_from_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
