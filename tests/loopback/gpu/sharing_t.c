/* SPDX-License-Identifier: MIT */
/* Pools, events and virtual memory as handles for others; who may reach a pool; attributes of
 * memory. */
#include "gpu.h"

enum { SIZE = 64 * 1024 };

static const hipMemLocation here = {hipMemLocationTypeDevice, 0};

static hipMemPool_t new_pool(hipMemAllocationHandleType type)
{
    hipMemPool_t pool = NULL;
    hipMemPoolProps properties;
    memset(&properties, 0, sizeof properties);
    properties.allocType = hipMemAllocationTypePinned;
    properties.handleTypes = type;
    properties.location = here;
    OK(hipMemPoolCreate(&pool, &properties));
    return pool;
}

static void pools_are_trimmed_and_opened(void **state)
{
    NEEDS(hipMemPoolTrimTo);
    hipMemPool_t pool = new_pool(hipMemHandleTypeNone);
    hipMemAccessDesc access = {here, hipMemAccessFlagsProtReadWrite};
    hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
    hipMemLocation location = here;
    OK(hipMemPoolTrimTo(pool, 0));
    OK(hipMemPoolSetAccess(pool, &access, 1));
    OK(hipMemPoolGetAccess(&flags, pool, &location));
    /* 5.2 says yes to what it does not do. */
    assert_int_equal(flags,
                     HIP_BEFORE(5, 7) ? hipMemAccessFlagsProtNone : hipMemAccessFlagsProtReadWrite);
    OK(hipMemPoolDestroy(pool));
}

