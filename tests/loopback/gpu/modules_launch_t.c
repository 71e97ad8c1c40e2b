/* SPDX-License-Identifier: MIT */
/* Modules, and launches whose arguments arrive byte by byte where the kernel looks for them. */
#include "gpu.h"

static const char source[] =
    "struct triple { char a; double b; short c; };\n"
    "struct block { char c; short s; int i; long l; float f; double d; triple t; void *p;\n"
    "               unsigned char last; };\n"
    "struct record { unsigned items, lasts, blocks[3], threads[3]; };\n"
    "__device__ record seen;\n"
    "__device__ int counter = 41;\n"
    "__device__ float table[16];\n"
    "__constant__ unsigned short limits[3] = {7, 8, 9};\n"
    "__device__ bool is_last(dim3 index, dim3 size)\n"
    "{ return index.x == size.x - 1 && index.y == size.y - 1 && index.z == size.z - 1; }\n"
    "__device__ void take_down() {\n"
    "  dim3 blocks(gridDim.x, gridDim.y, gridDim.z), threads(blockDim.x, blockDim.y, blockDim.z);\n"
    "  atomicAdd(&seen.items, 1u);\n"
    "  if (!is_last(dim3(blockIdx.x, blockIdx.y, blockIdx.z), blocks)\n"
    "      || !is_last(dim3(threadIdx.x, threadIdx.y, threadIdx.z), threads)) return;\n"
    "  seen.lasts++;\n"
    "  seen.blocks[0] = blocks.x; seen.blocks[1] = blocks.y; seen.blocks[2] = blocks.z;\n"
    "  seen.threads[0] = threads.x; seen.threads[1] = threads.y; seen.threads[2] = threads.z; }\n"
    "extern \"C\" __global__ void axpy(float a, const float *x, float *y, unsigned n) {\n"
    "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i];\n"
    "  take_down(); }\n"
    "extern \"C\" __global__ void mixed(char c, short s, int i, long l, float f, double d,\n"
    "                                   triple t, void *p, unsigned char last) {\n"
    "  block *b = (block *)p; b->c = c; b->s = s; b->i = i; b->l = l; b->f = f; b->d = d;\n"
    "  b->t = t; b->p = p; b->last = last; take_down(); }\n"
    "extern \"C\" __global__ void empty() { take_down(); }\n"
    "extern \"C\" __global__ __launch_bounds__(64) void shared() {\n"
    "  __shared__ int s[256]; s[threadIdx.x] = threadIdx.x; __syncthreads();\n"
    "  table[threadIdx.x & 15] = s[255 - threadIdx.x] + limits[threadIdx.x % 3] + counter; }\n";

static hipModule_t module;

static int load(void **state)
{
    module = module_of(source);
    return 0;
}

static int unload(void **state)
{
    OK(hipModuleUnload(module));
    return 0;
}

static hipFunction_t function(const char *name)
{
    hipFunction_t found = NULL;
    OK(hipModuleGetFunction(&found, module, name));
    assert_non_null(found);
    return found;
}

/* The shape of the only launch since the last call, as all its work-items saw it. */
static void expect_launch(dim3 blocks, dim3 threads)
{
    struct {
        unsigned items, lasts;
        dim3 blocks, threads;
    } wanted = {blocks.x * blocks.y * blocks.z * threads.x * threads.y * threads.z, 1, blocks,
                threads};
    hipDeviceptr_t seen = NULL;
    size_t size = 0;
    OK(hipDeviceSynchronize());
    OK(hipModuleGetGlobal(&seen, &size, module, "seen"));
    assert_int_equal(size, sizeof wanted);
    expect_device_bytes(seen, &wanted, sizeof wanted);
    OK(hipMemset(seen, 0, size));
    OK(hipDeviceSynchronize());
}

