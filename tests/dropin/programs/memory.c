/* SPDX-License-Identifier: MIT */
/* Memory of every kind, and what a pointer to it is said to be. */
#include "check.h"

/* The member's name changed with its numbers. */
#if HIP_VERSION_MAJOR >= 6
#define TYPE_OF(attributes) ((attributes).type)
#else
#define TYPE_OF(attributes) ((attributes).memoryType)
#endif

static struct {
    hipPointerAttribute_t attributes;
    unsigned char behind[64];
} got;

static void ask(const void *pointer)
{
    memset(&got, 0xa5, sizeof got);
    OK(hipPointerGetAttributes(&got.attributes, pointer));
    SAME(got.behind[0], 0xa5);
    SAME(got.behind[63], 0xa5);
}

static void device_memory(void)
{
    char *device = NULL;
    OK(hipMalloc((void **)&device, 8192));
    ask(device + 100);
    SAME(TYPE_OF(got.attributes), hipMemoryTypeDevice);
    SAME(got.attributes.device, 0);
    CHECK(got.attributes.devicePointer == device + 100);
    SAME(got.attributes.isManaged, 0);
    OK(hipMemset(device, 0x2f, 8192));
    OK(hipDeviceSynchronize());
    CHECK(check_device_filled(device, 0x2f, 8192));
    OK(hipMemsetD32((hipDeviceptr_t)device, 0x01020304, 10));
    OK(hipDeviceSynchronize());
    int value = 0;
    OK(hipMemcpy(&value, device + 36, 4, hipMemcpyDeviceToHost));
    SAME(value, 0x01020304);
    CHECK(check_device_filled(device + 40, 0x2f, 100));
    OK(hipFree(device));
}

static void host_memory(void)
{
    char *host = NULL;
    unsigned flags = 0;
    OK(hipHostMalloc((void **)&host, 8192, hipHostMallocPortable | hipHostMallocMapped));
    ask(host + 8);
    SAME(TYPE_OF(got.attributes), hipMemoryTypeHost);
    CHECK(got.attributes.hostPointer == host + 8);
    CHECK(got.attributes.devicePointer != NULL);
    SAME(got.attributes.isManaged, 0);
    OK(hipHostGetFlags(&flags, host));
    SAME(flags & hipHostMallocMapped, hipHostMallocMapped);
    OK(hipHostFree(host));
}

static void registered_memory(void)
{
    char *host = malloc(10000);
    void *device = NULL;
    OK(hipHostRegister(host, 10000, hipHostRegisterDefault));
    OK(hipHostGetDevicePointer(&device, host, 0));
    ask(host);
    SAME(TYPE_OF(got.attributes), hipMemoryTypeHost);
    CHECK(got.attributes.hostPointer == host);
    CHECK(got.attributes.devicePointer == device);
    OK(hipHostUnregister(host));
    free(host);
}

/* 5.2 has no type for it and says host; 5.7 and later have, with different numbers. */
static int managed_type(void)
{
    if (check_back < 507 && check_front < 600) {
        return hipMemoryTypeHost; /* 5.2 has no other */
    }
    return check_front < 600 ? 4 : 3;
}

static void managed_memory(void)
{
    char *managed = NULL;
    OK(hipMallocManaged((void **)&managed, 8192, hipMemAttachGlobal));
    ask(managed);
    SAME(got.attributes.isManaged, 1);
    SAME(TYPE_OF(got.attributes), managed_type());
    memset(managed, 0x44, 8192);
    CHECK(check_device_filled(managed, 0x44, 8192));
    OK(hipMemset(managed, 0x3c, 8192));
    OK(hipDeviceSynchronize());
    SAME(managed[8191], 0x3c);
    OK(hipFree(managed));
}

/* Up to HIP 5 an error, from 6 on an answer: a program gets what its own release does. */
static void unregistered_memory(void)
{
    int local = 0;
    memset(&got, 0xa5, sizeof got);
    hipError_t error = hipPointerGetAttributes(&got.attributes, &local);
#if HIP_VERSION_MAJOR >= 6
    SAME(error, hipSuccess);
    SAME(got.attributes.type, hipMemoryTypeUnregistered);
    CHECK(got.attributes.devicePointer == NULL);
#else
    SAME(error, hipErrorInvalidValue);
#endif
    SAME(got.behind[0], 0xa5);
    (void)hipGetLastError();
}

static void attributes_one_by_one(void)
{
    char *device = NULL;
    void *host = NULL, *start = NULL;
    hipMemoryType type = (hipMemoryType)99;
    size_t size = 0;
    OK(hipMalloc((void **)&device, 8192));
    /* The void * is an enumerator of the release. */
    OK(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, (hipDeviceptr_t)device));
    SAME(type, hipMemoryTypeDevice);
    OK(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                              (hipDeviceptr_t)(device + 50)));
    CHECK(start == device);
    OK(hipPointerGetAttribute(&size, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, (hipDeviceptr_t)device));
    SAME(size, 8192);
    hipPointer_attribute asked[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                    HIP_POINTER_ATTRIBUTE_RANGE_SIZE};
    void *answers[] = {&type, &size};
    type = (hipMemoryType)99;
    size = 0;
    OK(hipDrvPointerGetAttributes(2, asked, answers, (hipDeviceptr_t)device));
    SAME(type, hipMemoryTypeDevice);
    SAME(size, 8192);
    int ordinal = 77;
    asked[1] = HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
    answers[1] = &ordinal;
    /* 5.x takes memory that it does not know for a handle, and follows one that is not NULL. */
    static uint64_t unknown[8];
    OK(hipDrvPointerGetAttributes(2, asked, answers, (hipDeviceptr_t)unknown));
    SAME(type, 0); /* the default, whatever its name */
    SAME(ordinal, -2);
    OK(hipHostMalloc(&host, 100, 0));
    OK(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, (hipDeviceptr_t)host));
    SAME(type, hipMemoryTypeHost);
    OK(hipHostFree(host));
    OK(hipFree(device));
}

