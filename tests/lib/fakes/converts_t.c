/* SPDX-License-Identifier: MIT */
/* Values of changed types arrive whole on both sides of a fake runtime. */
#include <sys/resource.h>

#include "../../dispatch/real/check.h"
#include "fake_hip.h"

enum { GUARD = 64 };

/* An output with a guard behind it that nobody may touch. */
#define GUARDED(type)                                                                              \
    struct {                                                                                       \
        type value;                                                                                \
        unsigned char guard[GUARD];                                                                \
    }

static void check_guard(const unsigned char *guard)
{
    for (int i = 0; i < GUARD; i++) {
        assert_int_equal(guard[i], 0x3c);
    }
}

static unsigned runtime_major(void)
{
    hipshim_runtime_t info = {.size = sizeof info};
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    return info.release.major;
}

static bool runtime_is_older_than(unsigned major, unsigned minor)
{
    hipshim_runtime_t info = {.size = sizeof info};
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    return info.release.major < major ||
           (info.release.major == major && info.release.minor < minor);
}

static bool runtime_has(const char *name)
{
    hipshim_function_t function = {.size = sizeof function};
    assert_int_equal(hipshim_function_info(name, &function), HIPSHIM_OK);
    return function.kind != HIPSHIM_KIND_MISSING;
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
    p.sparseHipArraySupported = 1;
    hipError_t error = hipChooseDevice(&device, &p);
    if (runtime_major() >= 6) {
        assert_int_equal(error, hipSuccess);
        return;
    }
    assert_int_equal(error, hipErrorNotSupported);
    assert_int_equal(device, -1);
    assert_non_null(strstr(hipshim_error_text(), "sparseHipArraySupported (since HIP 6.0)"));
    p.sparseHipArraySupported = 0;
    p.luid[7] = 1;
    assert_int_equal(hipChooseDevice(&device, &p), hipErrorNotSupported);
    p.luid[7] = 0;
    p.unifiedFunctionPointers = 1;
    assert_int_equal(hipChooseDevice(&device, &p), hipErrorNotSupported);
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
    if (runtime_is_older_than(5, 3)) { /* 3 is Unified there */
        c.srcMemoryType = hipMemoryTypeManaged;
        assert_int_equal(hipDrvMemcpy3D(&c), hipErrorNotSupported);
    }
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
        if (kind == FAKE_MANAGED && runtime_is_older_than(5, 3)) {
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
        assert_int_equal(
            hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, FAKE_POINTER(kind)),
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
    if (!runtime_has("hipMemGetAllocationPropertiesFromHandle")) {
        return;
    }
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
    static const hipGraphNodeType wanted[] = {
        hipGraphNodeTypeKernel,
        hipGraphNodeTypeMemcpy,
        hipGraphNodeTypeMemset,
        hipGraphNodeTypeHost,
        hipGraphNodeTypeGraph,
        hipGraphNodeTypeEmpty,
        hipGraphNodeTypeWaitEvent,
        hipGraphNodeTypeEventRecord,
        hipGraphNodeTypeMemcpyFromSymbol,
        hipGraphNodeTypeMemcpyToSymbol,
    };
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_int_equal(hipGraphNodeGetType(FAKE_POINTER(i + 1), &type), hipSuccess);
        assert_int_equal(type, wanted[i]);
    }
}

