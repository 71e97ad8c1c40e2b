/* SPDX-License-Identifier: MIT */
/*
 * hipshim/kernel.h on a real runtime, run several times by real.sh with
 * one cache.  KERNEL_ORIGIN is what the results must be: "compiled" or "cached".
 * KERNEL_DEVICE: there is a GPU, if only the loopback.
 */
#include "../loopback/gpu/gpu.h"

#include <hipshim/kernel.h>

static const char source[] = "#include \"scale.h\"\n"
                             "template <typename T> __global__ void twice(T *x) { *x *= SCALE; }\n"
                             "#ifdef SAY\n#warning \"the log\"\n#endif\n"
                             "extern \"C\" __global__ void plain(int *x) { *x = 7; }\n";
static const hipshim_kernel_header_t header = {"scale.h", "#define SCALE 2\n"};
static const char *const expressions[] = {"twice<float>", "twice<int>", "plain"};
static const char *const say[] = {"-DSAY", "-O3"};

static hipshim_kernel_origin_t wanted_origin(void)
{
    const char *wanted = getenv("KERNEL_ORIGIN");

    return wanted && strcmp(wanted, "cached") == 0 ? HIPSHIM_KERNEL_CACHED
                                                   : HIPSHIM_KERNEL_COMPILED;
}

/* HIP 5.2's hiprtc ends the process on gfx1100. */
static const char *rdna_arch(void)
{
    const char *release = getenv("REAL_RELEASE");

    return release && strncmp(release, "5.2.", 4) == 0 ? "gfx1030" : "gfx1100";
}

static hipshim_kernel_t *compile_for(const char *arch, size_t options)
{
    hipshim_kernel_options_t request = {.size = sizeof request,
                                        .source = source,
                                        .name = "scale.hip",
                                        .arch = arch,
                                        .options = say,
                                        .option_count = options,
                                        .headers = &header,
                                        .header_count = 1,
                                        .expressions = expressions,
                                        .expression_count = 3};
    hipshim_kernel_t *kernel;
    hipshim_status_t status = hipshim_kernel_compile(&request, &kernel);

    if (status != HIPSHIM_OK) {
        fail_msg("%s: %s\n%s", arch ? arch : "the device", hipshim_error_text(),
                 hipshim_kernel_log(kernel));
    }
    return kernel;
}

static void check(const char *arch)
{
    hipshim_kernel_t *kernel = compile_for(arch, 2);
    size_t size;
    const unsigned char *code = hipshim_kernel_code(kernel, &size);

    assert_string_equal(hipshim_kernel_cache_message(kernel), "");
    assert_int_equal(hipshim_kernel_origin(kernel), wanted_origin());
    assert_string_equal(hipshim_kernel_arch(kernel), arch);
    assert_true(size > 1000);
    assert_memory_equal(code, "\177ELF\2", 5);
    assert_int_equal(code[18] | code[19] << 8, 224); /* EM_AMDGPU */
    assert_string_equal(hipshim_kernel_lowered_name(kernel, "twice<float>"), "_Z5twiceIfEvPT_");
    assert_string_equal(hipshim_kernel_lowered_name(kernel, "twice<int>"), "_Z5twiceIiEvPT_");
    assert_string_equal(hipshim_kernel_lowered_name(kernel, "plain"), "plain");
    assert_null(hipshim_kernel_lowered_name(kernel, "twice<double>"));
    assert_non_null(strstr(hipshim_error_text(), "twice<double>"));
    assert_non_null(memmem(code, size, "_Z5twiceIfEvPT_", 15));
    assert_non_null(strstr(hipshim_kernel_log(kernel), "the log"));
    hipshim_kernel_free(kernel);
}

