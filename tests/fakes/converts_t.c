/* SPDX-License-Identifier: MIT */
/* Values of changed types arrive whole on both sides of a fake runtime. */
#include "../real/check.h"
#include "fake_hip.h"

enum { GUARD = 64 };

/* An output with a guard behind it that nobody may touch. */
#define GUARDED(type)                                                                          \
    struct {                                                                                   \
        type value;                                                                            \
        unsigned char guard[GUARD];                                                            \
    }

static void check_guard(const unsigned char *guard)
{
    for (int i = 0; i < GUARD; i++) {
        assert_int_equal(guard[i], 0x3c);
    }
}

static unsigned runtime_major(void)
{
    hipshim_runtime_t info = { .size = sizeof info };
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    return info.release.major;
}

static bool is_5_2(void)
{
    hipshim_runtime_t info = { .size = sizeof info };
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    return info.release.major == 5 && info.release.minor == 2;
}

static void device_properties_come_out(void **state)
{
    (void)state;
    GUARDED(hipDeviceProp_t) p;
    memset(&p, 0x3c, sizeof p);
    assert_int_equal(hipGetDeviceProperties(&p.value, 0), hipSuccess);
    check_guard(p.guard);
    assert_string_equal(p.value.name, FAKE_NAME);
    assert_string_equal(p.value.gcnArchName, FAKE_ARCH);
#define EQUAL(member, number) assert_int_equal(p.value.member, number);
    FAKE_PROPS(EQUAL)
    if (runtime_major() < 6) { /* what 5.x does not have is zero, not stale */
        assert_int_equal(p.value.unifiedAddressing, 0);
        assert_int_equal(p.value.uuid.bytes[0], 0);
        assert_int_equal(p.value.hostRegisterSupported, 0);
    }
}

static void a_failed_call_leaves_the_output_alone(void **state)
{
    (void)state;
    hipDeviceProp_t p;
    memset(&p, 0x3c, sizeof p);
    assert_int_equal(hipGetDeviceProperties(&p, 1), hipErrorInvalidDevice);
    for (size_t i = 0; i < sizeof p; i++) {
        assert_int_equal(((unsigned char *)&p)[i], 0x3c);
    }
}

static void device_properties_go_in(void **state)
{
    (void)state;
    hipDeviceProp_t p;
    int device = -1;
    memset(&p, 0, sizeof p);
    strcpy(p.name, FAKE_NAME);
    strcpy(p.gcnArchName, FAKE_ARCH);
#define FILL(member, number) p.member = number;
    FAKE_PROPS(FILL)
    assert_int_equal(hipChooseDevice(&device, &p), hipSuccess);
    assert_int_equal(device, 3);
}

static void a_value_5_cannot_hold_is_refused_by_name(void **state)
{
    (void)state;
    hipDeviceProp_t p;
    int device = -1;
    memset(&p, 0, sizeof p);
    strcpy(p.name, FAKE_NAME);
    strcpy(p.gcnArchName, FAKE_ARCH);
    FAKE_PROPS(FILL)
    p.persistingL2CacheMaxSize = 1;
    hipError_t error = hipChooseDevice(&device, &p);
    if (runtime_major() >= 6) {
        assert_int_equal(error, hipSuccess);
        return;
    }
    assert_int_equal(error, hipErrorNotSupported);
    assert_int_equal(device, -1);
    assert_non_null(strstr(hipshim_error_text(), "persistingL2CacheMaxSize (since HIP 6.0)"));
}

static HIP_MEMCPY3D copy_of_numbers(void)
{
    HIP_MEMCPY3D c;
    memset(&c, 0, sizeof c);
#define FILL_COPY(member, number) c.member = number;
    FAKE_COPY3D(FILL_COPY)
    c.srcMemoryType = hipMemoryTypeHost;
    c.dstMemoryType = hipMemoryTypeDevice;
    c.srcHost = FAKE_POINTER(1);
    c.srcDevice = FAKE_POINTER(2);
    c.srcArray = FAKE_POINTER(3);
    c.dstHost = FAKE_POINTER(4);
    c.dstDevice = FAKE_POINTER(5);
    c.dstArray = FAKE_POINTER(6);
    return c;
}

static void a_3d_copy_goes_in(void **state)
{
    (void)state;
    HIP_MEMCPY3D c = copy_of_numbers();
    assert_int_equal(hipDrvMemcpy3D(&c), hipSuccess);
}

static void sizes_too_large_for_5_are_refused(void **state)
{
    (void)state;
    HIP_MEMCPY3D c = copy_of_numbers();
    c.WidthInBytes = (size_t)1 << 32;
    hipError_t error = hipDrvMemcpy3D(&c);
    if (runtime_major() >= 6) { /* passed on: the fake itself finds it wrong */
        assert_int_equal(error, hipErrorInvalidValue);
        return;
    }
    assert_int_equal(error, hipErrorNotSupported);
    assert_non_null(strstr(hipshim_error_text(), "hipDrvMemcpy3D: WidthInBytes"));
    c = copy_of_numbers();
    c.srcMemoryType = hipMemoryTypeUnregistered;
    assert_int_equal(hipDrvMemcpy3D(&c), hipErrorNotSupported);
}

