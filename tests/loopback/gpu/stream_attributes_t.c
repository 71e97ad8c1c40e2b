/* SPDX-License-Identifier: MIT */
/* Attributes of streams, and operations on memory that go to a stream as a batch. */
#include "gpu.h"

static void streams_have_numbers(void **state)
{
#if HIP_VERSION < 70000000
    skip();
#else
    NEEDS(hipStreamGetId);
    hipStream_t one;
    hipStream_t two;
    unsigned long long ids[2] = {0, 0};
    OK(hipStreamCreate(&one));
    OK(hipStreamCreate(&two));
    OK(hipStreamGetId(one, &ids[0]));
    OK(hipStreamGetId(two, &ids[1]));
    assert_true(ids[0] != ids[1]);
    OK(hipStreamDestroy(one));
    OK(hipStreamDestroy(two));
#endif
}

static void streams_keep_attributes(void **state)
{
#if HIP_VERSION < 70000000
    skip();
#else
    NEEDS(hipStreamSetAttribute);
    hipStream_t one;
    hipStream_t two;
    hipLaunchAttributeValue set;
    hipLaunchAttributeValue got;
    memset(&set, 0, sizeof set);
    memset(&got, 0, sizeof got);
    OK(hipStreamCreate(&one));
    OK(hipStreamCreate(&two));
    set.syncPolicy = hipSyncPolicyYield;
    OK(hipStreamSetAttribute(one, hipLaunchAttributeSynchronizationPolicy, &set));
    OK(hipStreamGetAttribute(one, hipLaunchAttributeSynchronizationPolicy, &got));
    assert_int_equal(got.syncPolicy, hipSyncPolicyYield);
    OK(hipStreamCopyAttributes(two, one));
    memset(&got, 0, sizeof got);
    OK(hipStreamGetAttribute(two, hipLaunchAttributeSynchronizationPolicy, &got));
    assert_int_equal(got.syncPolicy, hipSyncPolicyYield);
    OK(hipStreamDestroy(one));
    OK(hipStreamDestroy(two));
#endif
}

#if HIP_VERSION >= 60400000
static hipStreamBatchMemOpParams write_of(uint32_t *where, uint32_t value)
{
    hipStreamBatchMemOpParams params;
    memset(&params, 0, sizeof params);
    params.writeValue.operation = hipStreamMemOpWriteValue32;
    params.writeValue.address = where;
    params.writeValue.value = value;
    return params;
}
#endif

/* Of the releases that have it, 7.2 refuses each operation outside of graphs. */
static void batches_write_values(void **state)
{
#if HIP_VERSION < 60400000
    skip();
#else
    NEEDS(hipStreamBatchMemOp);
    uint32_t *words = NULL;
    uint32_t wanted[] = {0x11111111, 0x22222222};
    OK(hipMalloc((void **)&words, 8));
    OK(hipMemset(words, 0, 8));
    OK(hipDeviceSynchronize());
    hipStreamBatchMemOpParams params[] = {write_of(words, wanted[0]),
                                          write_of(words + 1, wanted[1])};
    bool is_done = HIP_BEFORE(7, 0) || !HIP_BEFORE(7, 14);
    EXPECT(hipStreamBatchMemOp(NULL, 2, params, 0), is_done ? hipSuccess : hipErrorInvalidValue);
    OK(hipStreamSynchronize(NULL));
    if (is_done) {
        expect_device_bytes(words, wanted, sizeof wanted);
    } else {
        expect_device_filled(words, 0, sizeof wanted);
    }
    OK(hipFree(words));
#endif
}

static void batches_are_nodes(void **state)
{
#if HIP_VERSION < 60400000
    skip();
#else
    NEEDS(hipGraphAddBatchMemOpNode);
    uint32_t *words = NULL;
    uint32_t value = 0x33333333;
    hipCtx_t context = NULL;
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t node;
    hipBatchMemOpNodeParams got;
    memset(&got, 0, sizeof got);
    OK(hipMalloc((void **)&words, 8));
    OK(hipDevicePrimaryCtxRetain(&context, 0));
    hipStreamBatchMemOpParams operation = write_of(words, 1);
    hipBatchMemOpNodeParams params = {context, 1, &operation, 0};
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddBatchMemOpNode(&node, graph, NULL, 0, &params));
    OK(hipGraphBatchMemOpNodeGetParams(node, &got));
    assert_int_equal(got.count, 1);
    assert_int_equal(got.paramArray[0].writeValue.value, 1);
    operation = write_of(words, 2);
    OK(hipGraphBatchMemOpNodeSetParams(node, &params));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    operation = write_of(words, value);
    OK(hipGraphExecBatchMemOpNodeSetParams(exec, node, &params));
    OK(hipGraphLaunch(exec, NULL));
    OK(hipStreamSynchronize(NULL));
    expect_device_bytes(words, &value, 4);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipDevicePrimaryCtxRelease(0));
    OK(hipFree(words));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_have_numbers),
        cmocka_unit_test(streams_keep_attributes),
        cmocka_unit_test(batches_write_values),
        cmocka_unit_test(batches_are_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
