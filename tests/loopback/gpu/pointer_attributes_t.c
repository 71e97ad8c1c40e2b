/* SPDX-License-Identifier: MIT */
/* What a pointer is, by the structure, whose layout and numbers changed twice, and one by one. */
#include "gpu.h"

#if HIP_VERSION < 50500000
#define type memoryType
#endif

/* With room after the structure, which must not be written to. */
static hipError_t ask_for(const void *pointer, hipPointerAttribute_t *got)
{
    struct {
        hipPointerAttribute_t attributes;
        unsigned char after[64];
    } room;
    memset(&room, 0xa5, sizeof room);
    hipError_t error = hipPointerGetAttributes(&room.attributes, pointer);
    for (size_t i = 0; i < sizeof room.after; i++) {
        assert_int_equal(room.after[i], 0xa5);
    }
    *got = room.attributes;
    return error;
}

static hipPointerAttribute_t ask(const void *pointer)
{
    hipPointerAttribute_t got;
    OK(ask_for(pointer, &got));
    return got;
}

static void of_device_memory(void **state)
{
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

/* 5.2 has no such type and calls it host memory; the number of 5.7 is not that of 6.0. */
static int managed_type(void)
{
    if (ANSWERS_BEFORE(6, 0)) {
        return HIP_BEFORE(5, 7) ? (int)hipMemoryTypeHost : 4;
    }
    return 3;
}

static void of_managed_memory(void **state)
{
    char *managed = NULL;
    OK(hipMallocManaged((void **)&managed, 8192, hipMemAttachGlobal));
    hipPointerAttribute_t got = ask(managed);
    assert_int_equal(got.isManaged, 1);
    assert_int_equal(got.type, managed_type());
    OK(hipFree(managed));
}

static void of_unregistered_memory(void **state)
{
    int local = 0;
    hipPointerAttribute_t got;
#if HIP_VERSION < 60000000
    EXPECT(ask_for(&local, &got), hipErrorInvalidValue);
    (void)hipGetLastError();
#else
    /* What 6.0 and later say; 5.x refuses such a pointer, and hipshim makes up for it. */
    OK(ask_for(&local, &got));
    assert_int_equal(got.type, hipMemoryTypeUnregistered);
    assert_int_equal(got.device, -2);
    assert_null(got.devicePointer);
    assert_null(got.hostPointer);
    assert_int_equal(hipGetLastError(), hipSuccess);
#endif
    EXPECT(hipPointerGetAttributes(NULL, &local), hipErrorInvalidValue);
    (void)hipGetLastError();
}

#define NO_TYPE ((hipMemoryType)99)

static void a_list_of_unregistered_memory(void **state)
{
    /* 5.x takes memory that it does not know for a handle, and follows one that is not NULL. */
    static uint64_t local[8];
    hipMemoryType kind = NO_TYPE;
    int ordinal = 77;
    hipPointer_attribute asked[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                    HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void *answers[] = {&kind, &ordinal};
    OK(hipDrvPointerGetAttributes(2, asked, answers, local));
    assert_int_equal(kind, 0);
    assert_int_equal(ordinal, -2);
    assert_int_equal(hipGetLastError(), hipSuccess);
    kind = NO_TYPE;
    EXPECT(hipPointerGetAttribute(&kind, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, local),
           HIP_BEFORE(7, 14) ? hipErrorInvalidValue : hipSuccess);
    assert_int_equal(kind, 0);
    (void)hipGetLastError();
}

static void one_by_one(void **state)
{
    char *device = NULL;
    hipMemoryType kind = NO_TYPE;
    void *start = NULL;
    size_t size = 0;
    unsigned ordinal = 77;
    OK(hipMalloc((void **)&device, 8192));
    /* The void * is an enumerator of the release. */
    OK(hipPointerGetAttribute(&kind, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
    assert_int_equal(kind, hipMemoryTypeDevice);
    OK(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 50));
    assert_ptr_equal(start, device);
    OK(hipPointerGetAttribute(&size, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, device));
    assert_int_equal(size, 8192);
    OK(hipPointerGetAttribute(&ordinal, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, device));
    assert_int_equal(ordinal, 0);
    hipPointer_attribute asked[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                    HIP_POINTER_ATTRIBUTE_RANGE_SIZE};
    kind = NO_TYPE;
    size = 0;
    void *answers[] = {&kind, &size};
    OK(hipDrvPointerGetAttributes(2, asked, answers, device));
    assert_int_equal(kind, hipMemoryTypeDevice);
    assert_int_equal(size, 8192);
    OK(hipFree(device));
    void *host = NULL;
    OK(hipHostMalloc(&host, 100, 0));
    OK(hipPointerGetAttribute(&kind, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, host));
    assert_int_equal(kind, hipMemoryTypeHost);
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