static void pointer_attributes_come_out(void **state)
{
    (void)state;
    static const hipMemoryType wanted[] = {
        [FAKE_HOST] = hipMemoryTypeHost,       [FAKE_DEVICE] = hipMemoryTypeDevice,
        [FAKE_ARRAY] = hipMemoryTypeArray,     [FAKE_MANAGED] = hipMemoryTypeManaged,
        [FAKE_UNIFIED] = hipMemoryTypeUnified,
    };
    for (int kind = FAKE_HOST; kind <= FAKE_UNIFIED; kind++) {
        GUARDED(hipPointerAttribute_t) a;
        int type = -1;
        if (kind == FAKE_MANAGED && is_5_2()) {
            continue; /* it has no such type */
        }
        memset(&a, 0x3c, sizeof a);
        assert_int_equal(hipPointerGetAttributes(&a.value, FAKE_POINTER(kind)), hipSuccess);
        check_guard(a.guard);
        assert_int_equal(a.value.type, wanted[kind]);
        assert_int_equal(a.value.memoryType, wanted[kind]);
        assert_int_equal(a.value.device, 7);
        assert_ptr_equal(a.value.devicePointer, FAKE_POINTER(8));
        assert_ptr_equal(a.value.hostPointer, FAKE_POINTER(9));
        assert_int_equal(a.value.isManaged, 10);
        assert_int_equal(a.value.allocationFlags, 11);
        assert_int_equal(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                FAKE_POINTER(kind)),
                         hipSuccess);
        assert_int_equal(type, wanted[kind]);
    }
    int value = -1;
    assert_int_equal(
        hipPointerGetAttribute(&value, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, FAKE_POINTER(1)),
        hipSuccess);
    assert_int_equal(value, 1);
}

static void lists_go_in_whole(void **state)
{
    (void)state;
    enum { LONG = 3000 };
    hipExternalSemaphoreSignalParams *list = calloc(LONG, sizeof *list);
    assert_non_null(list);
    for (unsigned i = 0; i < LONG; i++) {
        list[i].params.fence.value = i + 1;
        list[i].params.keyedMutex.key = i + 2;
        list[i].flags = i + 3;
    }
    for (unsigned count = 0; count <= LONG; count = count * 7 + 1) {
        assert_int_equal(
            hipSignalExternalSemaphoresAsync(FAKE_POINTER(8), list, count, FAKE_POINTER(9)),
            hipSuccess);
    }
    assert_int_equal(hipSignalExternalSemaphoresAsync(FAKE_POINTER(8), NULL, 0, FAKE_POINTER(9)),
                     hipSuccess);
    free(list);
}

static void reordered_members_come_out(void **state)
{
    (void)state;
    GUARDED(hipMemAllocationProp) p;
    memset(&p, 0x3c, sizeof p);
    assert_int_equal(hipMemGetAllocationPropertiesFromHandle(&p.value, FAKE_POINTER(1)),
                     hipSuccess);
    check_guard(p.guard);
    assert_int_equal(p.value.type, hipMemAllocationTypePinned);
    assert_int_equal(p.value.location.type, hipMemLocationTypeDevice);
    assert_int_equal(p.value.location.id, 5);
    assert_int_equal(p.value.requestedHandleType, hipMemHandleTypePosixFileDescriptor);
    assert_ptr_equal(p.value.win32HandleMetaData, FAKE_POINTER(6));
}

static void renumbered_enums_come_out(void **state)
{
    (void)state;
    hipGraphNodeType type = hipGraphNodeTypeEmpty;
    assert_int_equal(hipGraphNodeGetType(FAKE_POINTER(1), &type), hipSuccess);
    assert_int_equal(type, hipGraphNodeTypeKernel);
    assert_int_equal(hipGraphNodeGetType(FAKE_POINTER(2), &type), hipSuccess);
    assert_int_equal(type, hipGraphNodeTypeEventRecord);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_properties_come_out),
        cmocka_unit_test(a_failed_call_leaves_the_output_alone),
        cmocka_unit_test(device_properties_go_in),
        cmocka_unit_test(a_value_5_cannot_hold_is_refused_by_name),
        cmocka_unit_test(a_3d_copy_goes_in),
        cmocka_unit_test(sizes_too_large_for_5_are_refused),
        cmocka_unit_test(pointer_attributes_come_out),
        cmocka_unit_test(lists_go_in_whole),
        cmocka_unit_test(reordered_members_come_out),
        cmocka_unit_test(renumbered_enums_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
