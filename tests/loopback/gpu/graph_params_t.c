/* SPDX-License-Identifier: MIT */
/* What nodes are told later, in the graph and in what was made of it, is what runs. */
#include "gpu.h"

enum { SIZE = 256 };

static unsigned char *device;
static unsigned char in[SIZE];
static unsigned char other[SIZE];
static unsigned char out[SIZE];
static hipModule_t module;
static hipFunction_t function;

static int set_up(void **state)
{
    module = module_of("extern \"C\" __global__ void write_int(int *where, int value)"
                       "{ *where = value; }");
    OK(hipModuleGetFunction(&function, module, "write_int"));
    OK(hipMalloc((void **)&device, SIZE));
    pattern(in, SIZE, 1);
    pattern(other, SIZE, 2);
    return 0;
}

static int tear_down(void **state)
{
    OK(hipFree(device));
    OK(hipModuleUnload(module));
    return 0;
}

static hipGraph_t empty_graph(void)
{
    hipGraph_t graph = NULL;
    OK(hipGraphCreate(&graph, 0));
    return graph;
}

static void end(hipGraph_t graph, hipGraphExec_t exec)
{
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
}

static void of_kernels(void **state)
{
    hipGraph_t graph = empty_graph();
    hipGraphNode_t node;
    int value = 11;
    void *arguments[] = {&device, &value};
    hipKernelNodeParams params = {
        .func = function, .gridDim = {1, 1, 1}, .blockDim = {64, 1, 1}, .kernelParams = arguments};
    OK(hipGraphAddKernelNode(&node, graph, NULL, 0, &params));
    value = 12;
    OK(hipGraphKernelNodeSetParams(node, &params));
    hipGraphExec_t exec = graph_instantiate(graph);
    graph_run(exec);
    expect_device_bytes(device, &value, 4);
    value = 13;
    OK(hipGraphExecKernelNodeSetParams(exec, node, &params));
    value = 0;
    graph_run(exec);
    value = 13;
    expect_device_bytes(device, &value, 4);
    end(graph, exec);
}

static void attributes_of_kernels(void **state)
{
    NEEDS(hipGraphKernelNodeSetAttribute);
    hipGraph_t graph = empty_graph();
    hipGraphNode_t one;
    hipGraphNode_t two;
    int value = 1;
    void *arguments[] = {&device, &value};
    hipKernelNodeParams params = {
        .func = function, .gridDim = {1, 1, 1}, .blockDim = {64, 1, 1}, .kernelParams = arguments};
    hipLaunchAttributeValue set;
    hipLaunchAttributeValue got;
    memset(&set, 0, sizeof set);
    memset(&got, 0, sizeof got);
    OK(hipGraphAddKernelNode(&one, graph, NULL, 0, &params));
    OK(hipGraphAddKernelNode(&two, graph, NULL, 0, &params));
    set.cooperative = 1;
    OK(hipGraphKernelNodeSetAttribute(one, hipLaunchAttributeCooperative, &set));
    OK(hipGraphKernelNodeGetAttribute(one, hipLaunchAttributeCooperative, &got));
    assert_int_equal(got.cooperative, 1);
    OK(hipGraphKernelNodeGetAttribute(two, hipLaunchAttributeCooperative, &got));
    assert_int_equal(got.cooperative, 0);
    OK(hipGraphKernelNodeCopyAttributes(one, two));
    OK(hipGraphKernelNodeGetAttribute(two, hipLaunchAttributeCooperative, &got));
    assert_int_equal(got.cooperative, 1);
    OK(hipGraphDestroy(graph));
}

static hipMemcpy3DParms line(void *to, const void *from, hipMemcpyKind kind)
{
    hipMemcpy3DParms parms = {.srcPtr = {(void *)from, SIZE, SIZE, 1},
                              .dstPtr = {to, SIZE, SIZE, 1},
                              .extent = {SIZE, 1, 1},
                              .kind = kind};
    return parms;
}

static void of_copies(void **state)
{
    hipGraph_t graph = empty_graph();
    hipGraphNode_t node;
    hipMemcpy3DParms first = line(device, out, hipMemcpyHostToDevice);
    hipMemcpy3DParms second = line(device, in, hipMemcpyHostToDevice);
    hipMemcpy3DParms third = line(device, other, hipMemcpyHostToDevice);
    hipMemcpy3DParms got;
    OK(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &first));
    OK(hipGraphMemcpyNodeSetParams(node, &second));
    OK(hipGraphMemcpyNodeGetParams(node, &got));
    assert_ptr_equal(got.srcPtr.ptr, in);
    hipGraphExec_t exec = graph_instantiate(graph);
    graph_run(exec);
    expect_device_bytes(device, in, SIZE);
    OK(hipGraphExecMemcpyNodeSetParams(exec, node, &third));
    graph_run(exec);
    expect_device_bytes(device, other, SIZE);
    end(graph, exec);
}

static void of_copies_of_lines(void **state)
{
    hipGraph_t graph = empty_graph();
    hipGraphNode_t node;
    OK(hipGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, out, SIZE, hipMemcpyHostToDevice));
    OK(hipGraphMemcpyNodeSetParams1D(node, device, in, SIZE, hipMemcpyHostToDevice));
    hipGraphExec_t exec = graph_instantiate(graph);
    graph_run(exec);
    expect_device_bytes(device, in, SIZE);
    OK(hipGraphExecMemcpyNodeSetParams1D(exec, node, device, other, SIZE, hipMemcpyHostToDevice));
    graph_run(exec);
    expect_device_bytes(device, other, SIZE);
    end(graph, exec);
}

