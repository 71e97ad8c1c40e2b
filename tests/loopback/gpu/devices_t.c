/* SPDX-License-Identifier: MIT */
/* What a device is asked and told: its identity, links, flags, limits and pools. */
#include "gpu.h"

static void it_has_an_identity(void **state)
{
    int version = 0;
    hipUUID one;
    hipUUID none;
    memset(&one, 0, sizeof one);
    memset(&none, 0, sizeof none);
    OK(hipDriverGetVersion(&version));
    assert_int_equal(version / 10000000, hip_release() / 100);
    OK(hipDeviceGetUuid(&one, 0));
    assert_memory_not_equal(&one, &none, sizeof none);
    EXPECT(hipDeviceGetUuid(NULL, 0), hipErrorInvalidValue);
    EXPECT(hipDeviceGetUuid(&one, 99), hipErrorInvalidDevice);
    (void)hipGetLastError();
}

static void links_are_told(void **state)
{
    uint32_t type = 77;
    uint32_t hops = 77;
    int value = -1;
    EXPECT(hipExtGetLinkTypeAndHopCount(0, 99, &type, &hops), hipErrorInvalidDevice);
    EXPECT(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 99),
           hipErrorInvalidDevice);
    EXPECT(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 0),
           hipErrorInvalidDevice);
    (void)hipGetLastError();
}

static void configurations_are_taken(void **state)
{
    hipFuncCache_t cache = hipFuncCachePreferL1;
    hipSharedMemConfig shared = hipSharedMemBankSizeEightByte;
    OK(hipDeviceSetCacheConfig(hipFuncCachePreferShared));
    OK(hipDeviceGetCacheConfig(&cache));
    assert_int_equal(cache, hipFuncCachePreferNone);
    OK(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeEightByte));
    OK(hipDeviceGetSharedMemConfig(&shared));
    assert_int_equal(shared, hipSharedMemBankSizeFourByte);
    (void)hipGetLastError();
}

static void flags_are_kept(void **state)
{
    unsigned flags = 77;
    OK(hipGetDeviceFlags(&flags));
    assert_int_equal(flags & hipDeviceScheduleMask, hipDeviceScheduleSpin);
    OK(hipSetDeviceFlags(hipDeviceScheduleYield));
    OK(hipGetDeviceFlags(&flags));
    assert_int_equal(flags & hipDeviceScheduleMask, hipDeviceScheduleYield);
    EXPECT(hipGetDeviceFlags(NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void limits_are_kept(void **state)
{
    size_t stack = 0;
    size_t heap = 0;
    OK(hipDeviceGetLimit(&heap, hipLimitMallocHeapSize));
    assert_true(heap > 0);
    if (HIP_BEFORE(5, 7)) {
        EXPECT(hipDeviceGetLimit(&stack, hipLimitStackSize), hipErrorUnsupportedLimit);
        (void)hipGetLastError();
        return;
    }
    OK(hipDeviceGetLimit(&stack, hipLimitStackSize));
    assert_true(stack > 0);
    OK(hipDeviceSetLimit(hipLimitStackSize, 4096));
    OK(hipDeviceGetLimit(&stack, hipLimitStackSize));
    assert_int_equal(stack, 4096);
    (void)hipGetLastError();
}

static void pools_are_chosen(void **state)
{
    NEEDS(hipDeviceGetDefaultMemPool);
    hipMemPool_t first = NULL;
    hipMemPool_t current = NULL;
    hipMemPool_t own = NULL;
    hipMemPoolProps properties = {.allocType = hipMemAllocationTypePinned,
                                  .location = {hipMemLocationTypeDevice, 0}};
    OK(hipDeviceGetDefaultMemPool(&first, 0));
    assert_non_null(first);
    OK(hipDeviceGetMemPool(&current, 0));
    assert_ptr_equal(current, first);
    OK(hipMemPoolCreate(&own, &properties));
    OK(hipDeviceSetMemPool(0, own));
    OK(hipDeviceGetMemPool(&current, 0));
    assert_ptr_equal(current, own);
    OK(hipDeviceSetMemPool(0, first));
    OK(hipMemPoolDestroy(own));
}

static void graph_memory_is_counted(void **state)
{
    NEEDS(hipDeviceGetGraphMemAttribute);
    uint64_t used = 77;
    OK(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
    assert_int_equal(used, 0);
    used = 0;
    OK(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &used));
    OK(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &used));
    assert_int_equal(used, 0);
    OK(hipDeviceGraphMemTrim(0));
    (void)hipGetLastError();
}

static void lines_of_texture_have_a_width(void **state)
{
    NEEDS(hipDeviceGetTexture1DLinearMaxWidth);
    size_t width = 0;
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    OK(hipDeviceGetTexture1DLinearMaxWidth(&width, &format, 0));
    assert_true(width > 0);
}

static void formats_are_made(void **state)
{
    hipChannelFormatDesc format = hipCreateChannelDesc(8, 16, 32, 64, hipChannelFormatKindUnsigned);
    assert_int_equal(format.x, 8);
    assert_int_equal(format.y, 16);
    assert_int_equal(format.z, 32);
    assert_int_equal(format.w, 64);
    assert_int_equal(format.f, hipChannelFormatKindUnsigned);
}

static void valid_devices_are_set(void **state)
{
    NEEDS(hipSetValidDevices);
    int devices[] = {0};
    int none[] = {99};
    if (HIP_BEFORE(7, 1)) {
        EXPECT(hipSetValidDevices(devices, 1), hipErrorNotSupported);
        (void)hipGetLastError();
        return;
    }
    OK(hipSetValidDevices(devices, 1));
    EXPECT(hipSetValidDevices(none, 1), hipErrorInvalidDevice);
    (void)hipGetLastError();
}

/* Last: it takes everything from the device. */
static void a_reset_gives_all_back(void **state)
{
    size_t before = 0;
    size_t after = 0;
    size_t total = 0;
    void *device = NULL;
    OK(hipMemGetInfo(&before, &total));
    OK(hipMalloc(&device, 64 << 20));
    OK(hipDeviceReset());
    OK(hipMemGetInfo(&after, &total));
    /* 5.2 keeps what was not freed. */
    assert_int_equal(after < before, HIP_BEFORE(5, 7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_an_identity),       cmocka_unit_test(links_are_told),
        cmocka_unit_test(configurations_are_taken), cmocka_unit_test(flags_are_kept),
        cmocka_unit_test(limits_are_kept),          cmocka_unit_test(pools_are_chosen),
        cmocka_unit_test(graph_memory_is_counted),  cmocka_unit_test(lines_of_texture_have_a_width),
        cmocka_unit_test(formats_are_made),         cmocka_unit_test(valid_devices_are_set),
        cmocka_unit_test(a_reset_gives_all_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
