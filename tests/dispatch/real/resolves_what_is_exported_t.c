/* SPDX-License-Identifier: MIT */
/*
 * Every stable function is resolved, or reported missing, exactly as the
 * runtime's own export list says.
 */
#include <dlfcn.h>

#include "check.h"

static const struct {
    const char *name, *older;
} renamed[] = {
    {"hipExtModuleLaunchKernel",
     "_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_"
     "P11ihipEvent_tS6_j"},
    {"hipHccModuleLaunchKernel",
     "_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_"
     "P11ihipEvent_tS6_"},
    {"hipCreateSurfaceObject", "_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc"},
    {"hipDestroySurfaceObject", "_Z23hipDestroySurfaceObjectP13__hip_surface"},
    {"hipGetDevicePropertiesR0600", "hipGetDeviceProperties"},
    {"hipChooseDeviceR0600", "hipChooseDevice"},
};

/* Answered by hipshim itself on every release. */
static const char *const emulated[] = {"hipGetProcAddress", "hipGetProcAddress_spt",
                                       "hipGetDriverEntryPoint", "hipGetDriverEntryPoint_spt"};

static bool is_always_emulated(const char *name)
{
    for (size_t i = 0; i < sizeof emulated / sizeof *emulated; i++) {
        if (strcmp(name, emulated[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool exports_older_name(void *library, const char *name)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        if (strcmp(name, renamed[i].name) == 0 && dlsym(library, renamed[i].older)) {
            return true;
        }
    }
    return false;
}

static bool exported(void *library, const char *name)
{
    return dlsym(library, name) || exports_older_name(library, name);
}

static bool at_or_after(hipshim_release_t a, hipshim_release_t b)
{
    return a.major != b.major ? a.major > b.major : a.minor >= b.minor;
}

/* True when the release declares the function, as hipshim's tables have it. */
static bool declared(const hipshim_function_t *function, hipshim_release_t release)
{
    return at_or_after(release, function->since) &&
           (function->removed.major == 0 || !at_or_after(release, function->removed));
}

static void every_function_is_accounted_for(void **state)
{
    (void)state;
    hipshim_runtime_t info = {.size = sizeof info};
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    void *hip = dlopen(info.path, RTLD_NOW | RTLD_NOLOAD);
    void *hiprtc = dlopen(info.hiprtc_path, RTLD_NOW);
    assert_non_null(hip);
    assert_non_null(hiprtc);

    unsigned wrong = 0, resolved = 0;
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        const char *name = hipshim_function_name(i);
        hipshim_function_t function = {.size = sizeof function};
        assert_int_equal(hipshim_function_info(name, &function), HIPSHIM_OK);
        void *library = strncmp(name, "hiprtc", 6) == 0 ? hiprtc : hip;
        bool there = exported(library, name);
        bool emulated = function.kind == HIPSHIM_KIND_EMULATED;
        if (emulated && there && !is_always_emulated(name)) {
            print_message("%s: emulated, but the library exports it\n", name);
            wrong++;
        }
        bool want =
            emulated ||
            (there && (declared(&function, info.release) || exports_older_name(library, name)));
        bool have = function.kind != HIPSHIM_KIND_MISSING;
        resolved += have;
        if (want != have && !(there && !have)) {
            print_message("%s: resolved %d, wanted %d\n", name, have, want);
            wrong++;
        }
        /* Exported by the library, declared, and yet not resolved: only where
         * the declaration is of another function. */
        if (want && !have && strcmp(name, "hipDeviceGetTexture1DLinearMaxWidth") != 0) {
            print_message("%s: exported, declared and not resolved\n", name);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(resolved > 370);
    assert_int_equal(resolved, hipshim_function_count() - info.kinds[HIPSHIM_KIND_MISSING]);
}

static void a_missing_function_says_what_it_needs(void **state)
{
    (void)state;
    hipshim_function_t function = {.size = sizeof function};
    assert_int_equal(hipshim_function_info("hipLibraryUnload", &function), HIPSHIM_OK);
    assert_int_equal(function.since.major, 7);
    if (function.kind != HIPSHIM_KIND_MISSING) {
        return;
    }
    assert_int_equal(hipLibraryUnload(NULL), hipErrorNotSupported);
    assert_non_null(strstr(hipshim_error_text(), "hipLibraryUnload needs HIP 7.1; this is "));
    assert_non_null(strstr(hipshim_error_text(), wanted_release()));
}

static void a_function_of_7_14_says_so(void **state)
{
    (void)state;
    hipExecutionCtx_t context = NULL;
    hipshim_function_t function = {.size = sizeof function};
    assert_int_equal(hipshim_function_info("hipGreenCtxCreate", &function), HIPSHIM_OK);
    if (function.kind != HIPSHIM_KIND_MISSING) {
        return;
    }
    assert_int_equal(hipGreenCtxCreate(&context, NULL, 0, 0), hipErrorNotSupported);
    assert_non_null(strstr(hipshim_error_text(), "hipGreenCtxCreate needs HIP 7.14; this is "));
    assert_non_null(strstr(hipshim_error_text(), wanted_release()));
}

static void entry_points_are_handed_out(void **state)
{
    (void)state;
    void *address = NULL;
    hipDriverProcAddressQueryResult status = HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    assert_int_equal(hipGetProcAddress("hipMalloc", &address, 600, 0, &status), hipSuccess);
    assert_int_equal(status, HIP_GET_PROC_ADDRESS_SUCCESS);
    hipError_t (*allocate)(void **, size_t) = hipMalloc;
    assert_memory_equal(&address, &allocate, sizeof address);
    assert_int_equal(hipGetProcAddress("hipGetDeviceProperties", &address, 600, 0, &status),
                     hipSuccess);
    assert_int_equal(hipGetProcAddress("hipGetDeviceProperties", &address, 500, 0, &status),
                     hipErrorInvalidValue);
    assert_int_equal(status, HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    assert_int_equal(hipGetProcAddress("hipNoSuchThing", &address, 600, 0, &status),
                     hipErrorInvalidValue);
    assert_int_equal(status, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    assert_null(address);
}

static hipshim_kind_t kind_of(const char *name)
{
    hipshim_function_t function = {.size = sizeof function};
    assert_int_equal(hipshim_function_info(name, &function), HIPSHIM_OK);
    return function.kind;
}

static void kinds_are_told_apart(void **state)
{
    (void)state;
    int major = wanted_release()[0] - '0';
    assert_int_equal(kind_of("hipMalloc"), HIPSHIM_KIND_DIRECT);
    assert_int_equal(kind_of("hipGetProcAddress"), HIPSHIM_KIND_EMULATED);
    assert_int_equal(kind_of("hipPointerGetAttributes"),
                     major < 6 ? HIPSHIM_KIND_CONVERTED : HIPSHIM_KIND_DIRECT);
    assert_int_equal(kind_of("hipDeviceGetTexture1DLinearMaxWidth") == HIPSHIM_KIND_MISSING,
                     major < 7);
}

#define IS(address, function)                                                                      \
    do {                                                                                           \
        __typeof__(&function) wanted_ = function;                                                  \
        assert_memory_equal(&(address), &wanted_, sizeof wanted_);                                 \
    } while (0)

static void entry_points_follow_flags_and_runtime(void **state)
{
    (void)state;
    void *p = NULL;
    hipDriverEntryPointQueryResult status = hipDriverEntryPointSymbolNotFound;
    hipDriverProcAddressQueryResult proc = HIP_GET_PROC_ADDRESS_SUCCESS;
    assert_int_equal(hipGetProcAddress(NULL, &p, 600, 0, NULL), hipErrorInvalidValue);
    assert_int_equal(hipGetProcAddress("", &p, 600, 0, NULL), hipErrorInvalidValue);
    assert_int_equal(hipGetProcAddress("hipMemcpy", NULL, 600, 0, NULL), hipErrorInvalidValue);
    assert_int_equal(hipGetProcAddress("hipMemcpy", &p, 600, 0, NULL), hipSuccess);
    IS(p, hipMemcpy);
    assert_int_equal(hipGetProcAddress("hipMemcpy", &p, 600, hipEnablePerThreadDefaultStream, NULL),
                     hipSuccess);
    IS(p, hipMemcpy_spt);
    assert_int_equal(hipGetProcAddress_spt("hipMemcpy", &p, 714, 0, &proc), hipSuccess);
    assert_int_equal(proc, HIP_GET_PROC_ADDRESS_SUCCESS);
    IS(p, hipMemcpy_spt);
    assert_int_equal(
        hipGetProcAddress_spt("hipMemcpy", &p, 714, HIP_GET_PROC_ADDRESS_LEGACY_STREAM, NULL),
        hipSuccess);
    IS(p, hipMemcpy);
    assert_int_equal(hipGetDriverEntryPoint("hipMemcpy", &p, hipEnableDefault, &status),
                     hipSuccess);
    assert_int_equal(status, hipDriverEntryPointSuccess);
    IS(p, hipMemcpy);
    assert_int_equal(hipGetDriverEntryPoint_spt("hipMemcpy", &p, hipEnableDefault, NULL),
                     hipSuccess);
    IS(p, hipMemcpy_spt);
    assert_int_equal(hipGetDriverEntryPoint_spt("hipMemcpy", &p, hipEnableLegacyStream, NULL),
                     hipSuccess);
    IS(p, hipMemcpy);
    assert_int_equal(hipGetDriverEntryPoint("hipNone", &p, 0, &status), hipErrorInvalidValue);
    assert_int_equal(status, hipDriverEntryPointSymbolNotFound);
    if (kind_of("hipLibraryUnload") == HIPSHIM_KIND_MISSING) {
        assert_int_equal(hipGetProcAddress("hipLibraryUnload", &p, 700, 0, &proc),
                         hipErrorInvalidValue);
        assert_int_equal(proc, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
        assert_null(p);
    }
    /* A 5.x layout is not handed out, whatever the stream flag. */
    assert_int_equal(hipGetProcAddress("hipGetDeviceProperties", &p, 500,
                                       hipEnablePerThreadDefaultStream, &proc),
                     hipErrorInvalidValue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_accounted_for),
        cmocka_unit_test(a_missing_function_says_what_it_needs),
        cmocka_unit_test(a_function_of_7_14_says_so),
        cmocka_unit_test(entry_points_are_handed_out),
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(entry_points_follow_flags_and_runtime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
