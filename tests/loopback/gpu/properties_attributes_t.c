/* SPDX-License-Identifier: MIT */
/*
 * Properties and attributes of the device, in the one structure and the one
 * numbering of the stable headers whatever the release's are.  The values are
 * those that src/loopback/agents.c gives, each unlike its neighbours.
 */
#include "gpu.h"

static void properties_are_the_devices(void **state)
{
    (void)state;
    hipDeviceProp_t p;
    memset(&p, 0xa5, sizeof p);
    OK(hipGetDeviceProperties(&p, 0));
    assert_string_equal(p.name, "Loopback GPU");
    assert_true(!strncmp(p.gcnArchName, "gfx90a", 6));
    assert_int_equal(p.totalGlobalMem, (size_t)16 << 30);
    assert_int_equal(p.sharedMemPerBlock, 65536);
    assert_int_equal(p.warpSize, 64);
    assert_int_equal(p.maxThreadsPerBlock, 1024);
    assert_int_equal(p.maxThreadsDim[0], 1024);
    assert_int_equal(p.maxThreadsDim[2], 1024);
    assert_int_equal(p.clockRate, 1700000);
    assert_int_equal(p.memoryClockRate, 1600000);
    assert_int_equal(p.memoryBusWidth, 4096);
    assert_int_equal(p.multiProcessorCount, 104);
    assert_int_equal(p.l2CacheSize, 8388608);
    assert_int_equal(p.maxThreadsPerMultiProcessor, 2048);
    assert_int_equal(p.major, 9);
    assert_int_equal(p.minor, 0);
    assert_int_equal(p.pciBusID, 0x11);
    assert_int_equal(p.pciDeviceID, 0);
    hipUUID uuid;
    OK(hipDeviceGetUuid(&uuid, 0));
    assert_memory_equal(&p.uuid, &uuid, sizeof uuid);
    assert_int_not_equal(uuid.bytes[0], 0);
}

static void questions_for_support_have_answers(void **state)
{
    (void)state;
    const hipDeviceAttribute_t asked[] = {
        hipDeviceAttributeHostRegisterSupported, hipDeviceAttributeHandleTypeFabricSupported,
        hipDeviceAttributeMemoryPoolsSupported, hipDeviceAttributeMemoryPoolSupportedHandleTypes,
        hipDeviceAttributeVirtualMemoryManagementSupported};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        int value = -77;
        OK(hipDeviceGetAttribute(&value, asked[i], 0));
        assert_int_not_equal(value, -77);
        OK(hipGetLastError());
    }
    int value;
    EXPECT(hipDeviceGetAttribute(&value, asked[0], 99), hipErrorInvalidDevice);
    EXPECT(hipDeviceGetAttribute(NULL, asked[0], 0), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void properties_of_what_it_can_are_too(void **state)
{
    (void)state;
    hipDeviceProp_t p;
    memset(&p, 0xa5, sizeof p);
    OK(hipGetDeviceProperties(&p, 0));
    assert_int_equal(p.concurrentKernels, 1);
    assert_int_equal(p.canMapHostMemory, 1);
    assert_int_equal(p.integrated, 0);
    assert_int_equal(p.cooperativeLaunch, 1);
    assert_int_equal(p.maxTexture1D, 16384);
    assert_int_equal(p.maxTexture2D[0], 16384);
    assert_int_equal(p.maxTexture2D[1], 16385);
    assert_int_equal(p.maxTexture3D[0], 2048);
    assert_int_equal(p.maxTexture3D[1], 2049);
    assert_int_equal(p.maxTexture3D[2], 2050);
    assert_int_equal(p.textureAlignment, 256);
    assert_int_equal(p.arch.hasDoubles, 1);
    assert_int_equal(p.arch.hasGlobalInt32Atomics, 1);
    assert_true(p.isLargeBar);
}

static const struct expected {
    hipDeviceAttribute_t attribute;
    int value;
    int since;
} expected[] = {
    {hipDeviceAttributeMaxThreadsPerBlock, 1024, 0},
    {hipDeviceAttributeMaxBlockDimX, 1024, 0},
    {hipDeviceAttributeMaxBlockDimZ, 1024, 0},
    {hipDeviceAttributeMaxGridDimX, 2147483647, 0},
    {hipDeviceAttributeMaxSharedMemoryPerBlock, 65536, 0},
    {hipDeviceAttributeWarpSize, 64, 0},
    {hipDeviceAttributeClockRate, 1700000, 0},
    {hipDeviceAttributeMemoryClockRate, 1600000, 0},
    {hipDeviceAttributeMemoryBusWidth, 4096, 0},
    {hipDeviceAttributeMultiprocessorCount, 104, 0},
    {hipDeviceAttributeL2CacheSize, 8388608, 0},
    {hipDeviceAttributeMaxThreadsPerMultiProcessor, 2048, 0},
    {hipDeviceAttributeComputeCapabilityMajor, 9, 0},
    {hipDeviceAttributeComputeCapabilityMinor, 0, 0},
    {hipDeviceAttributeConcurrentKernels, 1, 0},
    {hipDeviceAttributePciBusId, 0x11, 0},
    {hipDeviceAttributePciDeviceId, 0, 0},
    {hipDeviceAttributeIntegrated, 0, 0},
    {hipDeviceAttributeMaxTexture1DWidth, 16384, 0},
    {hipDeviceAttributeMaxTexture2DWidth, 16384, 0},
    {hipDeviceAttributeMaxTexture2DHeight, 16385, 0},
    {hipDeviceAttributeMaxTexture3DWidth, 2048, 0},
    {hipDeviceAttributeMaxTexture3DHeight, 2049, 0},
    {hipDeviceAttributeMaxTexture3DDepth, 2050, 0},
    {hipDeviceAttributeCooperativeLaunch, 1, 0},
    {hipDeviceAttributeManagedMemory, 1, 0},
    {hipDeviceAttributeCanMapHostMemory, 1, 0},
    {hipDeviceAttributeTextureAlignment, 256, 0},
    {hipDeviceAttributeIsLargeBar, 1, 600}, /* HIP 5 does not answer it */
    {hipDeviceAttributeWallClockRate, 100000, 507},
};

static void attributes_are_the_devices(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        int value = -12345;
        if (hip_release() < expected[i].since) {
            continue;
        }
        hipError_t error = hipDeviceGetAttribute(&value, expected[i].attribute, 0);
        if (error != hipSuccess || value != expected[i].value) {
            fail_msg("attribute %d: error %d, value %d, not %d", (int)expected[i].attribute, error,
                     value, expected[i].value);
        }
    }
}

