/* SPDX-License-Identifier: MIT */
/* Kernels launched by the host's address for them, in every way there is; their arguments arrive.
 */
#include "registered.h"

static const char source[] =
    "struct record { int value; unsigned items, lasts, blocks[3], threads[3]; };\n"
    "extern \"C\" __global__ void store(record *where, int value) {\n"
    "  atomicAdd(&where->items, 1u);\n"
    "  if (blockIdx.x < gridDim.x - 1 || blockIdx.y < gridDim.y - 1\n"
    "      || threadIdx.x < blockDim.x - 1) return;\n"
    "  where->value = value;\n"
    "  where->lasts++;\n"
    "  where->blocks[0] = gridDim.x; where->blocks[1] = gridDim.y; where->blocks[2] = gridDim.z;\n"
    "  where->threads[0] = blockDim.x; where->threads[1] = blockDim.y;\n"
    "  where->threads[2] = blockDim.z; }\n"
    "extern \"C\" __global__ void nothing() {}\n";

/* What the work-items of a launch leave in memory.  Only the last of them comes to `value`. */
struct record {
    int value;
    unsigned items, lasts, blocks[3], threads[3];
};

static char store; /* the host's address of the kernel */
static char nothing;
static struct record *memory;
static hipFunction_t module_function;
static hipModule_t module;
static const dim3 blocks = {2, 3, 1};
static const dim3 threads = {64, 1, 1};

static int set_up(void **state)
{
    register_program(source);
    register_kernel(&store, "store");
    register_kernel(&nothing, "nothing");
    OK(hipMalloc((void **)&memory, sizeof *memory));
    OK(hipMemset(memory, 0, sizeof *memory));
    module = module_of(source);
    OK(hipModuleGetFunction(&module_function, module, "store"));
    return 0;
}

static int tear_down(void **state)
{
    OK(hipModuleUnload(module));
    OK(hipFree(memory));
    unregister_program();
    return 0;
}

static void expect_launch(int value)
{
    const struct record wanted = {value, 2 * 3 * 64, 1, {2, 3, 1}, {64, 1, 1}};
    OK(hipDeviceSynchronize());
    expect_device_bytes(memory, &wanted, sizeof wanted);
    OK(hipMemset(memory, 0, sizeof *memory));
    OK(hipDeviceSynchronize());
}

static void by_its_address(void **state)
{
    int value = 41;
    void *arguments[] = {&memory, &value};
    OK(hipLaunchKernel(&store, blocks, threads, arguments, 0, NULL));
    expect_launch(41);
    value = 42;
    OK(hipLaunchKernel_spt(&store, blocks, threads, arguments, 0, NULL));
    expect_launch(42);
    value = 43;
    OK(hipExtLaunchKernel(&store, blocks, threads, arguments, 0, NULL, NULL, NULL, 0));
    expect_launch(43);
    if (HIP_BEFORE(7, 0)) { /* 7.2 looks through an address it does not know */
        EXPECT(hipLaunchKernel(&value, blocks, threads, arguments, 0, NULL),
               hipErrorInvalidDeviceFunction);
        (void)hipGetLastError();
    }
}

static void cooperatively(void **state)
{
    int value = 51;
    void *arguments[] = {&memory, &value};
    OK(hipLaunchCooperativeKernel(&store, blocks, threads, arguments, 0, NULL));
    expect_launch(51);
    value = 52;
    OK(hipLaunchCooperativeKernel_spt(&store, blocks, threads, arguments, 0, NULL));
    expect_launch(52);
}