static void pools_are_exported(void **state)
{
    NEEDS(hipMemPoolExportPointer);
    hipMemPool_t pool = new_pool(hipMemHandleTypePosixFileDescriptor);
    hipMemPool_t imported = NULL;
    hipMemPoolPtrExportData data;
    int file = -1;
    void *device = NULL;
    void *same = NULL;
    OK(hipMallocFromPoolAsync(&device, SIZE, pool, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipMemset(device, 0x17, SIZE));
    OK(hipMemPoolExportToShareableHandle(&file, pool, hipMemHandleTypePosixFileDescriptor, 0));
    OK(hipMemPoolExportPointer(&data, device));
    OK(hipMemPoolImportFromShareableHandle(&imported, (void *)(intptr_t)file,
                                           hipMemHandleTypePosixFileDescriptor, 0));
    OK(hipMemPoolImportPointer(&same, imported, &data));
    if (HIP_BEFORE(5, 7)) { /* says yes to all of it and does nothing */
        assert_int_equal(file, -1);
        assert_null(imported);
        assert_null(same);
    } else {
        expect_device_filled(same, 0x17, SIZE);
    }
    OK(hipFreeAsync(device, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipMemPoolDestroy(pool));
}

static void events_have_handles(void **state)
{
    hipEvent_t event;
    hipEvent_t opened = NULL;
    hipIpcEventHandle_t handle;
    OK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
    if (HIP_BEFORE(7, 14)) {
        OK(hipIpcGetEventHandle(&handle, event));
        /* Not in the process that made it. */
        EXPECT(hipIpcOpenEventHandle(&opened, handle), hipErrorInvalidContext);
    } else { /* takes a signal of HSA's for it, and the loopback shares none */
        EXPECT(hipIpcGetEventHandle(&handle, event), hipErrorInvalidValue);
    }
    (void)hipGetLastError();
    OK(hipEventDestroy(event));
    OK(hipEventCreate(&event));
    EXPECT(hipIpcGetEventHandle(&handle, event), hipErrorInvalidConfiguration);
    (void)hipGetLastError();
    OK(hipEventDestroy(event));
}

static void virtual_memory_has_handles(void **state)
{
    hipMemAllocationProp properties;
    hipMemGenericAllocationHandle_t handle = NULL;
    hipMemGenericAllocationHandle_t imported = NULL;
    hipMemGenericAllocationHandle_t retained = NULL;
    size_t unit = 0;
    void *where = NULL;
    int file = -1;
    memset(&properties, 0, sizeof properties);
    properties.type = hipMemAllocationTypePinned;
    properties.requestedHandleTypes = hipMemHandleTypePosixFileDescriptor;
    properties.location = here;
    if (HIP_BEFORE(6, 0)) {
        skip(); /* see virtual_memory_t.c for what HIP 5 says */
    }
    OK(hipMemGetAllocationGranularity(&unit, &properties, hipMemAllocationGranularityMinimum));
    OK(hipMemCreate(&handle, unit, &properties, 0));
    OK(hipMemExportToShareableHandle(&file, handle, hipMemHandleTypePosixFileDescriptor, 0));
    /* The file itself, as from 7.1 on; 7.0 wants its address, and hipshim makes up for it. */
    OK(hipMemImportFromShareableHandle(&imported, (void *)(intptr_t)file,
                                       hipMemHandleTypePosixFileDescriptor));
    assert_non_null(imported);
    OK(hipMemAddressReserve(&where, unit, 0, NULL, 0));
    OK(hipMemMap(where, unit, 0, handle, 0));
    OK(hipMemRetainAllocationHandle(&retained, where));
    assert_ptr_equal(retained, handle);
    if (HIP_BEFORE(7, 0)) {
        OK(hipMemRelease(retained)); /* 7.2 does not count it, and would free the handle early */
    }
    OK(hipMemUnmap(where, unit));
    OK(hipMemAddressFree(where, unit));
    OK(hipMemRelease(handle));
}

static void arrays_are_not_mapped(void **state)
{
    hipArrayMapInfo info;
    memset(&info, 0, sizeof info);
    EXPECT(hipMemMapArrayAsync(&info, 1, NULL), hipErrorNotSupported);
    (void)hipGetLastError();
}

static void ranges_have_handles(void **state)
{
    NEEDS(hipMemGetHandleForAddressRange);
    void *device = NULL;
    int file = -1;
    OK(hipMalloc(&device, SIZE));
    EXPECT(hipMemGetHandleForAddressRange(&file, device, SIZE, hipMemRangeHandleTypeDmaBufFd, 0),
           hipErrorInvalidValue); /* the loopback has no dmabuf */
    (void)hipGetLastError();
    OK(hipFree(device));
}

static void managed_memory_by_places(void **state)
{
    void *managed = NULL;
    int values[2] = {-77, -77};
    void *data[] = {&values[0], &values[1]};
    size_t sizes[] = {sizeof(int), sizeof(int)};
    hipMemRangeAttribute attributes[] = {hipMemRangeAttributeReadMostly,
                                         hipMemRangeAttributePreferredLocation};
    OK(hipMallocManaged(&managed, SIZE, hipMemAttachGlobal));
    OK(hipMemAdvise(managed, SIZE, hipMemAdviseSetReadMostly, 0));
    OK(hipMemRangeGetAttributes(data, sizes, attributes, 2, managed, SIZE));
    assert_int_equal(values[0], 1);
    assert_int_equal(values[1], hipInvalidDeviceId);
    OK(hipMemAdvise(managed, SIZE, hipMemAdviseSetPreferredLocation, 0));
    OK(hipMemRangeGetAttributes(data, sizes, attributes, 2, managed, SIZE));
    int preferred = values[1];
    OK(hipMemAdvise(managed, SIZE, hipMemAdviseUnsetPreferredLocation, 0));
    OK(hipMemAdvise_v2(managed, SIZE, hipMemAdviseSetPreferredLocation, here));
    OK(hipMemPrefetchAsync_v2(managed, SIZE, here, 0, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipMemRangeGetAttributes(data, sizes, attributes, 2, managed, SIZE));
    assert_int_equal(values[1], preferred);
    OK(hipFree(managed));
}

static void pointers_take_an_attribute(void **state)
{
    NEEDS(hipPointerSetAttribute);
    void *device = NULL;
    unsigned on = 1;
    OK(hipMalloc(&device, SIZE));
    OK(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, device));
    EXPECT(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_CONTEXT, device),
           hipErrorInvalidValue);
    (void)hipGetLastError();
    OK(hipFree(device));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_are_trimmed_and_opened),
        cmocka_unit_test(pools_are_exported),
        cmocka_unit_test(events_have_handles),
        cmocka_unit_test(virtual_memory_has_handles),
        cmocka_unit_test(arrays_are_not_mapped),
        cmocka_unit_test(ranges_have_handles),
        cmocka_unit_test(managed_memory_by_places),
        cmocka_unit_test(pointers_take_an_attribute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
