/* SPDX-License-Identifier: MIT */
/* Nodes of the driver's functions: copies of volumes, fills and frees, told again and run. */
#include "gpu.h"

enum { SIZE = 256 };

static unsigned char *device;
static unsigned char in[SIZE];
static unsigned char other[SIZE];
static hipCtx_t context;

static int set_up(void **state)
{
    OK(hipMalloc((void **)&device, SIZE));
    OK(hipDevicePrimaryCtxRetain(&context, 0));
    pattern(in, SIZE, 1);
    pattern(other, SIZE, 2);
    return 0;
}

static int tear_down(void **state)
{
    OK(hipDevicePrimaryCtxRelease(0));
    OK(hipFree(device));
    return 0;
}

static HIP_MEMCPY3D copy_of(const void *from)
{
    HIP_MEMCPY3D copy;
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = hipMemoryTypeHost;
    copy.srcHost = from;
    copy.srcPitch = 64;
    copy.srcHeight = 2;
    copy.dstMemoryType = hipMemoryTypeDevice;
    copy.dstDevice = device;
    copy.dstPitch = 64;
    copy.dstHeight = 2;
    copy.WidthInBytes = 64;
    copy.Height = 2;
    copy.Depth = 2;
    return copy;
}

static void copies_are_nodes(void **state)
{
    NEEDS(hipDrvGraphAddMemcpyNode);
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t node;
    HIP_MEMCPY3D first = copy_of(in);
    HIP_MEMCPY3D second = copy_of(other);
    HIP_MEMCPY3D got;
    OK(hipGraphCreate(&graph, 0));
    OK(hipDrvGraphAddMemcpyNode(&node, graph, NULL, 0, &first, context));
    if (HAS(hipDrvGraphMemcpyNodeGetParams)) {
        memset(&got, 0xa5, sizeof got);
        OK(hipDrvGraphMemcpyNodeGetParams(node, &got));
        assert_int_equal(got.srcMemoryType, hipMemoryTypeHost);
        assert_int_equal(got.dstMemoryType, hipMemoryTypeDevice);
        assert_ptr_equal(got.srcHost, in);
        assert_ptr_equal(got.dstDevice, device);
        assert_int_equal(got.WidthInBytes, 64);
        assert_int_equal(got.Depth, 2);
    }
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    graph_run(exec);
    expect_device_bytes(device, in, SIZE);
    if (HAS(hipDrvGraphExecMemcpyNodeSetParams)) {
        OK(hipDrvGraphExecMemcpyNodeSetParams(exec, node, &second, context));
        graph_run(exec);
        expect_device_bytes(device, other, SIZE);
    }
    OK(hipGraphExecDestroy(exec));
    if (HAS(hipDrvGraphMemcpyNodeSetParams)) {
        OK(hipMemset(device, 0, SIZE));
        OK(hipDrvGraphMemcpyNodeSetParams(node, &second));
        OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
        graph_run(exec);
        expect_device_bytes(device, other, SIZE);
        OK(hipGraphExecDestroy(exec));
    }
    OK(hipGraphDestroy(graph));
}

static hipMemsetParams filled_with(unsigned value)
{
    hipMemsetParams params = {
        .dst = device, .elementSize = 1, .height = 1, .pitch = SIZE, .value = value, .width = SIZE};
    return params;
}

/* In HIP 6 a type of its own, with the width and the height in other places. */
static void fills_are_nodes(void **state)
{
    NEEDS(hipDrvGraphAddMemsetNode);
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t node;
    hipMemsetParams first = filled_with(3);
    hipMemsetParams second = filled_with(4);
    OK(hipGraphCreate(&graph, 0));
    OK(hipDrvGraphAddMemsetNode(&node, graph, NULL, 0, &first, context));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    graph_run(exec);
    expect_device_filled(device, 3, SIZE);
    if (HAS(hipDrvGraphExecMemsetNodeSetParams)) {
        OK(hipDrvGraphExecMemsetNodeSetParams(exec, node, &second, context));
        graph_run(exec);
        expect_device_filled(device, 4, SIZE);
    }
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
}

static void frees_are_nodes(void **state)
{
    NEEDS(hipDrvGraphAddMemFreeNode);
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t give;
    hipGraphNode_t take;
    hipGraphNodeType type = hipGraphNodeTypeCount;
    hipMemAllocNodeParams params = {.poolProps = {.allocType = hipMemAllocationTypePinned,
                                                  .location = {hipMemLocationTypeDevice, 0}},
                                    .bytesize = SIZE};
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddMemAllocNode(&give, graph, NULL, 0, &params));
    OK(hipDrvGraphAddMemFreeNode(&take, graph, &give, 1, params.dptr));
    OK(hipGraphNodeGetType(take, &type));
    assert_int_equal(type, hipGraphNodeTypeMemFree);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    graph_run(exec);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_nodes),
        cmocka_unit_test(fills_are_nodes),
        cmocka_unit_test(frees_are_nodes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
