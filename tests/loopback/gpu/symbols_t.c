/* SPDX-License-Identifier: MIT */
/* Variables of registered code: addresses, sizes, and copies to and from them by their symbols. */
#include "registered.h"

static const char source[] = "__device__ int table[64];\n"
                             "extern \"C\" __global__ void touch() { table[threadIdx.x] += 1; }\n";
enum { SIZE = 256, PART = 40, OFFSET = 100 };

static char table; /* the host's shadow of the variable */
static unsigned char in[SIZE];
static unsigned char out[SIZE];

static int set_up(void **state)
{
    register_program(source);
    register_variable(&table, "table", SIZE);
    return 0;
}

static int tear_down(void **state)
{
    unregister_program();
    return 0;
}

static void expect_part(unsigned seed, size_t offset, size_t size)
{
    unsigned char wanted[SIZE];
    pattern(wanted, sizeof wanted, seed);
    assert_memory_equal(out, wanted + offset, size);
    memset(out, 0, sizeof out);
}

static void symbols_have_address_and_size(void **state)
{
    void *address = NULL;
    size_t size = 0;
    OK(hipGetSymbolAddress(&address, &table));
    OK(hipGetSymbolSize(&size, &table));
    assert_int_equal(size, SIZE);
    assert_non_null(address);
    pattern(in, SIZE, 1);
    OK(hipMemcpyToSymbol(&table, in, SIZE, 0, hipMemcpyHostToDevice));
    expect_device_bytes(address, in, SIZE);
    OK(hipMemcpyFromSymbol(out, &table, PART, OFFSET, hipMemcpyDeviceToHost));
    expect_part(1, OFFSET, PART);
    EXPECT(hipGetSymbolSize(&size, &size), hipErrorInvalidSymbol);
    EXPECT(hipMemcpyToSymbol(&table, in, SIZE, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void copies_by_symbol_are_ordered(void **state)
{
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    pattern(in, SIZE, 2);
    OK(hipMemcpyToSymbolAsync(&table, in, SIZE, 0, hipMemcpyHostToDevice, stream));
    OK(hipMemcpyFromSymbolAsync(out, &table, SIZE, 0, hipMemcpyDeviceToHost, stream));
    OK(hipStreamSynchronize(stream));
    expect_part(2, 0, SIZE);
    OK(hipStreamDestroy(stream));
}

static void copies_of_the_threads_stream(void **state)
{
    pattern(in, SIZE, 3);
    OK(hipMemcpyToSymbol_spt(&table, in, SIZE, 0, hipMemcpyHostToDevice));
    OK(hipMemcpyFromSymbol_spt(out, &table, PART, OFFSET, hipMemcpyDeviceToHost));
    expect_part(3, OFFSET, PART);
}

static void ordered_copies_of_the_threads_stream(void **state)
{
    NEEDS(hipMemcpyToSymbolAsync_spt);
    pattern(in, SIZE, 4);
    OK(hipMemcpyToSymbolAsync_spt(&table, in, SIZE, 0, hipMemcpyHostToDevice, NULL));
    OK(hipMemcpyFromSymbolAsync_spt(out, &table, SIZE, 0, hipMemcpyDeviceToHost, NULL));
    OK(hipStreamSynchronize(hipStreamPerThread));
    expect_part(4, 0, SIZE);
}

static void run_twice(hipGraphExec_t exec)
{
    for (int i = 0; i < 2; i++) {
        OK(hipGraphLaunch(exec, NULL));
        OK(hipStreamSynchronize(NULL));
    }
}

/* 5.2 has the functions and takes no other memory by them. */
static void change_made_graph(hipGraphExec_t exec, hipGraphNode_t to, hipGraphNode_t from,
                              const void *other)
{
    EXPECT(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, to, &table, other, SIZE, 0,
                                                   hipMemcpyHostToDevice),
           HIP_BEFORE(5, 7) ? hipErrorInvalidValue : hipSuccess);
    EXPECT(hipGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, out, &table, PART, OFFSET,
                                                     hipMemcpyDeviceToHost),
           HIP_BEFORE(5, 7) ? hipErrorInvalidMemcpyDirection : hipSuccess);
    (void)hipGetLastError();
    if (!HIP_BEFORE(5, 7)) {
        run_twice(exec);
        expect_part(6, OFFSET, PART);
    }
}

static void change_graph(hipGraphNode_t to, hipGraphNode_t from, const void *other)
{
    EXPECT(hipGraphMemcpyNodeSetParamsToSymbol(to, &table, other, SIZE, 0, hipMemcpyHostToDevice),
           HIP_BEFORE(5, 7) ? hipErrorInvalidValue : hipSuccess);
    EXPECT(hipGraphMemcpyNodeSetParamsFromSymbol(from, out, &table, SIZE, 0, hipMemcpyDeviceToHost),
           HIP_BEFORE(5, 7) ? hipErrorInvalidMemcpyDirection : hipSuccess);
    (void)hipGetLastError();
}

static void copies_by_symbol_are_nodes(void **state)
{
    NEEDS(hipGraphAddMemcpyNodeToSymbol);
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t to;
    hipGraphNode_t from;
    hipGraphNodeType type = hipGraphNodeTypeCount;
    static unsigned char other[SIZE];
    pattern(in, SIZE, 5);
    pattern(other, SIZE, 6);
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddMemcpyNodeToSymbol(&to, graph, NULL, 0, &table, in, SIZE, 0,
                                     hipMemcpyHostToDevice));
    OK(hipGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, out, &table, SIZE, 0,
                                       hipMemcpyDeviceToHost));
    OK(hipGraphNodeGetType(to, &type));
    /* A type of its own in 5.2 alone, which its headers give another number. */
    assert_int_equal(type,
                     HIP_BEFORE(5, 7) ? hipGraphNodeTypeMemcpyToSymbol : hipGraphNodeTypeMemcpy);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    run_twice(exec);
    expect_part(5, 0, SIZE);
    change_made_graph(exec, to, from, other);
    OK(hipGraphExecDestroy(exec));
    change_graph(to, from, other);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    run_twice(exec);
    expect_part(HIP_BEFORE(5, 7) ? 5 : 6, 0, SIZE);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_have_address_and_size),
        cmocka_unit_test(copies_by_symbol_are_ordered),
        cmocka_unit_test(copies_of_the_threads_stream),
        cmocka_unit_test(ordered_copies_of_the_threads_stream),
        cmocka_unit_test(copies_by_symbol_are_nodes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