static void a_kernel_computes(void **state)
{
    enum { N = 1000 };
    float x[N];
    float y[N];
    float wanted[N];
    void *dx = NULL;
    void *dy = NULL;
    float a = 2.5f;
    unsigned n = N;
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
        wanted[i] = 1.0f + a * (float)i;
    }
    OK(hipMalloc(&dx, sizeof x));
    OK(hipMalloc(&dy, sizeof y));
    OK(hipMemcpy(dx, x, sizeof x, hipMemcpyHostToDevice));
    OK(hipMemcpy(dy, y, sizeof y, hipMemcpyHostToDevice));
    void *arguments[] = {&a, &dx, &dy, &n};
    OK(hipModuleLaunchKernel(function("axpy"), 4, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL));
    expect_launch((dim3){4, 1, 1}, (dim3){256, 1, 1});
    expect_device_bytes(dy, wanted, sizeof wanted);
    OK(hipFree(dx));
    OK(hipFree(dy));
}

struct block {
    signed char c;
    short s;
    int i;
    long l;
    float f;
    double d;
    struct {
        char a;
        double b;
        short c;
    } t;
    void *p;
    unsigned char last;
};

static struct block some_block(void)
{
    struct block block;
    memset(&block, 0, sizeof block);
    block.c = -5;
    block.s = -1234;
    block.i = 0x12345678;
    block.l = 0x1122334455667788;
    block.f = 1.5f;
    block.d = -2.25;
    block.t.a = 'x';
    block.t.b = 3.125;
    block.t.c = 77;
    block.last = 0xfe;
    return block;
}

static void expect_block(const struct block *wanted)
{
    struct block got;
    expect_launch((dim3){6, 5, 3}, (dim3){8, 4, 2});
    OK(hipMemcpy(&got, wanted->p, sizeof got, hipMemcpyDeviceToHost));
    assert_int_equal(got.c, wanted->c);
    assert_int_equal(got.s, wanted->s);
    assert_int_equal(got.i, wanted->i);
    assert_int_equal(got.l, wanted->l);
    assert_true(got.f == wanted->f);
    assert_true(got.d == wanted->d);
    assert_int_equal(got.t.a, wanted->t.a);
    assert_true(got.t.b == wanted->t.b);
    assert_int_equal(got.t.c, wanted->t.c);
    assert_ptr_equal(got.p, wanted->p);
    assert_int_equal(got.last, wanted->last);
}

static void arguments_are_packed_by_params(void **state)
{
    struct block block = some_block();
    OK(hipMalloc(&block.p, sizeof block));
    void *arguments[] = {&block.c, &block.s, &block.i, &block.l,   &block.f,
                         &block.d, &block.t, &block.p, &block.last};
    OK(hipModuleLaunchKernel(function("mixed"), 6, 5, 3, 8, 4, 2, 0, NULL, arguments, NULL));
    expect_block(&block);
    OK(hipFree(block.p));
}

static void arguments_are_passed_by_extra(void **state)
{
    struct block block = some_block();
    size_t size = 65;
    OK(hipMalloc(&block.p, sizeof block));
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &block, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    OK(hipModuleLaunchKernel(function("mixed"), 6, 5, 3, 8, 4, 2, 0, NULL, NULL, extra));
    expect_block(&block);
    OK(hipFree(block.p));
}

static void variables_have_addresses_and_values(void **state)
{
    hipDeviceptr_t address = NULL;
    size_t size = 0;
    int forty_one = 41;
    unsigned short limits[] = {7, 8, 9};
    OK(hipModuleGetGlobal(&address, &size, module, "counter"));
    assert_int_equal(size, 4);
    expect_device_bytes(address, &forty_one, sizeof forty_one);
    OK(hipModuleGetGlobal(&address, &size, module, "table"));
    assert_int_equal(size, 64);
    OK(hipModuleGetGlobal(&address, &size, module, "limits"));
    assert_int_equal(size, 6);
    expect_device_bytes(address, limits, sizeof limits);
    EXPECT(hipModuleGetGlobal(&address, &size, module, "nothing"), hipErrorNotFound);
    (void)hipGetLastError();
}

