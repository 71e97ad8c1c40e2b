/* SPDX-License-Identifier: MIT */
/*
 * Groups and waves wait for each other: at a barrier of the grid, which the device library has for
 * cooperative groups, and in loops that read memory or LDS until another has written there.  Each
 * step of a kernel uses what other groups computed in the step before.
 */
#include "registered.h"

enum { STEPS = 6, THREADS = 128 };

static const char source[] =
    "extern \"C\" __device__ void __ockl_grid_sync(void);\n"
    "extern \"C\" __device__ void __ockl_multi_grid_sync(void);\n"
    "#define READ(p) __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)\n"
    /* Waits as long as a counter in memory says that groups are missing. */
    "__device__ unsigned arrive(unsigned *count, unsigned wanted, bool counts, bool sleeps) {\n"
    "    unsigned loops = 0;\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0) {\n"
    "        __threadfence();\n"
    "        atomicAdd(count, 1);\n"
    "        while (READ(count) < wanted) {\n"
    "            if (counts) loops++;\n"
    "            if (sleeps) __builtin_amdgcn_s_sleep(1);\n"
    "        }\n"
    "    }\n"
    "    __syncthreads();\n"
    "    return loops;\n"
    "}\n"
    "template <typename F> __device__ void steps(unsigned *p, F barrier) {\n"
    "    unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    unsigned *a = p + 16, *b = a + n;\n"
    "    for (unsigned r = 0; r < 6; r++) {\n"
    "        b[i] = a[i] * 3 + r + i;\n"
    "        barrier();\n"
    "        a[i] = b[i] + b[(i + blockDim.x) % n] + b[n - 1 - i];\n"
    "        barrier();\n"
    "    }\n"
    "}\n"
    "extern \"C\" __global__ void grid(unsigned *p) { steps(p, [] { __ockl_grid_sync(); }); }\n"
    "extern \"C\" __global__ void multi(unsigned *p) {\n"
    "    steps(p, [] { __ockl_multi_grid_sync(); }); }\n"
    "extern \"C\" __global__ void by_hand(unsigned *p) {\n"
    "    unsigned turn = 0;\n"
    "    steps(p, [&] { arrive(p, ++turn * gridDim.x, false, false); }); }\n"
    "extern \"C\" __global__ void sleeping(unsigned *p) {\n"
    "    unsigned turn = 0, loops = 0;\n"
    "    steps(p, [&] { loops += arrive(p, ++turn * gridDim.x, turn & 1, true); });\n"
    "    if (loops == ~0u) p[1] = 1; }\n"
    "extern \"C\" __global__ void counting(unsigned *p) {\n"
    "    unsigned turn = 0, loops = 0;\n"
    "    steps(p, [&] { loops += arrive(p, ++turn * gridDim.x, true, false); });\n"
    "    if (loops == ~0u) p[1] = 1; }\n"
    /* The first wave of a group waits for the last one in LDS, and one wave ends early. */
    "extern \"C\" __global__ void waves(unsigned *p) {\n"
    "    __shared__ volatile unsigned passed;\n"
    "    unsigned lanes = warpSize;\n"
    "    unsigned wave = threadIdx.x / lanes, count = blockDim.x / lanes;\n"
    "    if (threadIdx.x == 0) passed = count - 1;\n"
    "    __syncthreads();\n"
    "    if (wave == 1) return;\n"
    "    for (unsigned r = 0; r < 6; r++) {\n"
    "        unsigned next = wave == 0 ? count - 1 : wave == 2 ? 0 : wave - 1;\n"
    "        while (passed != wave) ;\n"
    "        p[16 + blockIdx.x * blockDim.x + threadIdx.x] += passed + r;\n"
    "        if (threadIdx.x % lanes == 0) passed = next;\n"
    "        __syncthreads();\n"
    "    }\n"
    "}\n";

static char grid_address, multi_address, by_hand_address, sleeping_address, counting_address,
    waves_address;

static const struct {
    void *address;
    const char *name;
} kernels[] = {
    {&grid_address, "grid"},         {&multi_address, "multi"},       {&by_hand_address, "by_hand"},
    {&sleeping_address, "sleeping"}, {&counting_address, "counting"}, {&waves_address, "waves"},
};

/* Words for counters and two numbers for each work-item, all zeros. */
static void *words_of(unsigned groups, size_t *size)
{
    void *memory = NULL;
    *size = (16 + (size_t)groups * THREADS * 2) * sizeof(uint32_t);
    OK(hipMalloc(&memory, *size));
    OK(hipMemset(memory, 0, *size));
    return memory;
}