static hipMemsetParams filled_with(unsigned value)
{
    hipMemsetParams params = {
        .dst = device, .elementSize = 1, .height = 1, .pitch = SIZE, .value = value, .width = SIZE};
    return params;
}

static void of_fills(void **state)
{
    hipGraph_t graph = empty_graph();
    hipGraphNode_t node;
    hipMemsetParams first = filled_with(1);
    hipMemsetParams second = filled_with(2);
    OK(hipGraphAddMemsetNode(&node, graph, NULL, 0, &first));
    hipGraphExec_t exec = graph_instantiate(graph);
    OK(hipGraphExecMemsetNodeSetParams(exec, node, &second));
    graph_run(exec);
    expect_device_filled(device, 2, SIZE);
    end(graph, exec);
}

static void count_one(void *data)
{
    ++*(int *)data;
}

static void count_ten(void *data)
{
    *(int *)data += 10;
}

static void of_calls(void **state)
{
    hipGraph_t graph = empty_graph();
    hipGraphNode_t node;
    int counts[3] = {0, 0, 0};
    hipHostNodeParams first = {count_one, &counts[0]};
    hipHostNodeParams second = {count_ten, &counts[1]};
    hipHostNodeParams third = {count_one, &counts[2]};
    OK(hipGraphAddHostNode(&node, graph, NULL, 0, &first));
    OK(hipGraphHostNodeSetParams(node, &second));
    hipGraphExec_t exec = graph_instantiate(graph);
    graph_run(exec);
    OK(hipGraphExecHostNodeSetParams(exec, node, &third));
    graph_run(exec);
    assert_int_equal(counts[0], 0);
    assert_int_equal(counts[1], 10);
    assert_int_equal(counts[2], 1);
    end(graph, exec);
}

static void of_a_whole_graph(void **state)
{
    hipGraph_t graph = empty_graph();
    hipGraph_t changed = empty_graph();
    hipGraphNode_t node;
    hipGraphNode_t failed = NULL;
    hipGraphExecUpdateResult result = hipGraphExecUpdateError;
    hipMemsetParams first = filled_with(3);
    hipMemsetParams second = filled_with(4);
    OK(hipGraphAddMemsetNode(&node, graph, NULL, 0, &first));
    OK(hipGraphAddMemsetNode(&node, changed, NULL, 0, &second));
    hipGraphExec_t exec = graph_instantiate(graph);
    OK(hipGraphExecUpdate(exec, changed, &failed, &result));
    assert_int_equal(result, hipGraphExecUpdateSuccess);
    graph_run(exec);
    expect_device_filled(device, 4, SIZE);
    /* One node more is no update but another graph. */
    OK(hipGraphAddEmptyNode(&node, changed, NULL, 0));
    EXPECT(hipGraphExecUpdate(exec, changed, &failed, &result), hipErrorGraphExecUpdateFailure);
    assert_int_equal(result, hipGraphExecUpdateErrorTopologyChanged);
    (void)hipGetLastError();
    OK(hipGraphDestroy(changed));
    end(graph, exec);
}

static void of_memory(void **state)
{
    NEEDS(hipGraphMemFreeNodeGetParams);
    hipGraph_t graph = empty_graph();
    hipGraphNode_t give;
    hipGraphNode_t take;
    void *got = NULL;
    hipMemAllocNodeParams params = {.poolProps = {.allocType = hipMemAllocationTypePinned,
                                                  .location = {hipMemLocationTypeDevice, 0}},
                                    .bytesize = SIZE};
    OK(hipGraphAddMemAllocNode(&give, graph, NULL, 0, &params));
    OK(hipGraphAddMemFreeNode(&take, graph, &give, 1, params.dptr));
    OK(hipGraphMemFreeNodeGetParams(take, &got));
    assert_ptr_equal(got, params.dptr);
    OK(hipGraphDestroy(graph));
}

static void of_any_node(void **state)
{
    NEEDS(hipGraphAddNode);
    hipGraph_t graph = empty_graph();
    hipGraphNode_t node;
    hipGraphNodeType type = hipGraphNodeTypeCount;
    hipGraphNodeParams params;
    memset(&params, 0, sizeof params);
    params.type = hipGraphNodeTypeMemset;
    params.memset = filled_with(5);
    OK(hipGraphAddNode(&node, graph, NULL, 0, &params));
    OK(hipGraphNodeGetType(node, &type));
    assert_int_equal(type, hipGraphNodeTypeMemset);
    if (HAS(hipGraphNodeSetParams)) {
        params.memset.value = 6;
        OK(hipGraphNodeSetParams(node, &params));
    }
    hipGraphExec_t exec = graph_instantiate(graph);
    graph_run(exec);
    expect_device_filled(device, HAS(hipGraphNodeSetParams) ? 6 : 5, SIZE);
    if (HAS(hipGraphExecNodeSetParams)) {
        params.memset.value = 7;
        OK(hipGraphExecNodeSetParams(exec, node, &params));
        graph_run(exec);
        expect_device_filled(device, 7, SIZE);
    }
    end(graph, exec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_kernels),       cmocka_unit_test(attributes_of_kernels),
        cmocka_unit_test(of_copies),        cmocka_unit_test(of_copies_of_lines),
        cmocka_unit_test(of_fills),         cmocka_unit_test(of_calls),
        cmocka_unit_test(of_a_whole_graph), cmocka_unit_test(of_memory),
        cmocka_unit_test(of_any_node),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