static void functions_have_attributes(void **state)
{
    int value = -1;
    OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function("shared")));
    assert_int_equal(value, 1024);
    OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function("shared")));
    assert_in_range(value, 64, 256);
    hipFunction_t none = NULL;
    EXPECT(hipModuleGetFunction(&none, module, "nothing"), hipErrorNotFound);
    (void)hipGetLastError();
}

static void occupancy_is_told(void **state)
{
    int blocks = 0;
    int grid = 0;
    int block = 0;
    OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("empty"), 256, 0));
    assert_in_range(blocks, 1, 64);
    OK(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, function("empty"), 0, 0));
    assert_in_range(block, 64, 1024);
    assert_true(grid > 0);
}

static void impossible_launches_are_refused(void **state)
{
    hipFunction_t empty = function("empty");
    /* 5.2 has an error of its own for the shape. */
    EXPECT(hipModuleLaunchKernel(empty, 1, 1, 1, 4096, 1, 1, 0, NULL, NULL, NULL),
           HIP_BEFORE(5, 7) ? hipErrorInvalidConfiguration : hipErrorInvalidValue);
    assert_int_not_equal(hipModuleLaunchKernel(empty, 0, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL),
                         hipSuccess);
    assert_int_not_equal(hipModuleLaunchKernel(empty, 1, 1, 1, 64, 1, 1, 1 << 20, NULL, NULL, NULL),
                         hipSuccess);
    (void)hipGetLastError();
    OK(hipModuleLaunchKernel(empty, 2, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL));
    expect_launch((dim3){2, 1, 1}, (dim3){64, 1, 1});
}

static void cooperative_launches_arrive(void **state)
{
#if HIP_VERSION < 50500000
    skip();
#else
    NEEDS(hipModuleLaunchCooperativeKernel);
    OK(hipModuleLaunchCooperativeKernel(function("empty"), 2, 1, 1, 64, 1, 1, 0, NULL, NULL));
    expect_launch((dim3){2, 1, 1}, (dim3){64, 1, 1});
#endif
}

static void extended_launches_count_work_items(void **state)
{
#ifdef OWN_HEADERS
    skip(); /* their <hip/hip_ext.h> is for C++ alone */
#else
    NEEDS(hipExtModuleLaunchKernel);
    hipEvent_t start;
    hipEvent_t stop;
    float milliseconds = -1;
    OK(hipEventCreate(&start));
    OK(hipEventCreate(&stop));
    OK(hipExtModuleLaunchKernel(function("empty"), 192, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL, start,
                                stop, 0));
    OK(hipEventSynchronize(stop));
    expect_launch((dim3){3, 1, 1}, (dim3){64, 1, 1});
    OK(hipEventElapsedTime(&milliseconds, start, stop));
    assert_true(milliseconds >= 0 && milliseconds < 60000);
    OK(hipEventDestroy(start));
    OK(hipEventDestroy(stop));
#endif
}

static void bad_code_is_refused(void **state)
{
    hipModule_t bad = NULL;
    char text[256] = "this is no code object";
    REFUSED(hipModuleLoadData(&bad, text));
    REFUSED(hipModuleLoad(&bad, "/nonexistent/file.hsaco"));
#if HIP_VERSION >= 70000000
    if (HAS(hipLibraryLoadData)) {
        REFUSED(hipLibraryUnload(NULL));
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_computes),
        cmocka_unit_test(arguments_are_packed_by_params),
        cmocka_unit_test(arguments_are_passed_by_extra),
        cmocka_unit_test(variables_have_addresses_and_values),
        cmocka_unit_test(functions_have_attributes),
        cmocka_unit_test(occupancy_is_told),
        cmocka_unit_test(impossible_launches_are_refused),
        cmocka_unit_test(cooperative_launches_arrive),
        cmocka_unit_test(extended_launches_count_work_items),
        cmocka_unit_test(bad_code_is_refused),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