/* The first test of the process, before another one opens hiprtc. */
static void a_hit_needs_no_compiler(void **state)
{
    char line[4400];
    FILE *maps;
    int version;

    if (wanted_origin() != HIPSHIM_KERNEL_CACHED) {
        skip();
    }
    check("gfx90a");
    maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        assert_null(strstr(line, "libhiprtc.so"));
    }
    fclose(maps);
    OK(hipRuntimeGetVersion(&version));
    assert_true(version > 50000000);
}

static void kernels_for_gfx90a(void **state)
{
    check("gfx90a");
}

static void kernels_for_gfx90a_with_features(void **state)
{
    check("gfx90a:sramecc+:xnack-");
}

static void kernels_for_rdna(void **state)
{
    check(rdna_arch());
}

static void options_are_not_mixed_up(void **state)
{
    hipshim_kernel_t *kernel = compile_for("gfx90a", 0);

    assert_null(strstr(hipshim_kernel_log(kernel), "the log"));
    hipshim_kernel_free(kernel);
}

static void broken_source_comes_with_its_log(void **state)
{
    const hipshim_kernel_options_t options = {
        .size = sizeof options,
        .source = "extern \"C\" __global__ void broken() { no_such_thing(); }\n",
        .name = "broken.hip",
        .arch = "gfx90a"};
    hipshim_kernel_t *kernel;

    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_COMPILATION);
    assert_null(hipshim_kernel_code(kernel, NULL));
    assert_int_equal(hipshim_kernel_origin(kernel), HIPSHIM_KERNEL_NONE);
    assert_non_null(strstr(hipshim_kernel_log(kernel), "no_such_thing"));
    assert_non_null(strstr(hipshim_error_text(), "broken.hip does not compile for gfx90a"));
    hipshim_kernel_free(kernel);
}

/*
 * The compiler of HIP 7 says nothing of it; then the text must not send anybody to the log.
 * Before HIP 7 it would end the process, so hipshim lists what the compiler knows.
 */
static void an_unknown_architecture_is_not_blamed_on_the_source(void **state)
{
    static const char *const archs[] = {"gfx90", "gfx9999"};
    hipshim_kernel_options_t options = {.size = sizeof options,
                                        .source = "extern \"C\" __global__ void f() {}\n"};
    const char *release = getenv("REAL_RELEASE");
    hipshim_kernel_t *kernel;

    for (size_t i = 0; i < 2; i++) {
        options.arch = archs[i];
        assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_COMPILATION);
        if (release && strcmp(release, "7.1") < 0) {
            assert_non_null(strstr(hipshim_error_text(), "this HIP compiles for gfx"));
        } else if (*hipshim_kernel_log(kernel)) {
            assert_non_null(strstr(hipshim_error_text(), "log"));
        } else {
            assert_non_null(strstr(hipshim_error_text(), "gives no reason; it may not know"));
        }
        hipshim_kernel_free(kernel);
    }
}

static void expressions_that_are_none_fail(void **state)
{
    static const char *const bad[] = {"no_such<int>"};
    const hipshim_kernel_options_t options = {.size = sizeof options,
                                              .source = "template <typename T> __global__ void "
                                                        "once(T *x) { *x = 1; }\n",
                                              .arch = "gfx90a",
                                              .expressions = bad,
                                              .expression_count = 1};
    hipshim_kernel_t *kernel;

    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_COMPILATION);
    assert_string_not_equal(hipshim_error_text(), "");
    hipshim_kernel_free(kernel);
}

static void hip_runtime_h_is_there(void **state)
{
    static const char *const texts[] = {
        "#include <hip/hip_runtime.h>\n"
        "extern \"C\" __global__ void f(float *x) { x[threadIdx.x] = __expf(x[0]); }\n",
        "#include \"hip/hip_runtime.h\"\n#ifndef OURS\n#error not ours\n#endif\n"};
    const hipshim_kernel_header_t ours = {"hip/hip_runtime.h", "#define OURS\n"};
    hipshim_kernel_t *kernel;

    for (size_t i = 0; i < 2; i++) { /* lent, and given by the caller */
        const hipshim_kernel_options_t options = {.size = sizeof options,
                                                  .source = texts[i],
                                                  .arch = "gfx90a",
                                                  .headers = &ours,
                                                  .header_count = i};

        if (hipshim_kernel_compile(&options, &kernel) != HIPSHIM_OK) {
            fail_msg("%s\n%s", hipshim_error_text(), hipshim_kernel_log(kernel));
        }
        assert_int_equal(hipshim_kernel_origin(kernel), wanted_origin());
        assert_string_equal(hipshim_kernel_cache_message(kernel), "");
        hipshim_kernel_free(kernel);
    }
}