/* What the kernel left must be what the host computes. */
static void expect_steps(void *memory, size_t size, unsigned groups)
{
    unsigned n = groups * THREADS;
    uint32_t *got = malloc(size), *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
    assert_true(got && a && b);
    OK(hipDeviceSynchronize());
    OK(hipMemcpy(got, memory, size, hipMemcpyDeviceToHost));
    for (unsigned r = 0; r < STEPS; r++) {
        for (unsigned i = 0; i < n; i++) {
            b[i] = a[i] * 3 + r + i;
        }
        for (unsigned i = 0; i < n; i++) {
            a[i] = b[i] + b[(i + THREADS) % n] + b[n - 1 - i];
        }
    }
    assert_memory_equal(got + 16, a, n * sizeof *a);
    OK(hipFree(memory));
    free(got);
    free(a);
    free(b);
}

static void run_cooperatively(const void *kernel, unsigned groups)
{
    size_t size;
    void *memory = words_of(groups, &size);
    dim3 grid = {groups, 1, 1}, threads = {THREADS, 1, 1};
    OK(hipLaunchCooperativeKernel(kernel, grid, threads, (void *[]){&memory}, 0, NULL));
    expect_steps(memory, size, groups);
}

static void the_grid_has_a_barrier(void **state)
{
    int units = 0, per_unit = 0;
    run_cooperatively(&grid_address, 1);
    run_cooperatively(&grid_address, 37);
    OK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, &grid_address, THREADS, 0));
    run_cooperatively(&grid_address, (unsigned)(units * per_unit)); /* the most that are allowed */
}

static void a_module_has_a_barrier_of_the_grid(void **state)
{
    NEEDS(hipModuleLaunchCooperativeKernel);
    size_t size;
    void *memory = words_of(37, &size);
    hipModule_t module = module_of(source);
    hipFunction_t function;
    OK(hipModuleGetFunction(&function, module, "grid"));
    OK(hipModuleLaunchCooperativeKernel(function, 37, 1, 1, THREADS, 1, 1, 0, NULL,
                                        (void *[]){&memory}));
    expect_steps(memory, size, 37);
    OK(hipModuleUnload(module));
}

static void several_grids_have_a_barrier(void **state)
{
    size_t size;
    void *memory = words_of(20, &size), *arguments[] = {&memory};
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    hipLaunchParams launch = {&multi_address, {20, 1, 1}, {THREADS, 1, 1}, arguments, 0, stream};
    OK(hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    OK(hipStreamSynchronize(stream));
    expect_steps(memory, size, 20);
    OK(hipStreamDestroy(stream));
}

static void groups_wait_in_loops(void **state)
{
    run_cooperatively(&by_hand_address, 150);
    run_cooperatively(&sleeping_address, 150);
    run_cooperatively(&counting_address, 5);
}

/* A launch that is not cooperative has as many groups at a time as the hardware. */
static void groups_of_any_launch_wait_for_later_ones(void **state)
{
    size_t size;
    void *memory = words_of(150, &size);
    dim3 grid = {150, 1, 1}, threads = {THREADS, 1, 1};
    OK(hipLaunchKernel(&by_hand_address, grid, threads, (void *[]){&memory}, 0, NULL));
    expect_steps(memory, size, 150);
}

static void waves_wait_for_waves(void **state)
{
    enum { GROUPS = 8, ITEMS = 256 };
    size_t size;
    int lanes = 0;
    OK(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0));
    void *memory = words_of(GROUPS * ITEMS / THREADS, &size);
    dim3 grid = {GROUPS, 1, 1}, threads = {ITEMS, 1, 1};
    uint32_t *got = malloc(size);
    assert_non_null(got);
    OK(hipLaunchKernel(&waves_address, grid, threads, (void *[]){&memory}, 0, NULL));
    OK(hipDeviceSynchronize());
    OK(hipMemcpy(got, memory, size, hipMemcpyDeviceToHost));
    for (unsigned i = 0; i < GROUPS * ITEMS; i++) {
        unsigned wave = i % ITEMS / (unsigned)lanes;
        assert_int_equal(got[16 + i], wave == 1 ? 0 : wave * STEPS + STEPS * (STEPS - 1) / 2);
    }
    OK(hipFree(memory));
    free(got);
}

static int begin(void **state)
{
    register_program(source);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        register_kernel(kernels[i].address, kernels[i].name);
    }
    return 0;
}

static int end(void **state)
{
    unregister_program();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grid_has_a_barrier),
        cmocka_unit_test(a_module_has_a_barrier_of_the_grid),
        cmocka_unit_test(several_grids_have_a_barrier),
        cmocka_unit_test(groups_wait_in_loops),
        cmocka_unit_test(groups_of_any_launch_wait_for_later_ones),
        cmocka_unit_test(waves_wait_for_waves),
    };
    return cmocka_run_group_tests_name("groups wait for each other", tests, begin, end);
}
