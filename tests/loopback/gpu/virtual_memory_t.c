/* SPDX-License-Identifier: MIT */
/* Virtual memory: reserved, created, mapped, allowed, used, and all of it undone. */
#include "gpu.h"

static hipMemAllocationProp on_device(void)
{
    hipMemAllocationProp properties;
    memset(&properties, 0, sizeof properties);
    properties.type = hipMemAllocationTypePinned;
    properties.location.type = hipMemLocationTypeDevice;
    properties.location.id = 0;
    return properties;
}

static bool supported(void)
{
#if HIP_VERSION < 50300000
    return false; /* 5.2 does not know the question */
#else
    int value = 0;
    hipError_t error =
        hipDeviceGetAttribute(&value, hipDeviceAttributeVirtualMemoryManagementSupported, 0);
    (void)hipGetLastError();
    return error == hipSuccess && value;
#endif
}

static void releases_say_whether_they_have_it(void **state)
{
#if HIP_VERSION < 50300000
    skip();
#else
    /* HIP 5 has the functions at most. */
    assert_int_equal(supported(), !HIP_BEFORE(6, 0));
#endif
}

static void memory_is_mapped_where_wanted(void **state)
{
    if (!supported()) {
        skip();
    }
    hipMemAllocationProp properties = on_device();
    hipMemAccessDesc access = {properties.location, hipMemAccessFlagsProtReadWrite};
    hipMemGenericAllocationHandle_t handle;
    size_t unit = 0;
    char *where = NULL;
    OK(hipMemGetAllocationGranularity(&unit, &properties, hipMemAllocationGranularityMinimum));
    assert_true(unit > 0);
    OK(hipMemAddressReserve((void **)&where, 2 * unit, 0, NULL, 0));
    OK(hipMemCreate(&handle, unit, &properties, 0));
    OK(hipMemMap(where, unit, 0, handle, 0));
    OK(hipMemSetAccess(where, unit, &access, 1));
    unsigned char *host = pattern_new(unit, 5);
    OK(hipMemcpy(where, host, unit, hipMemcpyHostToDevice));
    expect_device_bytes(where, host, unit);
    unsigned long long flags = 0;
    OK(hipMemGetAccess(&flags, &access.location, where));
    assert_int_equal(flags, hipMemAccessFlagsProtReadWrite);
    /* The memory stays when the mapping moves. */
    wait_for_releases();
    OK(hipMemUnmap(where, unit));
    OK(hipMemMap(where + unit, unit, 0, handle, 0));
    OK(hipMemSetAccess(where + unit, unit, &access, 1));
    expect_device_bytes(where + unit, host, unit);
    wait_for_releases();
    OK(hipMemUnmap(where + unit, unit));
    OK(hipMemRelease(handle));
    OK(hipMemAddressFree(where, 2 * unit));
    free(host);
}

static void properties_come_back(void **state)
{
    if (!supported()) {
        skip();
    }
    hipMemAllocationProp properties = on_device();
    hipMemAllocationProp got;
    hipMemGenericAllocationHandle_t handle;
    size_t unit = 0;
    memset(&got, 0xa5, sizeof got);
    OK(hipMemGetAllocationGranularity(&unit, &properties, hipMemAllocationGranularityMinimum));
    OK(hipMemCreate(&handle, unit, &properties, 0));
    OK(hipMemGetAllocationPropertiesFromHandle(&got, handle));
    assert_int_equal(got.type, hipMemAllocationTypePinned);
    assert_int_equal(got.location.type, hipMemLocationTypeDevice);
    assert_int_equal(got.location.id, 0);
    OK(hipMemRelease(handle));
}

/* HIP 5 gives addresses and handles and then can do nothing with them. */
static void hip_5_refuses(void **state)
{
#if HIP_VERSION < 50300000
    skip();
#else
    if (supported()) {
        skip();
    }
    hipMemAllocationProp properties = on_device();
    hipMemAccessDesc access = {properties.location, hipMemAccessFlagsProtReadWrite};
    hipMemGenericAllocationHandle_t handle = NULL;
    unsigned long long flags = 77;
    size_t unit = 77;
    void *where = NULL;
    int file = -1;
    OK(hipMemGetAllocationGranularity(&unit, &properties, hipMemAllocationGranularityMinimum));
    OK(hipMemCreate(&handle, 4096, &properties, 0));
    OK(hipMemAddressReserve(&where, 4096, 0, NULL, 0));
    OK(hipMemGetAllocationPropertiesFromHandle(&properties, handle));
    EXPECT(hipMemMap(where, 4096, 0, handle, 0), hipErrorInvalidValue);
    EXPECT(hipMemSetAccess(where, 4096, &access, 1), hipErrorInvalidValue);
    EXPECT(hipMemGetAccess(&flags, &access.location, where), hipErrorInvalidValue);
    EXPECT(hipMemExportToShareableHandle(&file, handle, hipMemHandleTypePosixFileDescriptor, 0),
           hipErrorNotSupported);
    EXPECT(hipMemImportFromShareableHandle(&handle, (void *)(intptr_t)file,
                                           hipMemHandleTypePosixFileDescriptor),
           hipErrorNotSupported);
    EXPECT(hipMemRetainAllocationHandle(&handle, where), hipErrorInvalidValue);
    EXPECT(hipMemUnmap(where, 4096), hipErrorInvalidValue);
    EXPECT(hipMemRelease(handle), hipErrorInvalidValue);
    EXPECT(hipMemAddressFree(where, 4096), hipErrorInvalidValue);
    assert_int_equal(flags, 77);
    assert_int_equal(file, -1);
    (void)hipGetLastError();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_say_whether_they_have_it),
        cmocka_unit_test(memory_is_mapped_where_wanted),
        cmocka_unit_test(properties_come_back),
        cmocka_unit_test(hip_5_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
