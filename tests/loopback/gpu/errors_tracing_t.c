/* SPDX-License-Identifier: MIT */
/* Errors keep their names and their turn; what profilers ask has its answers. */
#include "gpu.h"

static void errors_have_names_the_drivers_way(void **state)
{
#if HIP_VERSION < 50700000
    skip();
#else
    NEEDS(hipDrvGetErrorName);
    const char *text = NULL;
    OK(hipDrvGetErrorName(hipErrorOutOfMemory, &text));
    assert_string_equal(text, "hipErrorOutOfMemory");
    OK(hipDrvGetErrorString(hipErrorOutOfMemory, &text));
    assert_string_equal(text, hipGetErrorString(hipErrorOutOfMemory));
    EXPECT(hipDrvGetErrorName((hipError_t)-1, &text), hipErrorInvalidValue);
    EXPECT(hipDrvGetErrorString(hipSuccess, NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
#endif
}

static void the_last_error_stays_until_it_is_got(void **state)
{
    void *device = NULL;
    (void)hipGetLastError();
    EXPECT(hipMalloc(NULL, 16), hipErrorInvalidValue);
    EXPECT(hipPeekAtLastError(), hipErrorInvalidValue);
    EXPECT(hipPeekAtLastError(), hipErrorInvalidValue);
    EXPECT(hipGetLastError(), hipErrorInvalidValue);
    EXPECT(hipPeekAtLastError(), hipSuccess);
    /* A call that succeeds clears it up to 6; from 7 on it stays. */
    EXPECT(hipMalloc(NULL, 16), hipErrorInvalidValue);
    OK(hipMalloc(&device, 16));
    bool is_cleared = HIP_BEFORE(7, 0) || ANSWERS_BEFORE(7, 0);
    EXPECT(hipGetLastError(), is_cleared ? hipSuccess : hipErrorInvalidValue);
    OK(hipFree(device));
}

static void an_error_of_hipshim_s_own_ends_no_capture(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    hipStream_t stream;
    hipGraph_t graph = NULL;
    void *address;
    OK(hipStreamCreate(&stream));
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    EXPECT(hipGetProcAddress("hipNothing", &address, 600, 0, NULL), hipErrorInvalidValue);
    EXPECT(hipGetLastError(), hipErrorInvalidValue);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphDestroy(graph));
    OK(hipStreamDestroy(stream));
#endif
}

static void the_thread_s_last_error_alone(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    EXPECT(hipMalloc(NULL, 16), hipErrorInvalidValue);
    EXPECT(hipExtGetLastError(), hipErrorInvalidValue);
    EXPECT(hipExtGetLastError(), hipSuccess);
    (void)hipGetLastError();
#endif
}

static uint32_t id_of(const char *call)
{
    uint32_t id = 0;
    while (id < 600 && strcmp(hipApiName(id), call) != 0) {
        id++;
    }
    return id;
}

static void calls_have_names(void **state)
{
    assert_in_range(id_of("hipMalloc"), 0, 599);
    assert_int_equal(id_of("hipNoSuchCall"), 600);
    assert_string_equal(hipApiName(99999), "unknown");
}

static int calls_seen;

static void see_call(uint32_t domain, uint32_t id, const void *data, void *argument)
{
    assert_non_null(data);
    assert_ptr_equal(argument, &calls_seen);
    calls_seen += domain > 0 && id == id_of("hipMalloc");
}

static void callbacks_of_calls_are_taken(void **state)
{
#if defined OWN_HEADERS && HIP_VERSION >= 50300000
    (void)see_call;
    skip(); /* tests/dropin/tracers.t has what took its place */
#else
    NEEDS(hipRegisterApiCallback);
    void *device = NULL;
    void *callback = NULL;
    void (*function)(uint32_t, uint32_t, const void *, void *) = see_call;
    memcpy(&callback, &function, sizeof callback);
    OK(hipRegisterApiCallback(id_of("hipMalloc"), callback, &calls_seen));
    OK(hipMalloc(&device, 16));
    OK(hipRemoveApiCallback(id_of("hipMalloc")));
    OK(hipRegisterActivityCallback(id_of("hipMalloc"), callback, &calls_seen));
    OK(hipRemoveActivityCallback(id_of("hipMalloc")));
    OK(hipFree(device));
    assert_int_equal(calls_seen, 0); /* without an activity at the same time there is none */
#endif
}

static void the_profiler_is_refused(void **state)
{
    EXPECT(hipProfilerStart(), hipErrorNotSupported);
    EXPECT(hipProfilerStop(), hipErrorNotSupported);
    (void)hipGetLastError();
}

static void streams_tell_their_device_to_tracers(void **state)
{
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    assert_int_equal(hipGetStreamDeviceId(stream), 0);
    assert_int_equal(hipGetStreamDeviceId(NULL), 0);
    OK(hipStreamDestroy(stream));
}

static void there_is_no_precompiled_header(void **state)
{
    const char *header = NULL;
    unsigned size = 0;
    __hipGetPCH(&header, &size);
    assert_non_null(header);
}

#if HIP_VERSION >= 60000000
/*
 * The entries of the library that the program calls: what follows may be called on whatever
 * release is there.  Those of libhipshim have a name of their own.
 */
static void expect_entry(const void *got, const char *name)
{
#ifdef OWN_HEADERS
    assert_ptr_equal(got, dlsym(RTLD_DEFAULT, name));
#else
    char symbol[96];
    hipshim_status_t (*init)(void) = hipshim_init;
    Dl_info info;
    void *address;
    memcpy(&address, &init, sizeof address);
    snprintf(symbol, sizeof symbol, "hipshim_%s", name);
    assert_int_not_equal(dladdr(address, &info), 0);
    void *library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(library);
    assert_ptr_equal(got, dlsym(library, symbol));
#endif
}

static void *address_of(const char *name, int version, uint64_t flags)
{
    void *address = NULL;
    hipDriverProcAddressQueryResult status = HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    OK(hipGetProcAddress(name, &address, version, flags, &status));
    assert_int_equal(status, HIP_GET_PROC_ADDRESS_SUCCESS);
    return address;
}
#endif

static void entry_points_are_those_of_the_library(void **state)
{
#if HIP_VERSION < 60000000
    skip();
#else
    expect_entry(address_of("hipMalloc", 600, 0), "hipMalloc");
#ifdef OWN_HEADERS
    expect_entry(address_of("hipGetDeviceProperties", 500, 0), "hipGetDeviceProperties");
    expect_entry(address_of("hipGetDeviceProperties", 600, 0), "hipGetDevicePropertiesR0600");
#endif
    for (uint64_t flags = 0; flags < 4; flags++) { /* which no release before 7.14 reads */
        expect_entry(address_of("hipMemcpy", 600, flags),
                     !ANSWERS_BEFORE(7, 14) && (flags & 2) ? "hipMemcpy_spt" : "hipMemcpy");
    }
    /* And they work: converted where this release needs it. */
    hipError_t (*properties)(hipDeviceProp_t *, int);
    hipError_t (*attributes)(hipPointerAttribute_t *, const void *);
    hipDeviceProp_t got;
    hipPointerAttribute_t of_pointer;
    void *device = NULL;
    *(void **)&properties = address_of("hipGetDeviceProperties", 600, 0);
    OK(properties(&got, 0));
    assert_string_equal(got.name, "Loopback GPU");
    *(void **)&attributes = address_of("hipPointerGetAttributes", 60443484, 0);
    OK(hipMalloc(&device, 16));
    OK(attributes(&of_pointer, device));
    assert_int_equal(of_pointer.type, hipMemoryTypeDevice);
    OK(hipFree(device));
#endif
}

static void entry_points_have_a_stream(void **state)
{
#if HIP_VERSION < 70000000
    skip();
#else
    void *address = NULL;
    hipDriverEntryPointQueryResult found = hipDriverEntryPointSymbolNotFound;
    OK(hipGetDriverEntryPoint("hipMemcpy", &address, hipEnableLegacyStream, &found));
    assert_int_equal(found, hipDriverEntryPointSuccess);
    expect_entry(address, "hipMemcpy");
    OK(hipGetDriverEntryPoint("hipMemcpy", &address, hipEnablePerThreadDefaultStream, &found));
    expect_entry(address, "hipMemcpy_spt");
    OK(hipGetDriverEntryPoint("hipMemcpy", &address, hipEnableDefault, &found));
    expect_entry(address, "hipMemcpy");
#ifdef OWN_HEADERS
    hipDriverProcAddressQueryResult status = HIP_GET_PROC_ADDRESS_SUCCESS;
    EXPECT(hipGetProcAddress("hiprtcVersion", &address, 700, 0, &status), hipErrorInvalidValue);
    assert_int_equal(status, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    /* Without a version, a name is that of the symbol, whose structure is that of HIP 5. */
    OK(hipGetDriverEntryPoint("hipGetDeviceProperties", &address, hipEnableDefault, &found));
    expect_entry(address, "hipGetDeviceProperties");
#endif
    address = &found;
    EXPECT(hipGetDriverEntryPoint("hipMalloc", &address, 3, &found), hipErrorInvalidValue);
    assert_ptr_equal(address, &found);
#if HIP_VERSION >= 71400000
    OK(hipGetProcAddress_spt("hipMemcpy", &address, 714, HIP_GET_PROC_ADDRESS_DEFAULT, NULL));
    expect_entry(address, "hipMemcpy_spt");
    OK(hipGetDriverEntryPoint_spt("hipMemcpy", &address, hipEnableDefault, &found));
    expect_entry(address, "hipMemcpy_spt");
#endif
    (void)hipGetLastError();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_have_names_the_drivers_way),
        cmocka_unit_test(the_last_error_stays_until_it_is_got),
        cmocka_unit_test(an_error_of_hipshim_s_own_ends_no_capture),
        cmocka_unit_test(the_thread_s_last_error_alone),
        cmocka_unit_test(calls_have_names),
        cmocka_unit_test(callbacks_of_calls_are_taken),
        cmocka_unit_test(the_profiler_is_refused),
        cmocka_unit_test(streams_tell_their_device_to_tracers),
        cmocka_unit_test(there_is_no_precompiled_header),
        cmocka_unit_test(entry_points_are_those_of_the_library),
        cmocka_unit_test(entry_points_have_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
