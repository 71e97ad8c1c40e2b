/* SPDX-License-Identifier: MIT */
/* Graphs as structures: nodes and edges come and go, copies know their originals, objects live as
 * long. */
#include <sys/stat.h>

#include "gpu.h"

enum { SIZE = 512 };

static unsigned char *device;

static int set_up(void **state)
{
    OK(hipMalloc((void **)&device, SIZE));
    return 0;
}

static int tear_down(void **state)
{
    OK(hipFree(device));
    return 0;
}

static hipGraphNode_t fill(hipGraph_t graph, hipGraphNode_t after, unsigned value, size_t offset)
{
    hipGraphNode_t node = NULL;
    hipMemsetParams params = {.dst = device + offset,
                              .elementSize = 1,
                              .height = 1,
                              .pitch = SIZE,
                              .value = value,
                              .width = SIZE / 2};
    OK(hipGraphAddMemsetNode(&node, graph, after ? &after : NULL, after ? 1 : 0, &params));
    assert_non_null(node);
    return node;
}

static void run_and_end(hipGraphExec_t exec)
{
    OK(hipGraphLaunch(exec, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipGraphExecDestroy(exec));
}

static size_t edges(hipGraph_t graph)
{
    size_t count = 77;
    OK(hipGraphGetEdges(graph, NULL, NULL, &count));
    return count;
}

static void edges_come_and_go(void **state)
{
    hipGraph_t graph;
    hipGraphNode_t got = NULL;
    size_t count = 1;
    OK(hipGraphCreate(&graph, 0));
    hipGraphNode_t a = fill(graph, NULL, 1, 0);
    hipGraphNode_t b = fill(graph, NULL, 2, 0);
    assert_int_equal(edges(graph), 0);
    OK(hipGraphAddDependencies(graph, &a, &b, 1));
    assert_int_equal(edges(graph), 1);
    OK(hipGraphNodeGetDependencies(b, &got, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(got, a);
    count = 1;
    OK(hipGraphNodeGetDependentNodes(a, &got, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(got, b);
    OK(hipGraphRemoveDependencies(graph, &a, &b, 1));
    assert_int_equal(edges(graph), 0);
    count = 77;
    OK(hipGraphNodeGetDependencies(b, NULL, &count));
    assert_int_equal(count, 0);
    OK(hipGraphAddDependencies(graph, &a, &b, 1));
    OK(hipGraphDestroyNode(b));
    assert_int_equal(edges(graph), 0);
    OK(hipGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 1);
    OK(hipGraphDestroy(graph));
}

static void clones_know_their_originals(void **state)
{
    hipGraph_t graph;
    hipGraph_t clone = NULL;
    hipGraphNode_t twin = NULL;
    hipGraphExec_t exec;
    hipMemsetParams params = {0};
    OK(hipGraphCreate(&graph, 0));
    hipGraphNode_t a = fill(graph, NULL, 3, 0);
    fill(graph, a, 4, SIZE / 2);
    OK(hipGraphClone(&clone, graph));
    assert_ptr_not_equal(clone, graph);
    assert_int_equal(edges(clone), 1);
    OK(hipGraphNodeFindInClone(&twin, a, clone));
    assert_ptr_not_equal(twin, a);
    OK(hipGraphMemsetNodeGetParams(twin, &params));
    assert_int_equal(params.value, 3);
    OK(hipGraphDestroy(graph));
    OK(hipGraphInstantiate(&exec, clone, NULL, NULL, 0));
    run_and_end(exec);
    expect_device_filled(device, 3, SIZE / 2);
    expect_device_filled(device + SIZE / 2, 4, SIZE / 2);
    OK(hipGraphDestroy(clone));
}

static void made_with_flags(void **state)
{
    hipGraph_t graph;
    hipGraphExec_t exec = NULL;
    OK(hipGraphCreate(&graph, 0));
    fill(graph, NULL, 5, 0);
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    if (HAS(hipGraphUpload)) {
        OK(hipGraphUpload(exec, NULL));
    }
    if (HAS(hipGraphExecGetFlags)) {
        unsigned long long flags = 77;
        OK(hipGraphExecGetFlags(exec, &flags));
        assert_int_equal(flags, 0);
    }
    run_and_end(exec);
    expect_device_filled(device, 5, SIZE / 2);
    if (HAS(hipGraphInstantiateWithParams)) {
        hipGraphInstantiateParams params;
        memset(&params, 0, sizeof params);
        params.result_out = hipGraphInstantiateError;
        OK(hipGraphInstantiateWithParams(&exec, graph, &params));
        assert_int_equal(params.result_out, hipGraphInstantiateSuccess);
        assert_null(params.errNode_out);
        run_and_end(exec);
    }
    OK(hipGraphDestroy(graph));
}

static void nodes_are_switched_off(void **state)
{
    NEEDS(hipGraphNodeSetEnabled);
    hipGraph_t graph;
    hipGraphExec_t exec = NULL;
    unsigned enabled = 77;
    OK(hipMemset(device, 0, SIZE));
    OK(hipGraphCreate(&graph, 0));
    hipGraphNode_t a = fill(graph, NULL, 6, 0);
    fill(graph, a, 7, SIZE / 2);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphNodeGetEnabled(exec, a, &enabled));
    assert_int_equal(enabled, 1);
    OK(hipGraphNodeSetEnabled(exec, a, 0));
    OK(hipGraphNodeGetEnabled(exec, a, &enabled));
    assert_int_equal(enabled, 0);
    run_and_end(exec);
    expect_device_filled(device, 0, SIZE / 2);
    expect_device_filled(device + SIZE / 2, 7, SIZE / 2);
    OK(hipGraphDestroy(graph));
}

static void events_of_nodes_change(void **state)
{
    hipGraph_t graph;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t record;
    hipGraphNode_t wait;
    hipEvent_t events[2];
    hipEvent_t got = NULL;
    OK(hipEventCreate(&events[0]));
    OK(hipEventCreate(&events[1]));
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddEventRecordNode(&record, graph, NULL, 0, events[0]));
    OK(hipGraphAddEventWaitNode(&wait, graph, &record, 1, events[0]));
    OK(hipGraphEventRecordNodeSetEvent(record, events[1]));
    OK(hipGraphEventRecordNodeGetEvent(record, &got));
    assert_ptr_equal(got, events[1]);
    OK(hipGraphEventWaitNodeSetEvent(wait, events[1]));
    OK(hipGraphEventWaitNodeGetEvent(wait, &got));
    assert_ptr_equal(got, events[1]);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphExecEventRecordNodeSetEvent(exec, record, events[0]));
    OK(hipGraphExecEventWaitNodeSetEvent(exec, wait, events[0]));
    run_and_end(exec);
    OK(hipEventQuery(events[0]));
    OK(hipGraphDestroy(graph));
    OK(hipEventDestroy(events[0]));
    OK(hipEventDestroy(events[1]));
}

static void graphs_in_graphs_change(void **state)
{
    hipGraph_t graph;
    hipGraph_t inner;
    hipGraph_t other;
    hipGraph_t got = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t whole;
    size_t count = 77;
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphCreate(&inner, 0));
    OK(hipGraphCreate(&other, 0));
    fill(inner, NULL, 8, 0);
    fill(other, NULL, 9, 0);
    OK(hipGraphAddChildGraphNode(&whole, graph, NULL, 0, inner));
    OK(hipGraphChildGraphNodeGetGraph(whole, &got));
    OK(hipGraphGetNodes(got, NULL, &count));
    assert_int_equal(count, 1);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    /* 5.2 takes the same graph only. */
    EXPECT(hipGraphExecChildGraphNodeSetParams(exec, whole, other),
           HIP_BEFORE(5, 7) ? hipErrorGraphExecUpdateFailure : hipSuccess);
    (void)hipGetLastError();
    run_and_end(exec);
    expect_device_filled(device, HIP_BEFORE(5, 7) ? 8 : 9, SIZE / 2);
    OK(hipGraphDestroy(graph));
    OK(hipGraphDestroy(inner));
    OK(hipGraphDestroy(other));
}

static void graphs_are_drawn(void **state)
{
    NEEDS(hipGraphDebugDotPrint);
    hipGraph_t graph;
    struct stat info;
    OK(hipGraphCreate(&graph, 0));
    fill(graph, NULL, 1, 0);
    OK(hipGraphDebugDotPrint(graph, "graph.dot", hipGraphDebugDotFlagsVerbose));
    assert_int_equal(stat("graph.dot", &info), 0);
    assert_true(info.st_size > 20);
    assert_int_equal(unlink("graph.dot"), 0);
    OK(hipGraphDestroy(graph));
}

static void end_object(void *data)
{
    ++*(int *)data;
}

static void objects_live_as_long_as_their_graph(void **state)
{
    NEEDS(hipUserObjectCreate);
    hipUserObject_t object = NULL;
    hipGraph_t graph;
    int ended = 0;
    OK(hipGraphCreate(&graph, 0));
    OK(hipUserObjectCreate(&object, &ended, end_object, 1, hipUserObjectNoDestructorSync));
    OK(hipUserObjectRetain(object, 2));
    OK(hipUserObjectRelease(object, 2));
    OK(hipGraphRetainUserObject(graph, object, 1, 0));
    OK(hipGraphReleaseUserObject(graph, object, 1));
    assert_int_equal(ended, 0);
    OK(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
    assert_int_equal(ended, 0);
    OK(hipGraphDestroy(graph));
    assert_int_equal(ended, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_come_and_go),
        cmocka_unit_test(clones_know_their_originals),
        cmocka_unit_test(made_with_flags),
        cmocka_unit_test(nodes_are_switched_off),
        cmocka_unit_test(events_of_nodes_change),
        cmocka_unit_test(graphs_in_graphs_change),
        cmocka_unit_test(graphs_are_drawn),
        cmocka_unit_test(objects_live_as_long_as_their_graph),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