/* HIP 5.3 alone has other numbers for the errors of hiprtc. */
static void renumbered_results_come_back(void **state)
{
    (void)state;
    hiprtcProgram program;
    if (runtime_major() < 6) { /* from 6 on, the fake has no libhiprtc beside it */
        assert_int_equal(hiprtcCreateProgram(&program, "", "", 0, NULL, NULL),
                         HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
        assert_string_equal(hiprtcGetErrorString(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID), "good");
    }
}

static void copies_2d_go_in(void **state)
{
    (void)state;
    hip_Memcpy2D c;
    memset(&c, 0, sizeof c);
#define FILL_COPY2(member, number) c.member = number;
    FAKE_COPY2D(FILL_COPY2)
    c.srcMemoryType = hipMemoryTypeHost, c.dstMemoryType = hipMemoryTypeDevice;
    c.srcHost = FAKE_POINTER(1), c.srcDevice = FAKE_POINTER(2), c.srcArray = FAKE_POINTER(3);
    c.dstHost = FAKE_POINTER(4), c.dstDevice = FAKE_POINTER(5), c.dstArray = FAKE_POINTER(6);
    assert_int_equal(hipMemcpyParam2D(&c), hipSuccess);
    assert_int_equal(hipMemcpyParam2DAsync(&c, FAKE_POINTER(9)), hipSuccess);
    assert_int_equal(hipDrvMemcpy2DUnaligned(&c), hipSuccess);
    assert_int_equal(hipMemcpyParam2D(NULL), hipErrorInvalidPitchValue);
    HIP_MEMCPY3D d = copy_of_numbers();
    assert_int_equal(hipDrvMemcpy3DAsync(&d, FAKE_POINTER(9)), hipErrorNotReady);
}

/* Each member in turn too large for 5.x's 32 bits. */
static void each_3d_member_is_checked(void **state)
{
    (void)state;
    if (runtime_major() >= 6) {
        return;
    }
#define TOO_LARGE(member, number)                                                                  \
    {                                                                                              \
        HIP_MEMCPY3D c = copy_of_numbers();                                                        \
        c.member = ((size_t)1 << 32) + (number);                                                   \
        assert_int_equal(hipDrvMemcpy3D(&c), hipErrorNotSupported);                                \
        assert_non_null(strstr(hipshim_error_text(), #member));                                    \
    }
    FAKE_COPY3D(TOO_LARGE)
}

static hipMemAllocationProp allocation(void)
{
    hipMemAllocationProp p;
    memset(&p, 0, sizeof p);
    p.type = hipMemAllocationTypePinned;
    p.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
    p.location.type = hipMemLocationTypeDevice, p.location.id = 5;
    p.win32HandleMetaData = FAKE_POINTER(6);
    p.allocFlags.compressionType = 7, p.allocFlags.usage = 8;
    return p;
}

static hipMemPoolProps pool_props(void)
{
    hipMemPoolProps p;
    memset(&p, 0, sizeof p);
    p.allocType = hipMemAllocationTypePinned;
    p.handleTypes = hipMemHandleTypePosixFileDescriptor;
    p.location.type = hipMemLocationTypeDevice, p.location.id = 5;
    p.win32SecurityAttributes = FAKE_POINTER(6);
    return p;
}

static void allocations_go_in(void **state)
{
    (void)state;
    if (!runtime_has("hipMemCreate")) {
        return;
    }
    hipMemAllocationProp p = allocation();
    hipMemGenericAllocationHandle_t handle;
    size_t granularity = 0;
    assert_int_equal(hipMemCreate(&handle, 64, &p, 2), hipSuccess);
    assert_int_equal(
        hipMemGetAllocationGranularity(&granularity, &p, hipMemAllocationGranularityRecommended),
        hipSuccess);
    assert_int_equal(granularity, 4096);
    p.allocFlags.gpuDirectRDMACapable = 1;
    assert_int_equal(hipMemCreate(&handle, 64, &p, 2),
                     runtime_is_older_than(5, 3) ? hipErrorNotSupported : hipSuccess);
}

static void pools_go_in(void **state)
{
    (void)state;
    hipMemPool_t pool;
    hipMemPoolProps p = pool_props();
    assert_int_equal(hipMemPoolCreate(&pool, &p),
                     runtime_has("hipMemPoolCreate") ? hipSuccess : hipErrorNotSupported);
    p.maxSize = 1;
    assert_int_equal(hipMemPoolCreate(&pool, &p),
                     runtime_is_older_than(6, 2) ? hipErrorNotSupported : hipSuccess);
    if (!runtime_has("hipGraphAddMemAllocNode")) {
        return;
    }
    hipGraphNode_t node;
    GUARDED(hipMemAllocNodeParams) a;
    memset(&a, 0x3c, sizeof a);
    memset(&a.value, 0, sizeof a.value);
    a.value.poolProps = pool_props();
    a.value.accessDescs = FAKE_POINTER(3);
    a.value.accessDescCount = 1, a.value.bytesize = 2;
    assert_int_equal(hipGraphAddMemAllocNode(&node, NULL, NULL, 0, &a.value), hipSuccess);
    check_guard(a.guard);
    assert_ptr_equal(a.value.dptr, FAKE_POINTER(4));
    assert_int_equal(a.value.bytesize, 2);
    memset(&a, 0x3c, sizeof a);
    assert_int_equal(hipGraphMemAllocNodeGetParams(node, &a.value), hipSuccess);
    check_guard(a.guard);
    assert_ptr_equal(a.value.dptr, FAKE_POINTER(4));
    assert_ptr_equal(a.value.accessDescs, FAKE_POINTER(3));
    assert_int_equal(a.value.accessDescCount, 1);
    assert_int_equal(a.value.bytesize, 2);
    assert_int_equal(a.value.poolProps.location.id, 5);
}

static void external_handles_go_in(void **state)
{
    (void)state;
    void *mapped;
    hipExternalMemory_t memory;
    hipExternalSemaphore_t semaphore;
    hipExternalMemoryBufferDesc b = {.offset = 1, .size = 2, .flags = 3};
    hipExternalMemoryHandleDesc m = {.type = hipExternalMemoryHandleTypeOpaqueWin32,
                                     .handle.win32 = {FAKE_POINTER(1), FAKE_POINTER(2)},
                                     .size = 3,
                                     .flags = 4};
    hipExternalSemaphoreHandleDesc s = {.type = hipExternalSemaphoreHandleTypeOpaqueWin32,
                                        .handle.win32 = {FAKE_POINTER(1), FAKE_POINTER(2)},
                                        .flags = 4};
    assert_int_equal(hipExternalMemoryGetMappedBuffer(&mapped, NULL, &b), hipSuccess);
    assert_int_equal(hipImportExternalMemory(&memory, &m), hipSuccess);
    assert_int_equal(hipImportExternalSemaphore(&semaphore, &s), hipSuccess);
}

static void waits_go_in(void **state)
{
    (void)state;
    hipExternalSemaphoreWaitParams list[40];
    memset(list, 0, sizeof list);
    for (unsigned i = 0; i < 40; i++) {
        list[i].params.fence.value = i + 1;
        list[i].params.keyedMutex.key = i + 2;
        list[i].params.keyedMutex.timeoutMs = i + 3;
        list[i].flags = i + 4;
    }
    assert_int_equal(hipWaitExternalSemaphoresAsync(FAKE_POINTER(8), list, 40, NULL), hipSuccess);
    if (runtime_has("hipGraphAddExternalSemaphoresWaitNode")) {
        hipGraphNode_t node;
        hipExternalSemaphoreWaitNodeParams n = {FAKE_POINTER(8), list, 40};
        assert_int_equal(hipGraphAddExternalSemaphoresWaitNode(&node, NULL, NULL, 0, &n),
                         hipSuccess);
        hipExternalSemaphoreSignalParams signals[40];
        memset(signals, 0, sizeof signals);
        for (unsigned i = 0; i < 40; i++) {
            signals[i].params.fence.value = i + 1;
            signals[i].params.keyedMutex.key = i + 2;
            signals[i].flags = i + 3;
        }
        hipExternalSemaphoreSignalNodeParams s = {FAKE_POINTER(8), signals, 40};
        assert_int_equal(hipGraphAddExternalSemaphoresSignalNode(&node, NULL, NULL, 0, &s),
                         hipSuccess);
    }
}

static void attribute_values_pass_both_ways(void **state)
{
    (void)state;
    if (!runtime_has("hipGraphKernelNodeSetAttribute")) {
        return;
    }
    GUARDED(hipLaunchAttributeValue) v;
    memset(&v, 0x3c, sizeof v);
    v.value.accessPolicyWindow.base_ptr = FAKE_POINTER(1);
    v.value.accessPolicyWindow.num_bytes = 99;
    assert_int_equal(hipGraphKernelNodeSetAttribute(FAKE_POINTER(1),
                                                    hipLaunchAttributeAccessPolicyWindow, &v.value),
                     hipSuccess);
    memset(&v, 0x3c, sizeof v);
    assert_int_equal(hipGraphKernelNodeGetAttribute(FAKE_POINTER(1),
                                                    hipLaunchAttributeAccessPolicyWindow, &v.value),
                     hipSuccess);
    check_guard(v.guard);
    assert_ptr_equal(v.value.accessPolicyWindow.base_ptr, FAKE_POINTER(1));
    assert_int_equal(v.value.accessPolicyWindow.num_bytes, 99);
}

static void memset_nodes_go_in(void **state)
{
    (void)state;
    hipGraphNode_t node;
    hipMemsetParams p = {
        .dst = FAKE_POINTER(1), .elementSize = 2, .height = 3, .pitch = 4, .value = 5, .width = 6};
    if (runtime_has("hipDrvGraphAddMemsetNode")) {
        assert_int_equal(hipDrvGraphAddMemsetNode(&node, NULL, NULL, 0, &p, NULL), hipSuccess);
    }
}

static void attribute_lists_come_out(void **state)
{
    (void)state;
    int a = -1, b = -1, c = -1;
    hipPointer_attribute ids[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                  HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                  HIP_POINTER_ATTRIBUTE_MEMORY_TYPE};
    void *data[] = {&a, &b, &c};
    assert_int_equal(hipDrvPointerGetAttributes(3, ids, data, FAKE_POINTER(FAKE_DEVICE)),
                     hipSuccess);
    assert_int_equal(a, hipMemoryTypeDevice);
    assert_int_equal(b, 1);
    assert_int_equal(c, hipMemoryTypeDevice);
}

static void null_stays_null(void **state)
{
    (void)state;
    /* The fake fills what it is given: NULL must reach it, as on a real runtime. */
    assert_int_equal(hipGetDeviceProperties(NULL, 0), hipErrorInvalidValue);
    assert_int_equal(hipPointerGetAttributes(NULL, FAKE_POINTER(1)), hipErrorInvalidValue);
}

static void addresses_handed_out_are_hipshims(void **state)
{
    (void)state;
    void *address = NULL;
    hipError_t (*want)(hipDeviceProp_t *, int) = hipGetDeviceProperties;
    assert_int_equal(hipGetProcAddress("hipGetDeviceProperties", &address, 600, 0, NULL),
                     hipSuccess);
    assert_memory_equal(&address, &want, sizeof address);
}

static void flags_mean_what_the_release_means(void **state)
{
    (void)state;
    hipIpcMemHandle_t handle;
    void *mapped = NULL;
    memset(&handle, 0, sizeof handle);
    assert_int_equal(hipIpcOpenMemHandle(&mapped, handle, hipIpcMemLazyEnablePeerAccess),
                     hipSuccess);
}

static void missing_memory_is_told(void **state)
{
    (void)state;
    hipExternalSemaphoreSignalParams one;
    memset(&one, 0, sizeof one);
    if (runtime_major() >= 6) {
        return;
    }
    struct rlimit old, tight;
    getrlimit(RLIMIT_AS, &old);
    tight = old, tight.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_AS, &tight);
    hipError_t error =
        hipSignalExternalSemaphoresAsync(FAKE_POINTER(8), &one, 1u << 31, FAKE_POINTER(9));
    setrlimit(RLIMIT_AS, &old);
    assert_int_equal(error, hipErrorOutOfMemory);
    assert_non_null(strstr(hipshim_error_text(), "hipSignalExternalSemaphoresAsync: no memory"));
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
        cmocka_unit_test(renumbered_results_come_back),
        cmocka_unit_test(copies_2d_go_in),
        cmocka_unit_test(each_3d_member_is_checked),
        cmocka_unit_test(allocations_go_in),
        cmocka_unit_test(pools_go_in),
        cmocka_unit_test(external_handles_go_in),
        cmocka_unit_test(waits_go_in),
        cmocka_unit_test(attribute_values_pass_both_ways),
        cmocka_unit_test(memset_nodes_go_in),
        cmocka_unit_test(attribute_lists_come_out),
        cmocka_unit_test(null_stays_null),
        cmocka_unit_test(addresses_handed_out_are_hipshims),
        cmocka_unit_test(flags_mean_what_the_release_means),
        cmocka_unit_test(missing_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
