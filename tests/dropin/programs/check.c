/* SPDX-License-Identifier: MIT */
/* What the programs of tests/dropin/programs share; see check.h. */
#include "check.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <unistd.h>

#include <hip/hiprtc.h>

int check_back;
int check_front;

static int failed;
static const char *skipped;

void check_fails(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    const char *base = strrchr(file, '/');

    failed = 1;
    printf("# %s:%d: ", base ? base + 1 : file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

void check_skips(const char *why)
{
    skipped = why;
}

void check_fill(void *memory, size_t size, unsigned seed)
{
    unsigned char *bytes = memory;

    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(i * 31 + (i >> 8) * 7 + seed * 13 + 1);
    }
}

int check_device_has(const void *device, const void *wanted, size_t size)
{
    void *got = calloc(1, size);
    int same = got && hipMemcpy(got, device, size, hipMemcpyDeviceToHost) == hipSuccess &&
               memcmp(got, wanted, size) == 0;

    free(got);
    return same;
}

int check_device_filled(const void *device, int value, size_t size)
{
    void *wanted = malloc(size);
    int same = 0;

    if (wanted) {
        memset(wanted, value, size);
        same = check_device_has(device, wanted, size);
    }
    free(wanted);
    return same;
}

static void *get_code(hiprtcProgram program, size_t *size)
{
    void *code = NULL;

    if (hiprtcGetCodeSize(program, size) == HIPRTC_SUCCESS) {
        code = malloc(*size);
    }
    if (code && hiprtcGetCode(program, code) != HIPRTC_SUCCESS) {
        free(code);
        code = NULL;
    }
    return code;
}

void *check_compile(const char *source, size_t *size)
{
    hiprtcProgram program = NULL;
    hipDeviceProp_t properties;
    char option[320];
    const char *options[] = {option};
    void *code = NULL;

    if (hipGetDeviceProperties(&properties, 0) != hipSuccess) {
        check_fails(__FILE__, __LINE__, "no properties");
        return NULL;
    }
    snprintf(option, sizeof option, "--offload-arch=%s", properties.gcnArchName);
    if (hiprtcCreateProgram(&program, source, "k.hip", 0, NULL, NULL) == HIPRTC_SUCCESS &&
        hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS) {
        code = get_code(program, size);
    }
    if (hiprtcDestroyProgram(&program) != HIPRTC_SUCCESS || !code) {
        check_fails(__FILE__, __LINE__, "hiprtc did not compile for %s", option);
    }
    return code;
}

void *check_reach(const void *address)
{
    static void *(*host_pointer)(const void *);

    if (!host_pointer) {
        void *loopback = dlopen("libhsa-runtime64.so.1", RTLD_NOW | RTLD_NOLOAD);
        *(void **)&host_pointer = loopback ? dlsym(loopback, "loopback_host_pointer") : NULL;
    }
    return host_pointer ? host_pointer(address) : (void *)(uintptr_t)address;
}

static int release(const char *text)
{
    int major = 0, minor = 0;

    return sscanf(text, "%d.%d", &major, &minor) == 2 ? major * 100 + minor : 0;
}

static int run_all(const struct test *tests, int number, int *failures)
{
    for (; tests->words; tests++) {
        failed = 0;
        skipped = NULL;
        (void)hipGetLastError();
        tests->run();
        number++;
        *failures += failed;
        printf("%sok %d - %s%s%s\n", failed ? "not " : "", number, tests->words,
               skipped ? " # SKIP " : "", skipped ? skipped : "");
        fflush(stdout);
    }
    return number;
}

int check_main(int count, char **arguments, const struct test *const *all)
{
    int version = 0, number = 1, failures = 0;

    if (count != 3 || !(check_front = release(arguments[1])) ||
        !(check_back = release(arguments[2]))) {
        fputs("usage: program FRONT BACK\n", stderr);
        return 2;
    }
    /* A drop-in answers its own release over another major. */
    int wanted = check_front / 100 == check_back / 100 ? check_back : check_front;
    printf("# built for HIP %d.%d.%d\n", HIP_VERSION_MAJOR, HIP_VERSION_MINOR, HIP_VERSION_PATCH);
    if (hipRuntimeGetVersion(&version) != hipSuccess ||
        version / 10000000 * 100 + version / 100000 % 100 != wanted) {
        printf("not ok 1 - runs as HIP %d\n# it is %d\n", wanted, version);
        failures = 1;
    } else {
        printf("ok 1 - runs on HIP %s\n", arguments[2]);
    }
    for (; *all; all++) {
        number = run_all(*all, number, &failures);
    }
    printf("1..%d\n", number);
    fflush(NULL);
    /* Without exit handlers: those of HIP 7.2 take down what its own threads may still use. */
    _exit(failures ? 1 : 0);
}