static void on_several_devices(void **state)
{
    int value = 61;
    void *arguments[] = {&memory, &value};
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    hipLaunchParams launch = {&store, blocks, threads, arguments, 0, stream};
    OK(hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    OK(hipStreamSynchronize(stream));
    expect_launch(61);
    value = 62;
    OK(hipExtLaunchMultiKernelMultiDevice(&launch, 1, 0));
    OK(hipStreamSynchronize(stream));
    expect_launch(62);
    OK(hipStreamDestroy(stream));
}

static void functions_on_several_devices(void **state)
{
    NEEDS(hipModuleLaunchCooperativeKernelMultiDevice);
    int value = 63;
    void *arguments[] = {&memory, &value};
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    hipFunctionLaunchParams launch = {
        module_function, 2, 3, 1, 64, 1, 1, 0, stream, arguments,
    };
    OK(hipModuleLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    OK(hipStreamSynchronize(stream));
    expect_launch(63);
    OK(hipStreamDestroy(stream));
}

static void argument_by_argument(void **state)
{
    int value = 71;
    OK(hipConfigureCall(blocks, threads, 0, NULL));
    OK(hipSetupArgument(&memory, sizeof(void *), 0));
    OK(hipSetupArgument(&value, sizeof value, 8));
    OK(hipLaunchByPtr(&store));
    expect_launch(71);
}

static void configurations_are_pushed_and_popped(void **state)
{
    dim3 grid = {0, 0, 0};
    dim3 block = {0, 0, 0};
    size_t shared = 0;
    hipStream_t stream = NULL;
    hipStream_t got = NULL;
    OK(hipStreamCreate(&stream));
    OK(__hipPushCallConfiguration(blocks, threads, 123, stream));
    OK(__hipPopCallConfiguration(&grid, &block, &shared, &got));
    assert_int_equal(grid.x, 2);
    assert_int_equal(grid.y, 3);
    assert_int_equal(block.x, 64);
    assert_int_equal(shared, 123);
    assert_ptr_equal(got, stream);
    OK(hipStreamDestroy(stream));
}

static void with_attributes(void **state)
{
    int value = 81;
    void *arguments[] = {&memory, &value};
    hipLaunchAttribute attribute;
    memset(&attribute, 0, sizeof attribute);
    attribute.id = hipLaunchAttributeCooperative;
    attribute.value.cooperative = 1;
    hipLaunchConfig_t config = {
        .gridDim = blocks, .blockDim = threads, .attrs = &attribute, .numAttrs = 1};
    OK(hipLaunchKernelExC(&config, &store, arguments));
    expect_launch(81);
    value = 82;
    HIP_LAUNCH_CONFIG driver;
    memset(&driver, 0, sizeof driver);
    driver.gridDimX = 2;
    driver.gridDimY = 3;
    driver.gridDimZ = 1;
    driver.blockDimX = 64;
    driver.blockDimY = 1;
    driver.blockDimZ = 1;
    driver.attrs = &attribute;
    driver.numAttrs = 1;
    if (HAS(hipModuleLaunchCooperativeKernel)) {
        OK(hipDrvLaunchKernelEx(&driver, module_function, arguments, NULL));
        expect_launch(82);
    }
    value = 83;
    config.numAttrs = driver.numAttrs = 0;
    OK(hipLaunchKernelExC(&config, &store, arguments));
    expect_launch(83);
    value = 84;
    OK(hipDrvLaunchKernelEx(&driver, module_function, arguments, NULL));
    expect_launch(84);
}

/* 7.2 itself answers so, and hipshim before it.  7.14 launches cooperatively. */
static void odd_configurations_are_refused(void **state)
{
    int value = 85;
    void *arguments[] = {&memory, &value};
    hipLaunchAttribute attribute;
    memset(&attribute, 0, sizeof attribute);
    hipLaunchConfig_t config = {
        .gridDim = blocks, .blockDim = threads, .attrs = &attribute, .numAttrs = 1};
    EXPECT(hipLaunchKernelExC(NULL, &store, arguments), hipErrorInvalidConfiguration);
    hipError_t of_old = hipErrorInvalidConfiguration;
    attribute.id = hipLaunchAttributeCooperative;
    EXPECT(hipLaunchKernelExC(&config, &store, arguments), HIP_BEFORE(7, 14) ? of_old : hipSuccess);
    OK(hipDeviceSynchronize());
    OK(hipMemset(memory, 0, sizeof *memory));
    attribute.id = hipLaunchAttributePriority;
    hipError_t wanted = HIP_BEFORE(7, 14) ? of_old : hipErrorInvalidValue;
    EXPECT(hipLaunchKernelExC(&config, &store, arguments), wanted);
    attribute.id = (hipLaunchAttributeID)99;
    EXPECT(hipLaunchKernelExC(&config, &store, arguments), wanted);
    /* Of hipshim's own errors, the runtime records two only (doc/behaviour.md). */
    EXPECT(hipGetLastError(), HIP_BEFORE(7, 0) ? hipErrorNotSupported : wanted);
    config.numAttrs = 0;
    config.gridDim.y = 0;
    EXPECT(hipLaunchKernelExC(&config, &store, arguments), hipErrorInvalidConfiguration);
    config.gridDim.y = 3;
    config.blockDim.x = 4096;
    EXPECT(hipLaunchKernelExC(&config, &store, arguments), hipErrorInvalidConfiguration);
    EXPECT(hipDrvLaunchKernelEx(NULL, module_function, arguments, NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void by_the_older_extension(void **state)
{
    int value = 91;
    void *arguments[] = {&memory, &value};
    OK(hipHccModuleLaunchKernel(module_function, 128, 3, 1, 64, 1, 1, 0, NULL, arguments, NULL,
                                NULL, NULL));
    expect_launch(91);
}

static void kernels_have_names(void **state)
{
    hipFunction_t found = NULL;
    assert_string_equal(hipKernelNameRef(module_function), "store");
    assert_string_equal(hipKernelNameRefByPtr(&store, NULL), "store");
    if (HAS(hipGetFuncBySymbol)) {
        OK(hipGetFuncBySymbol(&found, &store));
        assert_string_equal(hipKernelNameRef(found), "store");
    }
}

static void kernels_have_attributes(void **state)
{
    struct hipFuncAttributes got;
    memset(&got, 0xa5, sizeof got);
    OK(hipFuncGetAttributes(&got, &store));
    assert_in_range(got.maxThreadsPerBlock, 64, 1024);
    assert_int_equal(got.sharedSizeBytes, 0);
    assert_int_equal(got.localSizeBytes, 0);
    assert_in_range(got.numRegs, 1, 512);
    OK(hipFuncSetAttribute(&store, hipFuncAttributeMaxDynamicSharedMemorySize, 1024));
    OK(hipFuncSetCacheConfig(&store, hipFuncCachePreferL1));
    OK(hipFuncSetSharedMemConfig(&store, hipSharedMemBankSizeFourByte));
    EXPECT(hipFuncGetAttributes(&got, &got), hipErrorInvalidSymbol);
    (void)hipGetLastError();
}

static void occupancy_is_told(void **state)
{
    int count = 0;
    int grid = 0;
    int block = 0;
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&count, &store, 256, 0));
    assert_in_range(count, 1, 64);
    int wanted = count;
    count = 0;
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, &store, 256, 0,
                                                             hipOccupancyDefault));
    assert_int_equal(count, wanted);
    OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, &store, 0, 0));
    assert_in_range(block, 64, 1024);
    count = 0;
    OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, module_function, 256, 0,
                                                                   hipOccupancyDefault));
    assert_int_equal(count, wanted);
    wanted = block;
    block = 0;
    OK(hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, module_function, 0, 0,
                                                        hipOccupancyDefault));
    assert_int_equal(block, wanted);
    if (HAS(hipOccupancyAvailableDynamicSMemPerBlock)) {
        size_t size = 0;
        OK(hipOccupancyAvailableDynamicSMemPerBlock(&size, &store, 2, 256));
        assert_in_range(size, 1, 65536);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_its_address),
        cmocka_unit_test(cooperatively),
        cmocka_unit_test(on_several_devices),
        cmocka_unit_test(functions_on_several_devices),
        cmocka_unit_test(argument_by_argument),
        cmocka_unit_test(configurations_are_pushed_and_popped),
        cmocka_unit_test(with_attributes),
        cmocka_unit_test(odd_configurations_are_refused),
        cmocka_unit_test(odd_configurations_are_refused),
        cmocka_unit_test(by_the_older_extension),
        cmocka_unit_test(kernels_have_names),
        cmocka_unit_test(kernels_have_attributes),
        cmocka_unit_test(occupancy_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
