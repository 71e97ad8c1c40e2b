/* SPDX-License-Identifier: MIT */
/* Modules, and launches whose arguments arrive byte by byte where the kernel looks for them. */
#include "gpu.h"

static const char source[] =
    "struct triple { char a; double b; short c; };\n"
    "__device__ int counter = 41;\n"
    "__device__ float table[16];\n"
    "__constant__ unsigned short limits[3] = {7, 8, 9};\n"
    "extern \"C\" __global__ void axpy(float a, const float *x, float *y, unsigned n)\n"
    "{ unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }\n"
    "extern \"C\" __global__ void mixed(char c, short s, int i, long l, float f, double d,\n"
    "                                   triple t, void *p, unsigned char last)\n"
    "{ if (p) *(long *)p = c + s + i + l + (long)f + (long)d + t.c + last; }\n"
    "extern \"C\" __global__ void empty() {}\n"
    "extern \"C\" __global__ __launch_bounds__(64) void shared() {\n"
    "  __shared__ int s[256]; s[threadIdx.x] = threadIdx.x; __syncthreads();\n"
    "  table[threadIdx.x & 15] = s[255 - threadIdx.x] + limits[threadIdx.x % 3] + counter; }\n";

static hipModule_t module;

static struct launch {
    int count;
    uint32_t grid[3], group[3];
    unsigned char kernarg[128];
} seen;

STAND_IN(axpy)
{
    struct {
        float a;
        const float *x;
        float *y;
        unsigned n;
    } arguments;
    memcpy(&arguments, kernarg, sizeof arguments);
    const float *x = reach(arguments.x);
    float *y = reach(arguments.y);
    for (uint32_t i = 0; i < grid[0] && i < arguments.n; i++) {
        y[i] += arguments.a * x[i];
    }
    memcpy(seen.grid, grid, sizeof seen.grid);
    memcpy(seen.group, group, sizeof seen.group);
    seen.count++;
}

/* char, short, int, long, float, double, {char, double, short}, pointer, uchar: 65 bytes */
STAND_IN(mixed)
{
    memcpy(seen.kernarg, kernarg, 65);
    memcpy(seen.grid, grid, sizeof seen.grid);
    memcpy(seen.group, group, sizeof seen.group);
    seen.count++;
}

STAND_IN(empty)
{
    (void)kernarg;
    memcpy(seen.grid, grid, sizeof seen.grid);
    memcpy(seen.group, group, sizeof seen.group);
    seen.count++;
}

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
    memset(&seen, 0, sizeof seen);
    OK(hipModuleLaunchKernel(function("axpy"), 4, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL));
    OK(hipDeviceSynchronize());
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.grid[0], 1024);
    assert_int_equal(seen.group[0], 256);
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
    memset(&got, 0, sizeof got);
    memcpy(&got, seen.kernarg, 65);
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
    assert_int_equal(seen.grid[0], 6 * 8);
    assert_int_equal(seen.grid[1], 5 * 4);
    assert_int_equal(seen.grid[2], 3 * 2);
    assert_int_equal(seen.group[0], 8);
    assert_int_equal(seen.group[1], 4);
    assert_int_equal(seen.group[2], 2);
}

static void arguments_are_packed_by_params(void **state)
{
    struct block block = some_block();
    OK(hipMalloc(&block.p, 64));
    void *arguments[] = {&block.c, &block.s, &block.i, &block.l,   &block.f,
                         &block.d, &block.t, &block.p, &block.last};
    memset(&seen, 0, sizeof seen);
    OK(hipModuleLaunchKernel(function("mixed"), 6, 5, 3, 8, 4, 2, 0, NULL, arguments, NULL));
    OK(hipDeviceSynchronize());
    assert_int_equal(seen.count, 1);
    expect_block(&block);
    OK(hipFree(block.p));
}

static void arguments_are_passed_by_extra(void **state)
{
    struct block block = some_block();
    size_t size = 65;
    OK(hipMalloc(&block.p, 64));
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &block, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    memset(&seen, 0, sizeof seen);
    OK(hipModuleLaunchKernel(function("mixed"), 6, 5, 3, 8, 4, 2, 0, NULL, NULL, extra));
    OK(hipDeviceSynchronize());
    assert_int_equal(seen.count, 1);
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
    OK(hipDeviceSynchronize());
}

static void cooperative_launches_arrive(void **state)
{
#if HIP_VERSION < 50500000
    skip();
#else
    NEEDS(hipModuleLaunchCooperativeKernel);
    memset(&seen, 0, sizeof seen);
    OK(hipModuleLaunchCooperativeKernel(function("empty"), 2, 1, 1, 64, 1, 1, 0, NULL, NULL));
    OK(hipDeviceSynchronize());
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.grid[0], 128);
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
    memset(&seen, 0, sizeof seen);
    OK(hipExtModuleLaunchKernel(function("empty"), 192, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL, start,
                                stop, 0));
    OK(hipEventSynchronize(stop));
    OK(hipDeviceSynchronize());
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.grid[0], 192);
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
