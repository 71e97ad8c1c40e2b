/* SPDX-License-Identifier: MIT */
/*
 * Properties and attributes of the device, in the structure and the numbering of the headers,
 * whatever those of the runtime are.  The values are those that src/loopback/agents.c gives, each
 * unlike its neighbours.
 */
#include "gpu.h"

static void nothing_after_the_properties_is_written_to(void **state)
{
    static struct {
        hipDeviceProp_t properties;
        unsigned char after[2048];
    } got;
    memset(&got, 0x5a, sizeof got);
    OK(hipGetDeviceProperties(&got.properties, 0));
    for (size_t i = 0; i < sizeof got.after; i++) {
        assert_int_equal(got.after[i], 0x5a);
    }
    assert_int_not_equal(got.properties.isMultiGpuBoard, 0x5a5a5a5a);
}

/* Those that have an attribute of their own are compared with it below. */
static void properties_are_the_devices(void **state)
{
    hipDeviceProp_t p;
    memset(&p, 0xa5, sizeof p);
    OK(hipGetDeviceProperties(&p, 0));
    assert_string_equal(p.name, "Loopback GPU");
    assert_true(!strncmp(p.gcnArchName, "gfx90a", 6));
    assert_int_equal(p.totalGlobalMem, (size_t)16 << 30);
    assert_int_equal(p.arch.hasDoubles, 1);
    assert_int_equal(p.arch.hasGlobalInt32Atomics, 1);
    assert_true(p.isLargeBar);
    int registers = 0;
    OK(hipDeviceGetAttribute(&registers, hipDeviceAttributeMaxRegistersPerBlock, 0));
    assert_int_equal(p.regsPerBlock, registers);
    assert_true(registers >= 65536);
    hipUUID uuid;
    OK(hipDeviceGetUuid(&uuid, 0));
#if HIP_VERSION >= 60000000
    assert_memory_equal(&p.uuid, &uuid, sizeof uuid);
#endif
    assert_int_not_equal(uuid.bytes[0], 0);
}

static void questions_for_support_have_answers(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    const hipDeviceAttribute_t asked[] = {
#if HIP_VERSION >= 71400000
        hipDeviceAttributeHandleTypeFabricSupported,
#endif
        hipDeviceAttributeHostRegisterSupported,
        hipDeviceAttributeMemoryPoolsSupported,
        hipDeviceAttributeStreamPrioritiesSupported,
        hipDeviceAttributeVirtualMemoryManagementSupported
    };
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
#endif
}

/* The device has priorities and registers host memory on every release. */
static void what_every_release_does_is_supported(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    int value = 0;
    OK(hipDeviceGetAttribute(&value, hipDeviceAttributeStreamPrioritiesSupported, 0));
    assert_int_equal(value, 1);
    OK(hipDeviceGetAttribute(&value, hipDeviceAttributeHostRegisterSupported, 0));
    assert_int_equal(value, 1);
    hipDeviceProp_t p;
    OK(hipGetDeviceProperties(&p, 0));
    assert_int_equal(p.unifiedAddressing, !HIP_BEFORE(5, 7)); /* 5.2 does not answer it */
    assert_int_equal(p.ipcEventSupported, 1);
#endif
}

/* AMD's own 5.x answers an error, because hipshim cannot know either. */
static void what_nobody_knows_is_an_error(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    const hipDeviceAttribute_t asked[] = {
        hipDeviceAttributeHostNativeAtomicSupported, hipDeviceAttributeGlobalL1CacheSupported,
        hipDeviceAttributeLocalL1CacheSupported, hipDeviceAttributeMemoryPoolSupportedHandleTypes};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        int value = -77;
        EXPECT(hipDeviceGetAttribute(&value, asked[i], 0),
               HIP_BEFORE(6, 0) ? hipErrorInvalidValue : hipSuccess);
    }
    (void)hipGetLastError();
    hipDeviceProp_t p;
    memset(&p, 0xa5, sizeof p);
    OK(hipGetDeviceProperties(&p, 0));
    assert_int_equal(p.hostNativeAtomicSupported, !HIP_BEFORE(6, 0));
#endif
}

#define PAIR(attribute, member)                                                                    \
    {                                                                                              \
#member, hipDeviceAttribute##attribute, offsetof(hipDeviceProp_t, member),                 \
            sizeof((hipDeviceProp_t *)0)->member                                                   \
    }

