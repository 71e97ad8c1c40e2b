/* SPDX-License-Identifier: MIT */
/*
 * What every test of GPU functions includes: cmocka, HIP's headers, and helpers.  The loopback
 * (tests/loopback) gives a real runtime a GPU made of host memory.
 *
 * Each program compiles with hipshim's stable headers, and then the same binary runs on every
 * release of HIP.  Most of them also compile with OWN_HEADERS and the headers of a release: such
 * a program is linked to the library of that release, as a user's program is, knows nothing of
 * hipshim and runs on other releases through the drop-ins (tests/dropin/pairs.t).  A test of what
 * some headers lack is under `#if HIP_VERSION`, which is the newest in the stable headers.
 *
 * A difference between runtimes is asserted for each side, with HIP_BEFORE, and a difference
 * between the callers of a drop-in with ANSWERS_BEFORE.
 */
#ifndef HIPSHIM_TESTS_GPU_GPU_H
#define HIPSHIM_TESTS_GPU_GPU_H

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#ifdef OWN_HEADERS
#define hipshim_error_text() "no text"
#else
#include <hipshim/hipshim.h>
#endif

/* cmocka hands each test a state, which none of these has. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Says what was wrong: a number alone does not. */
#define EXPECT(call, wanted)                                                                       \
    do {                                                                                           \
        hipError_t got_ = (call);                                                                  \
        if (got_ != (wanted)) {                                                                    \
            fail_msg("%s: %d (%s), not %d; %s", #call, (int)got_, hipGetErrorName(got_),           \
                     (int)(wanted), hipshim_error_text());                                         \
        }                                                                                          \
    } while (0)
#define OK(call) EXPECT(call, hipSuccess)
/* Which error follows from the driver below, but the runtime has the function. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        hipError_t got_ = (call);                                                                  \
        if (got_ == hipSuccess || got_ == hipErrorNotSupported) {                                  \
            fail_msg("%s: %d", #call, (int)got_);                                                  \
        }                                                                                          \
        (void)hipGetLastError();                                                                   \
    } while (0)

/* A release as 502 for 5.2, from its own number or from an environment variable. */
static inline int release_of_number(int version)
{
    return version / 10000000 * 100 + version / 100000 % 100;
}

static inline int release_in(const char *variable)
{
    const char *text = getenv(variable);
    int major = 0, minor = 0;
    if (!text || sscanf(text, "%d.%d", &major, &minor) != 2) {
        fail_msg("%s has no release", variable);
    }
    return major * 100 + minor;
}

static inline int told_release(void)
{
    int version = 0;
    OK(hipRuntimeGetVersion(&version));
    return release_of_number(version);
}

/* The runtime that does the work. */
static inline int hip_release(void)
{
#ifdef OWN_HEADERS
    return release_in("REAL_RELEASE");
#else
    return told_release();
#endif
}
#define HIP_BEFORE(major, minor) (hip_release() < (major)*100 + (minor))

/* The release whose numbers and layouts the program gets: that of its drop-in, or of the stable
 * headers. */
static inline int answering_release(void)
{
#ifdef OWN_HEADERS
    return release_in("FRONT_RELEASE");
#else
    return release_of_number(HIP_VERSION);
#endif
}
#define ANSWERS_BEFORE(major, minor) (answering_release() < (major)*100 + (minor))

/* A drop-in tells its own release over another major. */
static inline void expect_told_release(void)
{
#ifdef OWN_HEADERS
    bool same_major = hip_release() / 100 == answering_release() / 100;
    assert_int_equal(told_release(), same_major ? hip_release() : answering_release());
#endif
}

/* Whether AMD built the runtime under test, and not Debian. */
static inline bool is_amd_build(void)
{
    const char *name = getenv("REAL_NAME");
    return name && strstr(name, "-amd");
}

#ifdef OWN_HEADERS
/* What a drop-in does in place of a function that the runtime lacks; it reads no argument. */
static inline void expect_not_supported(const char *name)
{
    hipError_t (*call)(void);
    *(void **)&call = dlsym(RTLD_DEFAULT, name);
    if (!call) {
        fail_msg("no %s", name);
    }
    (void)hipGetLastError();
    EXPECT(call(), hipErrorNotSupported);
    EXPECT(hipPeekAtLastError(), hipErrorNotSupported);
    EXPECT(hipGetLastError(), hipErrorNotSupported);
    OK(hipPeekAtLastError());
}
#endif

