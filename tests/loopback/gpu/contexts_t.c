/* SPDX-License-Identifier: MIT */
/* Contexts of the driver's interface: HIP has one for each device, and keeps a stack of them. */
#include "gpu.h"

static void the_primary_context_is_the_device(void **state)
{
    hipDevice_t device = -1;
    hipDevice_t got = -1;
    hipCtx_t context = NULL;
    unsigned flags = 77;
    int active = -1;
    OK(hipDeviceGet(&device, 0));
    assert_int_equal(device, 0);
    EXPECT(hipDeviceGet(&got, 99), hipErrorInvalidDevice);
    OK(hipDevicePrimaryCtxGetState(device, &flags, &active));
    assert_in_range(active, 0, 1);
    OK(hipDevicePrimaryCtxRetain(&context, device));
    assert_non_null(context);
    EXPECT(hipDevicePrimaryCtxSetFlags(device, 0), hipErrorContextAlreadyInUse);
    OK(hipDevicePrimaryCtxRelease(device));
    OK(hipDevicePrimaryCtxReset(device));
    (void)hipGetLastError();
}

static void contexts_are_stacked(void **state)
{
    hipCtx_t context = NULL;
    hipCtx_t current = NULL;
    hipCtx_t popped = NULL;
    hipDevice_t device = -1;
    OK(hipCtxCreate(&context, 0, 0));
    assert_non_null(context);
    OK(hipCtxGetCurrent(&current));
    assert_ptr_equal(current, context);
    OK(hipCtxGetDevice(&device));
    assert_int_equal(device, 0);
    OK(hipCtxPushCurrent(context));
    OK(hipCtxPopCurrent(&popped));
    assert_ptr_equal(popped, context);
    OK(hipCtxSetCurrent(context));
    OK(hipCtxGetCurrent(&current));
    assert_ptr_equal(current, context);
    OK(hipCtxDestroy(context));
}

static void contexts_have_settings(void **state)
{
    unsigned version = 77;
    unsigned flags = 77;
    hipFuncCache_t cache = hipFuncCachePreferEqual;
    hipSharedMemConfig shared = hipSharedMemBankSizeEightByte;
    hipCtx_t context = NULL;
    OK(hipCtxCreate(&context, 0, 0));
    EXPECT(hipCtxGetApiVersion(context, &version), hipErrorNotSupported);
    EXPECT(hipCtxGetCacheConfig(&cache), hipErrorNotSupported);
    EXPECT(hipCtxSetCacheConfig(hipFuncCachePreferL1), hipErrorNotSupported);
    OK(hipCtxGetSharedMemConfig(&shared));
    assert_int_equal(shared, hipSharedMemBankSizeFourByte);
    EXPECT(hipCtxSetSharedMemConfig(hipSharedMemBankSizeDefault), hipErrorNotSupported);
    EXPECT(hipCtxSynchronize(), hipErrorNotSupported);
    EXPECT(hipCtxGetFlags(&flags), hipErrorNotSupported);
    OK(hipCtxEnablePeerAccess(context, 0));
    OK(hipCtxDisablePeerAccess(context));
    assert_int_equal(version, 77);
    assert_int_equal(flags, 77);
    assert_int_equal(cache, hipFuncCachePreferEqual);
    OK(hipCtxDestroy(context));
    (void)hipGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_primary_context_is_the_device),
        cmocka_unit_test(contexts_are_stacked),
        cmocka_unit_test(contexts_have_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