static void ordered_memory(void)
{
    void *device = NULL;
    int supported = 0;
    OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, 0));
    if (!supported) {
        check_skips("this device has no memory pools");
        return;
    }
    OK(hipMallocAsync(&device, 4096, NULL));
    OK(hipMemsetAsync(device, 0x44, 4096, NULL));
    OK(hipStreamSynchronize(NULL));
    CHECK(check_device_filled(device, 0x44, 4096));
    OK(hipFreeAsync(device, NULL));
    OK(hipStreamSynchronize(NULL));
}

/* hipMemPoolProps grew a maximal size in HIP 6.2. */
static void pools(void)
{
    hipMemPool_t pool = NULL;
    hipMemPoolProps properties;
    uint64_t threshold = 1 << 20, read = 0;
    void *device = NULL;
    int supported = 0;
    OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, 0));
    if (!supported) {
        check_skips("this device has no memory pools");
        return;
    }
    memset(&properties, 0, sizeof properties);
    properties.allocType = hipMemAllocationTypePinned;
    properties.location.type = hipMemLocationTypeDevice;
    OK(hipMemPoolCreate(&pool, &properties));
    OK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
    OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &read));
    SAME(read, threshold);
    OK(hipMallocFromPoolAsync(&device, 8192, pool, NULL));
    OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &read));
    CHECK(read >= 8192);
    OK(hipMemsetAsync(device, 0x45, 8192, NULL));
    OK(hipStreamSynchronize(NULL));
    CHECK(check_device_filled(device, 0x45, 8192));
    OK(hipFreeAsync(device, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipMemPoolDestroy(pool));
}

#if HIP_VERSION_MAJOR >= 6
/*
 * The runtime releases what a command holds in a thread of its own, after it has reported the
 * command as complete.  hipMemUnmap of memory that a command still holds ends the process of 6.4:
 * "Memobj map does not have ptr".  That thread works in order, so the completion of later commands
 * shows that the earlier ones were released.
 */
static void wait_for_releases(void)
{
    void *other = NULL;
    OK(hipMalloc(&other, 4096));
    for (int i = 0; i < 3; i++) {
        OK(hipMemset(other, i, 4096));
        OK(hipDeviceSynchronize());
    }
    OK(hipFree(other));
}
#endif

/* hipMemAllocationProp changed in 5.5 or before and in 7. */
static void reserved_addresses(void)
{
#if HIP_VERSION_MAJOR >= 6
    hipMemAllocationProp properties;
    hipMemGenericAllocationHandle_t handle;
    size_t step = 0;
    void *address = NULL;
    int supported = 0;
    /* 5.2 does not know the question, so it does not support it. */
    OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
    if (!supported) {
        check_skips("this runtime maps no memory by hand");
        return;
    }
    memset(&properties, 0, sizeof properties);
    properties.type = hipMemAllocationTypePinned;
    properties.location.type = hipMemLocationTypeDevice;
    OK(hipMemGetAllocationGranularity(&step, &properties, hipMemAllocationGranularityMinimum));
    CHECK(step > 0 && step <= (64 << 20));
    OK(hipMemAddressReserve(&address, step, 0, NULL, 0));
    OK(hipMemCreate(&handle, step, &properties, 0));
    OK(hipMemMap(address, step, 0, handle, 0));
    hipMemAccessDesc access;
    memset(&access, 0, sizeof access);
    access.location.type = hipMemLocationTypeDevice;
    access.flags = hipMemAccessFlagsProtReadWrite;
    OK(hipMemSetAccess(address, step, &access, 1));
    OK(hipMemset(address, 0x46, 4096));
    OK(hipDeviceSynchronize());
    CHECK(check_device_filled(address, 0x46, 4096));
    wait_for_releases();
    OK(hipMemUnmap(address, step));
    OK(hipMemRelease(handle));
    OK(hipMemAddressFree(address, step));
#else
    check_skips("HIP 5 maps no memory by hand");
#endif
}

const struct test memory_tests[] = {
    {"device memory, and its pointers", device_memory},
    {"host memory, and its pointers", host_memory},
    {"registered memory, and its pointers", registered_memory},
    {"managed memory, and its pointers", managed_memory},
    {"pointers that HIP does not know", unregistered_memory},
    {"attributes of pointers one by one", attributes_one_by_one},
    {"memory in the order of a stream", ordered_memory},
    {"memory pools", pools},
    {"memory at reserved addresses", reserved_addresses},
    {NULL, NULL},
};
