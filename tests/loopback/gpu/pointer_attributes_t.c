/* SPDX-License-Identifier: MIT */
/* What a pointer is, by the structure, whose layout and numbers changed twice, and one by one. */
#include "gpu.h"

static hipPointerAttribute_t ask(const void *pointer)
{
    hipPointerAttribute_t got;
    memset(&got, 0xa5, sizeof got);
    OK(hipPointerGetAttributes(&got, pointer));
    return got;
}

static void of_device_memory(void **state)
{
    (void)state;
    char *device = NULL;
    OK(hipMalloc((void **)&device, 8192));
    hipPointerAttribute_t got = ask(device + 100);
    assert_int_equal(got.type, hipMemoryTypeDevice);
    assert_int_equal(got.device, 0);
    assert_ptr_equal(got.devicePointer, device + 100);
    assert_int_equal(got.isManaged, 0);
    OK(hipFree(device));
}

static void of_host_memory(void **state)
{
    (void)state;
    char *host = NULL;
    OK(hipHostMalloc((void **)&host, 8192, hipHostMallocPortable));
    hipPointerAttribute_t got = ask(host + 8);
    assert_int_equal(got.type, hipMemoryTypeHost);
    assert_ptr_equal(got.hostPointer, host + 8);
    assert_non_null(got.devicePointer);
    assert_int_equal(got.isManaged, 0);
    OK(hipHostFree(host));
}

static void of_registered_memory(void **state)
{
    (void)state;
    char *host = malloc(10000);
    void *device = NULL;
    OK(hipHostRegister(host, 10000, hipHostRegisterDefault));
    OK(hipHostGetDevicePointer(&device, host, 0));
    hipPointerAttribute_t got = ask(host);
    assert_int_equal(got.type, hipMemoryTypeHost);
    assert_ptr_equal(got.hostPointer, host);
    assert_ptr_equal(got.devicePointer, device);
    OK(hipHostUnregister(host));
    free(host);
}

static void of_managed_memory(void **state)
{
    (void)state;
    char *managed = NULL;
    OK(hipMallocManaged((void **)&managed, 8192, hipMemAttachGlobal));
    hipPointerAttribute_t got = ask(managed);
    assert_int_equal(got.isManaged, 1);
    assert_int_equal(got.type, hipMemoryTypeManaged); /* also where the release has no such type */
    OK(hipFree(managed));
}

static void of_unregistered_memory(void **state)
{
    (void)state;
    int local = 0;
    hipPointerAttribute_t got;
    memset(&got, 0xa5, sizeof got);
    /* What 6.0 and later say; 5.x refuses such a pointer, and hipshim makes up for it. */
    OK(hipPointerGetAttributes(&got, &local));
    assert_int_equal(got.type, hipMemoryTypeUnregistered);
    assert_int_equal(got.device, -2);
    assert_null(got.devicePointer);
    assert_null(got.hostPointer);
    assert_int_equal(hipGetLastError(), hipSuccess);
    EXPECT(hipPointerGetAttributes(NULL, &local), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void a_list_of_unregistered_memory(void **state)
{
    (void)state;
    /* 5.x takes memory that it does not know for a handle, and follows one that is not NULL. */
    static uint64_t local[8];
    hipMemoryType type = hipMemoryTypeManaged;
    int ordinal = 77;
    hipPointer_attribute asked[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                    HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void *answers[] = {&type, &ordinal};
    OK(hipDrvPointerGetAttributes(2, asked, answers, local));
    assert_int_equal(type, hipMemoryTypeUnregistered);
    assert_int_equal(ordinal, -2);
    assert_int_equal(hipGetLastError(), hipSuccess);
    type = hipMemoryTypeManaged;
    EXPECT(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, local),
           HIP_BEFORE(7, 14) ? hipErrorInvalidValue : hipSuccess);
    assert_int_equal(type, hipMemoryTypeUnregistered);
    (void)hipGetLastError();
}

static void one_by_one(void **state)
{
    (void)state;
    char *device = NULL;
    hipMemoryType type = hipMemoryTypeUnregistered;
    void *start = NULL;
    size_t size = 0;
    unsigned ordinal = 77;
    OK(hipMalloc((void **)&device, 8192));
    /* The void * is an enumerator of the release. */
    OK(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
    assert_int_equal(type, hipMemoryTypeDevice);
    OK(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 50));
    assert_ptr_equal(start, device);
    OK(hipPointerGetAttribute(&size, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, device));
    assert_int_equal(size, 8192);
    OK(hipPointerGetAttribute(&ordinal, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, device));
    assert_int_equal(ordinal, 0);
    hipPointer_attribute asked[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                    HIP_POINTER_ATTRIBUTE_RANGE_SIZE};
    type = hipMemoryTypeUnregistered;
    size = 0;
    void *answers[] = {&type, &size};
    OK(hipDrvPointerGetAttributes(2, asked, answers, device));
    assert_int_equal(type, hipMemoryTypeDevice);
    assert_int_equal(size, 8192);
    OK(hipFree(device));
    void *host = NULL;
    OK(hipHostMalloc(&host, 100, 0));
    OK(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, host));
    assert_int_equal(type, hipMemoryTypeHost);
    OK(hipHostFree(host));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_device_memory),
        cmocka_unit_test(of_host_memory),
        cmocka_unit_test(of_registered_memory),
        cmocka_unit_test(of_managed_memory),
        cmocka_unit_test(of_unregistered_memory),
        cmocka_unit_test(a_list_of_unregistered_memory),
        cmocka_unit_test(one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