/* Each number there may be: a value, or a refusal that leaves the value alone. */
static void every_attribute_answers_or_refuses(void **state)
{
    (void)state;
    int answered = 0;
    for (int id = 0; id < 10300; id++) {
        int value = -12345;
        hipError_t error = hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)id, 0);
        answered += error == hipSuccess;
        if ((error == hipSuccess) == (value == -12345)) {
            fail_msg("attribute %d: error %d, value %d", id, error, value);
        }
    }
    (void)hipGetLastError();
    assert_int_equal(answered, HIP_BEFORE(5, 7)   ? 68
                               : HIP_BEFORE(6, 0) ? 70
                               : HIP_BEFORE(7, 0) ? 90
                                                  : 94);
}

static void unknown_attributes_are_refused(void **state)
{
    (void)state;
    int value = -12345;
    assert_int_not_equal(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)9999, 0), hipSuccess);
    assert_int_equal(value, -12345);
    EXPECT(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 64), hipErrorInvalidDevice);
    EXPECT(hipGetDeviceProperties(NULL, 0), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void names_and_sizes_agree(void **state)
{
    (void)state;
    char name[100];
    char bus[64];
    size_t total = 0;
    int major = 0;
    int minor = 0;
    int device = -1;
    OK(hipDeviceGetName(name, sizeof name, 0));
    assert_string_equal(name, "Loopback GPU");
    OK(hipDeviceTotalMem(&total, 0));
    assert_int_equal(total, (size_t)16 << 30);
    OK(hipDeviceComputeCapability(&major, &minor, 0));
    assert_int_equal(major, 9);
    OK(hipDeviceGetPCIBusId(bus, sizeof bus, 0));
    OK(hipDeviceGetByPCIBusId(&device, bus));
    assert_int_equal(device, 0);
}

/* The structure goes in: what was asked for must arrive. */
static void a_device_is_chosen(void **state)
{
    (void)state;
    hipDeviceProp_t wanted;
    int device = -1;
    memset(&wanted, 0, sizeof wanted);
    wanted.major = 9;
    OK(hipChooseDevice(&device, &wanted));
    assert_int_equal(device, 0);
    device = -1;
    OK(hipGetDeviceProperties(&wanted, 0));
    OK(hipChooseDevice(&device, &wanted));
    assert_int_equal(device, 0);
}

static void limits_are_told(void **state)
{
    (void)state;
    size_t heap = 0;
    OK(hipDeviceGetLimit(&heap, hipLimitMallocHeapSize));
    assert_true(heap > 0);
}

static void names_of_errors_are_there(void **state)
{
    (void)state;
    assert_string_equal(hipGetErrorName(hipErrorInvalidValue), "hipErrorInvalidValue");
    /* 5.2 has no words for errors, only names. */
    assert_string_equal(hipGetErrorString(hipSuccess),
                        HIP_BEFORE(5, 7) ? "hipSuccess" : "no error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_the_devices),
        cmocka_unit_test(questions_for_support_have_answers),
        cmocka_unit_test(properties_of_what_it_can_are_too),
        cmocka_unit_test(attributes_are_the_devices),
        cmocka_unit_test(every_attribute_answers_or_refuses),
        cmocka_unit_test(unknown_attributes_are_refused),
        cmocka_unit_test(names_and_sizes_agree),
        cmocka_unit_test(a_device_is_chosen),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(names_of_errors_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