static void without_the_cache_it_compiles(void **state)
{
    const hipshim_kernel_options_t options = {.size = sizeof options,
                                              .source = "extern \"C\" __global__ void f() {}\n",
                                              .arch = "gfx90a",
                                              .flags = HIPSHIM_KERNEL_NO_CACHE};
    hipshim_kernel_t *kernel;

    for (int i = 0; i < 2; i++) {
        assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_OK);
        assert_int_equal(hipshim_kernel_origin(kernel), HIPSHIM_KERNEL_COMPILED);
        assert_string_equal(hipshim_kernel_cache_message(kernel), "");
        hipshim_kernel_free(kernel);
    }
}

static void the_device_names_its_architecture(void **state)
{
    hipshim_arch_source_t found;
    hipDeviceProp_t properties;
    char arch[64];

    if (!getenv("KERNEL_DEVICE")) {
        skip();
    }
    assert_int_equal(hipshim_arch_detect(NULL, arch, sizeof arch, &found), HIPSHIM_OK);
    assert_int_equal(found, HIPSHIM_ARCH_SOURCE_DEVICE);
    OK(hipGetDeviceProperties(&properties, 0));
    assert_string_equal(arch, properties.gcnArchName);
    print_message("# %s\n", arch);
}

static void the_device_loads_what_comes_out(void **state)
{
    hipshim_kernel_t *kernel;
    hipModule_t module;
    hipFunction_t function;

    if (!getenv("KERNEL_DEVICE")) {
        skip();
    }
    for (int i = 0; i < 2; i++) { /* the second time from the cache */
        kernel = compile_for(NULL, 0);
        OK(hipModuleLoadData(&module, hipshim_kernel_code(kernel, NULL)));
        OK(hipModuleGetFunction(&function, module,
                                hipshim_kernel_lowered_name(kernel, "twice<int>")));
        OK(hipModuleGetFunction(&function, module, "plain"));
        OK(hipModuleUnload(module));
        hipshim_kernel_free(kernel);
    }
}

static void without_a_device_there_is_no_architecture(void **state)
{
    char arch[64];
    hipError_t before = hipPeekAtLastError();

    if (getenv("KERNEL_DEVICE") || access("/sys/class/kfd/kfd/topology/nodes/1", F_OK) == 0) {
        skip();
    }
    assert_int_equal(hipshim_arch_detect(NULL, arch, sizeof arch, NULL), HIPSHIM_ERROR_NO_ARCH);
    assert_int_equal(hipPeekAtLastError(), before); /* asking left no trace */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_needs_no_compiler),
        cmocka_unit_test(kernels_for_gfx90a),
        cmocka_unit_test(kernels_for_gfx90a_with_features),
        cmocka_unit_test(kernels_for_rdna),
        cmocka_unit_test(options_are_not_mixed_up),
        cmocka_unit_test(without_a_device_there_is_no_architecture),
        cmocka_unit_test(hip_runtime_h_is_there),
        cmocka_unit_test(broken_source_comes_with_its_log),
        cmocka_unit_test(an_unknown_architecture_is_not_blamed_on_the_source),
        cmocka_unit_test(expressions_that_are_none_fail),
        cmocka_unit_test(without_the_cache_it_compiles),
        cmocka_unit_test(the_device_names_its_architecture),
        cmocka_unit_test(the_device_loads_what_comes_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