/* Whether the runtime has the function; missing_functions_t.c tries the functions that are not. */
static inline bool runtime_has(const char *name)
{
#ifdef OWN_HEADERS
    const char *missing = getenv("MISSING_FUNCTIONS"); /* " hipA hipB " */
    char word[128];
    snprintf(word, sizeof word, " %s ", name);
    if (!missing || !strstr(missing, word)) {
        return true;
    }
    expect_not_supported(name);
    return false;
#else
    hipshim_function_t info = {.size = sizeof info};
    assert_int_equal(hipshim_function_info(name, &info), HIPSHIM_OK);
    return info.kind != HIPSHIM_KIND_MISSING;
#endif
}
#define HAS(function) runtime_has(#function)

/* Skips the test when the release has no such function. */
#define NEEDS(function)                                                                            \
    do {                                                                                           \
        if (!HAS(function)) {                                                                      \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

/* The number of a node type that the program gets.  The headers of 5.2 count from 1, and have two
 * types in another order and one of its own; its drop-in has the numbers of 5.7 over other
 * runtimes. */
static inline int node_type(hipGraphNodeType type)
{
#if HIP_VERSION < 50700000
    static const int of_5_7[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7};
    return ANSWERS_BEFORE(5, 7) ? (int)type : of_5_7[type];
#else
    return (int)type;
#endif
}

/* Bytes that differ from place to place and from seed to seed. */
static inline void pattern(void *memory, size_t size, unsigned seed)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(i * 31 + (i >> 8) * 7 + seed * 13 + 1);
    }
}

static inline void *pattern_new(size_t size, unsigned seed)
{
    void *memory = malloc(size ? size : 1);
    assert_non_null(memory);
    pattern(memory, size, seed);
    return memory;
}

static inline void expect_device_bytes(const void *device, const void *wanted, size_t size)
{
    void *got = calloc(1, size ? size : 1);
    assert_non_null(got);
    OK(hipMemcpy(got, device, size, hipMemcpyDeviceToHost));
    assert_memory_equal(got, wanted, size);
    free(got);
}

static inline void expect_device_filled(const void *device, int value, size_t size)
{
    unsigned char *wanted = malloc(size);
    assert_non_null(wanted);
    memset(wanted, value, size);
    expect_device_bytes(device, wanted, size);
    free(wanted);
}

/*
 * Call it before hipMemUnmap of memory that a command used.  The runtime releases what a
 * command holds in a thread of its own, after it has reported the command as complete, and
 * the process of 6.4 ends at hipMemUnmap of memory that a command still holds: "Memobj map
 * does not have ptr".  That thread works in order, so the completion of later commands
 * shows that the earlier ones were released.
 */
static inline void wait_for_releases(void)
{
    void *other = NULL;
    OK(hipMalloc(&other, 4096));
    for (int i = 0; i < 3; i++) {
        OK(hipMemset(other, i, 4096));
        OK(hipDeviceSynchronize());
    }
    OK(hipFree(other));
}

static inline hipGraphExec_t graph_instantiate(hipGraph_t graph)
{
    hipGraphExec_t exec = NULL;
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    return exec;
}

static inline void graph_run(hipGraphExec_t exec)
{
    OK(hipGraphLaunch(exec, NULL));
    OK(hipStreamSynchronize(NULL));
}

/* The code object of source for the first device and its size; free it. */
static inline void *compile_sized(const char *source, size_t *size_out)
{
    hiprtcProgram program;
    hipDeviceProp_t properties;
    char option[320];
    size_t size = 0;
    OK(hipGetDeviceProperties(&properties, 0));
    snprintf(option, sizeof option, "--offload-arch=%s", properties.gcnArchName);
    const char *options[] = {option};
    assert_int_equal(hiprtcCreateProgram(&program, source, "k.hip", 0, NULL, NULL), HIPRTC_SUCCESS);
    if (hiprtcCompileProgram(program, 1, options) != HIPRTC_SUCCESS) {
        static char log[4096];
        if (hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS && size < sizeof log) {
            (void)hiprtcGetProgramLog(program, log);
        }
        fail_msg("%s", log);
    }
    assert_int_equal(hiprtcGetCodeSize(program, &size), HIPRTC_SUCCESS);
    void *code = malloc(size);
    assert_non_null(code);
    assert_int_equal(hiprtcGetCode(program, code), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
    *size_out = size;
    return code;
}

static inline void *compile(const char *source)
{
    size_t size = 0;
    return compile_sized(source, &size);
}

/* The caller unloads it. */
static inline hipModule_t module_of(const char *source)
{
    hipModule_t module;
    void *code = compile(source);
    OK(hipModuleLoadData(&module, code));
    free(code);
    return module;
}

#endif