/* Every member that has an attribute of its own. */
static const struct pair {
    const char *member;
    hipDeviceAttribute_t attribute;
    size_t offset, size;
} pairs[] = {
    PAIR(AsicRevision, asicRevision),
    PAIR(CanMapHostMemory, canMapHostMemory),
    PAIR(ClockInstructionRate, clockInstructionRate),
    PAIR(ClockRate, clockRate),
    PAIR(ComputeCapabilityMajor, major),
    PAIR(ComputeCapabilityMinor, minor),
    PAIR(ComputeMode, computeMode),
    PAIR(ConcurrentKernels, concurrentKernels),
    PAIR(ConcurrentManagedAccess, concurrentManagedAccess),
    PAIR(CooperativeLaunch, cooperativeLaunch),
    PAIR(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    PAIR(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    PAIR(EccEnabled, ECCEnabled),
    PAIR(Integrated, integrated),
    PAIR(IsLargeBar, isLargeBar),
    PAIR(IsMultiGpuBoard, isMultiGpuBoard),
    PAIR(KernelExecTimeout, kernelExecTimeoutEnabled),
    PAIR(L2CacheSize, l2CacheSize),
    PAIR(ManagedMemory, managedMemory),
    PAIR(MaxBlockDimX, maxThreadsDim[0]),
    PAIR(MaxBlockDimY, maxThreadsDim[1]),
    PAIR(MaxBlockDimZ, maxThreadsDim[2]),
    PAIR(MaxGridDimX, maxGridSize[0]),
    PAIR(MaxGridDimY, maxGridSize[1]),
    PAIR(MaxGridDimZ, maxGridSize[2]),
    PAIR(MaxRegistersPerBlock, regsPerBlock),
    PAIR(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    PAIR(MaxSharedMemoryPerMultiprocessor, maxSharedMemoryPerMultiProcessor),
    PAIR(MaxTexture1DLinear, maxTexture1DLinear),
    PAIR(MaxTexture1DWidth, maxTexture1D),
    PAIR(MaxTexture2DHeight, maxTexture2D[1]),
    PAIR(MaxTexture2DWidth, maxTexture2D[0]),
    PAIR(MaxTexture3DDepth, maxTexture3D[2]),
    PAIR(MaxTexture3DHeight, maxTexture3D[1]),
    PAIR(MaxTexture3DWidth, maxTexture3D[0]),
    PAIR(MaxThreadsPerBlock, maxThreadsPerBlock),
    PAIR(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    PAIR(MemoryBusWidth, memoryBusWidth),
    PAIR(MemoryClockRate, memoryClockRate),
    PAIR(MultiprocessorCount, multiProcessorCount),
    PAIR(PageableMemoryAccess, pageableMemoryAccess),
    PAIR(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    PAIR(PciBusId, pciBusID),
    PAIR(PciDeviceId, pciDeviceID),
    PAIR(TccDriver, tccDriver),
    PAIR(TextureAlignment, textureAlignment),
    PAIR(TexturePitchAlignment, texturePitchAlignment),
    PAIR(WarpSize, warpSize),
#if HIP_VERSION >= 60000000
    PAIR(AccessPolicyMaxWindowSize, accessPolicyMaxWindowSize),
    PAIR(AsyncEngineCount, asyncEngineCount),
    PAIR(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    PAIR(ComputePreemptionSupported, computePreemptionSupported),
    PAIR(DeviceOverlap, deviceOverlap),
    PAIR(GlobalL1CacheSupported, globalL1CacheSupported),
    PAIR(HostNativeAtomicSupported, hostNativeAtomicSupported),
    PAIR(HostRegisterSupported, hostRegisterSupported),
    PAIR(LocalL1CacheSupported, localL1CacheSupported),
    PAIR(LuidDeviceNodeMask, luidDeviceNodeMask),
    PAIR(MaxBlocksPerMultiProcessor, maxBlocksPerMultiProcessor),
    PAIR(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    PAIR(MaxSurface1D, maxSurface1D),
    PAIR(MaxSurfaceCubemap, maxSurfaceCubemap),
    PAIR(MaxTexture1DMipmap, maxTexture1DMipmap),
    PAIR(MaxTextureCubemap, maxTextureCubemap),
    PAIR(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    PAIR(MemoryPoolsSupported, memoryPoolsSupported),
    PAIR(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    PAIR(PersistingL2CacheMaxSize, persistingL2CacheMaxSize),
    PAIR(ReservedSharedMemPerBlock, reservedSharedMemPerBlock),
    PAIR(SharedMemPerBlockOptin, sharedMemPerBlockOptin),
    PAIR(SharedMemPerMultiprocessor, sharedMemPerMultiprocessor),
    PAIR(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    PAIR(StreamPrioritiesSupported, streamPrioritiesSupported),
    PAIR(SurfaceAlignment, surfaceAlignment),
    PAIR(UnifiedAddressing, unifiedAddressing),
#endif
#if HIP_VERSION >= 70000000
    PAIR(PciDomainId, pciDomainID),
#endif
};

static void no_member_contradicts_its_attribute(void **state)
{
    hipDeviceProp_t p;
    OK(hipGetDeviceProperties(&p, 0));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t member = 0;
        int value = 0;
        memcpy(&member, (const char *)&p + pairs[i].offset, pairs[i].size);
        if (hipDeviceGetAttribute(&value, pairs[i].attribute, 0) == hipSuccess &&
            (unsigned)value != (unsigned)member) {
            print_error("%s is %u, and its attribute %u\n", pairs[i].member, (unsigned)member,
                        (unsigned)value);
            fail();
        }
    }
    (void)hipGetLastError();
}

static const struct expected {
    hipDeviceAttribute_t attribute;
    int value;
    int since;
} expected[] = {
    {hipDeviceAttributeMaxThreadsPerBlock, 1024, 0},
    {hipDeviceAttributeMaxBlockDimX, 1024, 0},
    {hipDeviceAttributeMaxBlockDimY, 1024, 0},
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
    {hipDeviceAttributeConcurrentManagedAccess, 1, 0},
    {hipDeviceAttributePageableMemoryAccess, 0, 0},
    {hipDeviceAttributeCanMapHostMemory, 1, 0},
    {hipDeviceAttributeTextureAlignment, 256, 0},
    {hipDeviceAttributeIsLargeBar, 1, 600}, /* HIP 5 does not answer it */
#if HIP_VERSION >= 50300000
    {hipDeviceAttributeWallClockRate, 100000, 507},
#endif
};

static void attributes_are_the_devices(void **state)
{
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
#ifdef OWN_HEADERS
    assert_true(answered > 50);
#else
    assert_int_equal(answered, HIP_BEFORE(5, 7)    ? 63
                               : HIP_BEFORE(6, 0)  ? 65
                               : HIP_BEFORE(7, 0)  ? 90
                               : HIP_BEFORE(7, 1)  ? 92
                               : HIP_BEFORE(7, 14) ? 94
                                                   : 96);
#endif
}

static void unknown_attributes_are_refused(void **state)
{
    int value = -12345;
    assert_int_not_equal(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)9999, 0), hipSuccess);
    assert_int_equal(value, -12345);
    EXPECT(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 64), hipErrorInvalidDevice);
    EXPECT(hipGetDeviceProperties(NULL, 0), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void names_and_sizes_agree(void **state)
{
    char name[100];
    char bus[64];
    size_t available = 0;
    size_t total = 0;
    int major = 0;
    int minor = 0;
    int device = -1;
    OK(hipDeviceGetName(name, sizeof name, 0));
    assert_string_equal(name, "Loopback GPU");
    OK(hipDeviceTotalMem(&total, 0));
    assert_int_equal(total, (size_t)16 << 30);
    OK(hipMemGetInfo(&available, &total));
    assert_int_equal(total, (size_t)16 << 30);
    assert_in_range(available, 1, total);
    OK(hipDeviceGet(&device, 0));
    assert_int_equal(device, 0);
    device = -1;
    OK(hipDeviceComputeCapability(&major, &minor, 0));
    assert_int_equal(major, 9);
    OK(hipDeviceGetPCIBusId(bus, sizeof bus, 0));
    OK(hipDeviceGetByPCIBusId(&device, bus));
    assert_int_equal(device, 0);
}

/* The structure goes in: what was asked for must arrive. */
static void a_device_is_chosen(void **state)
{
    hipDeviceProp_t wanted;
    int device = -1;
    memset(&wanted, 0, sizeof wanted);
    wanted.major = 9;
    wanted.totalGlobalMem = 1 << 20;
    OK(hipChooseDevice(&device, &wanted));
    assert_int_equal(device, 0);
    device = -1;
    OK(hipGetDeviceProperties(&wanted, 0));
    OK(hipChooseDevice(&device, &wanted));
    assert_int_equal(device, 0);
    EXPECT(hipChooseDevice(NULL, &wanted), hipErrorInvalidValue);
#ifndef OWN_HEADERS
    if (HIP_BEFORE(6, 0)) { /* whose structure has no such member */
        wanted.sparseHipArraySupported = 1;
        EXPECT(hipChooseDevice(&device, &wanted), hipErrorNotSupported);
        assert_non_null(strstr(hipshim_error_text(), "sparseHipArraySupported (since HIP 6.0)"));
    }
#endif
    EXPECT(hipGetDeviceProperties(&wanted, 77), hipErrorInvalidDevice);
    (void)hipGetLastError();
}

static void limits_are_told(void **state)
{
    size_t heap = 0;
    OK(hipDeviceGetLimit(&heap, hipLimitMallocHeapSize));
    assert_true(heap > 0);
}

static void names_of_errors_are_there(void **state)
{
    assert_string_equal(hipGetErrorName(hipErrorInvalidValue), "hipErrorInvalidValue");
    assert_string_equal(hipGetErrorName(hipErrorNotSupported), "hipErrorNotSupported");
    assert_true(strlen(hipGetErrorString(hipErrorOutOfMemory)) > 4);
    /* 5.2 has no words for errors, only names. */
    assert_string_equal(hipGetErrorString(hipSuccess),
                        HIP_BEFORE(5, 7) ? "hipSuccess" : "no error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_after_the_properties_is_written_to),
        cmocka_unit_test(properties_are_the_devices),
        cmocka_unit_test(questions_for_support_have_answers),
        cmocka_unit_test(what_every_release_does_is_supported),
        cmocka_unit_test(what_nobody_knows_is_an_error),
        cmocka_unit_test(no_member_contradicts_its_attribute),
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
