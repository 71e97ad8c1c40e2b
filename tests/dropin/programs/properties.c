/* SPDX-License-Identifier: MIT */
/* What a device says of itself, in a structure that HIP 6 laid out anew, and one by one. */
#include "check.h"

/* Room behind the structure, which nothing may write to. */
static struct {
    hipDeviceProp_t properties;
    unsigned char behind[2048];
} got;

static void ask(void)
{
    memset(&got, 0x5a, sizeof got);
    OK(hipGetDeviceProperties(&got.properties, 0));
}

static void structure_is_filled_and_nothing_behind(void)
{
    ask();
    for (size_t i = 0; i < sizeof got.behind; i++) {
        SAME(got.behind[i], 0x5a);
    }
    CHECK(memchr(got.properties.name, 0, sizeof got.properties.name));
    CHECK(strncmp(got.properties.gcnArchName, "gfx90a", 6) == 0);
    CHECK(memchr(got.properties.gcnArchName, 0, sizeof got.properties.gcnArchName));
    SAME(got.properties.major, 9);
    SAME(got.properties.minor, 0);
    SAME(got.properties.warpSize, 64);
    SAME(got.properties.maxThreadsPerBlock, 1024);
    SAME(got.properties.isMultiGpuBoard == 0x5a5a5a5a, 0);
    SAME(got.properties.arch.hasGlobalInt32Atomics, 1);
}

static void structure_agrees_with_attributes(void)
{
    static const struct {
        hipDeviceAttribute_t attribute;
        const int *field;
    } pairs[] = {
        {hipDeviceAttributeMultiprocessorCount, &got.properties.multiProcessorCount},
        {hipDeviceAttributeMaxThreadsPerBlock, &got.properties.maxThreadsPerBlock},
        {hipDeviceAttributeWarpSize, &got.properties.warpSize},
        {hipDeviceAttributeMaxBlockDimY, &got.properties.maxThreadsDim[1]},
        {hipDeviceAttributeMaxBlockDimZ, &got.properties.maxThreadsDim[2]},
        {hipDeviceAttributeMaxGridDimX, &got.properties.maxGridSize[0]},
        {hipDeviceAttributeClockRate, &got.properties.clockRate},
        {hipDeviceAttributeMemoryClockRate, &got.properties.memoryClockRate},
        {hipDeviceAttributeMemoryBusWidth, &got.properties.memoryBusWidth},
        {hipDeviceAttributeComputeCapabilityMajor, &got.properties.major},
        {hipDeviceAttributeComputeCapabilityMinor, &got.properties.minor},
        {hipDeviceAttributeConcurrentKernels, &got.properties.concurrentKernels},
        {hipDeviceAttributePciBusId, &got.properties.pciBusID},
        {hipDeviceAttributePciDeviceId, &got.properties.pciDeviceID},
        {hipDeviceAttributeIntegrated, &got.properties.integrated},
        {hipDeviceAttributeCanMapHostMemory, &got.properties.canMapHostMemory},
        {hipDeviceAttributeCooperativeLaunch, &got.properties.cooperativeLaunch},
        {hipDeviceAttributeManagedMemory, &got.properties.managedMemory},
        {hipDeviceAttributeConcurrentManagedAccess, &got.properties.concurrentManagedAccess},
        {hipDeviceAttributePageableMemoryAccess, &got.properties.pageableMemoryAccess},
        {hipDeviceAttributeL2CacheSize, &got.properties.l2CacheSize},
        {hipDeviceAttributeMaxRegistersPerBlock, &got.properties.regsPerBlock},
        {hipDeviceAttributeMaxTexture1DWidth, &got.properties.maxTexture1D},
    };
    ask();
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        int value = -77;
        hipError_t error = hipDeviceGetAttribute(&value, pairs[i].attribute, 0);
        if (error != hipSuccess || value != *pairs[i].field) {
            check_fails(__FILE__, __LINE__, "attribute %d: error %d, value %d; %d in the structure",
                        (int)pairs[i].attribute, (int)error, value, *pairs[i].field);
        }
    }
}

static void sizes_are_told(void)
{
    size_t available = 0, total = 0;
    ask();
    OK(hipMemGetInfo(&available, &total));
    SAME(total, got.properties.totalGlobalMem);
    CHECK(available <= total && available > 0);
    size_t memory = 0;
    OK(hipDeviceTotalMem(&memory, 0));
    SAME(memory, total);
    int shared = 0;
    OK(hipDeviceGetAttribute(&shared, hipDeviceAttributeMaxSharedMemoryPerBlock, 0));
    SAME(got.properties.sharedMemPerBlock, shared);
}

static void a_device_is_chosen(void)
{
    int device = -1;
    hipDeviceProp_t wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.major = 9;
    wanted.totalGlobalMem = 1 << 20;
    OK(hipChooseDevice(&device, &wanted));
    SAME(device, 0);
    device = -1;
    OK(hipGetDeviceProperties(&wanted, 0));
    OK(hipChooseDevice(&device, &wanted));
    SAME(device, 0);
    EXPECT(hipChooseDevice(NULL, &wanted), hipErrorInvalidValue);
    EXPECT(hipGetDeviceProperties(&got.properties, 77), hipErrorInvalidDevice);
    (void)hipGetLastError();
}

static void names_and_limits(void)
{
    char name[256], id[64];
    hipDevice_t device = -1;
    size_t limit = 0;
    int value = -77;
    ask();
    OK(hipDeviceGet(&device, 0));
    OK(hipDeviceGetName(name, sizeof name, device));
    CHECK(strcmp(name, got.properties.name) == 0);
    OK(hipDeviceGetPCIBusId(id, sizeof id, 0));
    OK(hipDeviceGetByPCIBusId(&value, id));
    SAME(value, 0);
    OK(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
    CHECK(limit > 0);
    /* Past the last of all limits, the number of which HIP 7 moved. */
    REFUSED(hipDeviceGetLimit(&limit, (enum hipLimit_t)77));
    REFUSED(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)9999999, 0));
}

static void error_texts(void)
{
    CHECK(strcmp(hipGetErrorName(hipErrorInvalidValue), "hipErrorInvalidValue") == 0);
    CHECK(strcmp(hipGetErrorName(hipErrorNotSupported), "hipErrorNotSupported") == 0);
    CHECK(strlen(hipGetErrorString(hipErrorOutOfMemory)) > 4);
    EXPECT(hipMalloc(NULL, 16), hipErrorInvalidValue);
    EXPECT(hipPeekAtLastError(), hipErrorInvalidValue);
    EXPECT(hipGetLastError(), hipErrorInvalidValue);
    OK(hipGetLastError());
}

const struct test property_tests[] = {
    {"the properties are filled in, and nothing behind them",
     structure_is_filled_and_nothing_behind},
    {"the properties agree with the attributes", structure_agrees_with_attributes},
    {"sizes of memory are told", sizes_are_told},
    {"a device is chosen by properties", a_device_is_chosen},
    {"names, bus ids and limits", names_and_limits},
    {"errors have names, and the last one is kept", error_texts},
    {NULL, NULL},
};
