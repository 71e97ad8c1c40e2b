/* SPDX-License-Identifier: MIT */
/* Code linked at run time from bitcode, by hiprtc and by the driver's functions; code loaded as a
 * library. */
#include "gpu.h"

static const char source[] = "extern \"C\" __global__ void first(int *p) { *p = 1; }\n"
                             "extern \"C\" __global__ void second(int *p) { *p = 2; }\n";

/* The bitcode of source; free it. */
static char *bitcode(size_t *size)
{
    hiprtcProgram program;
    hipDeviceProp_t properties;
    char option[320];
    OK(hipGetDeviceProperties(&properties, 0));
    snprintf(option, sizeof option, "--offload-arch=%s", properties.gcnArchName);
    const char *options[] = {option, "-fgpu-rdc"};
    assert_int_equal(hiprtcCreateProgram(&program, source, "k.hip", 0, NULL, NULL), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcCompileProgram(program, 2, options), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcGetBitcodeSize(program, size), HIPRTC_SUCCESS);
    assert_true(*size > 100);
    char *code = malloc(*size);
    assert_non_null(code);
    assert_int_equal(hiprtcGetBitcode(program, code), HIPRTC_SUCCESS);
    assert_memory_equal(code, "BC", 2);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
    return code;
}

static void expect_kernels(const void *code)
{
    hipModule_t module;
    hipFunction_t function = NULL;
    OK(hipModuleLoadData(&module, code));
    OK(hipModuleGetFunction(&function, module, "first"));
    OK(hipModuleGetFunction(&function, module, "second"));
    EXPECT(hipModuleGetFunction(&function, module, "third"), hipErrorNotFound);
    (void)hipGetLastError();
    OK(hipModuleUnload(module));
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void hiprtc_links(void **state)
{
    NEEDS(hiprtcLinkCreate);
    hiprtcLinkState link = NULL;
    void *code = NULL;
    size_t size = 0;
    char *bits = bitcode(&size);
    assert_int_equal(hiprtcLinkCreate(0, NULL, NULL, &link), HIPRTC_SUCCESS);
    assert_int_equal(
        hiprtcLinkAddData(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, bits, size, "k", 0, NULL, NULL),
        HIPRTC_SUCCESS);
    assert_int_equal(hiprtcLinkComplete(link, &code, &size), HIPRTC_SUCCESS);
    expect_kernels(code);
    assert_int_equal(hiprtcLinkDestroy(link), HIPRTC_SUCCESS);
    free(bits);
}

static void hiprtc_links_files(void **state)
{
    NEEDS(hiprtcLinkCreate);
    hiprtcLinkState link = NULL;
    void *code = NULL;
    size_t size = 0;
    char *bits = bitcode(&size);
    write_file("linked.bc", bits, size);
    assert_int_equal(hiprtcLinkCreate(0, NULL, NULL, &link), HIPRTC_SUCCESS);
    assert_int_equal(
        hiprtcLinkAddFile(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, "linked.bc", 0, NULL, NULL),
        HIPRTC_SUCCESS);
    assert_int_equal(hiprtcLinkComplete(link, &code, &size), HIPRTC_SUCCESS);
    expect_kernels(code);
    assert_int_equal(hiprtcLinkDestroy(link), HIPRTC_SUCCESS);
    assert_int_equal(unlink("linked.bc"), 0);
    free(bits);
}

/* The driver's functions take SPIR-V alone, which there is no compiler for here. */
static void the_driver_links_spirv_only(void **state)
{
    NEEDS(hipLinkCreate);
    hipLinkState_t link = NULL;
    void *code = NULL;
    size_t size = 0;
    size_t code_size = 77;
    char *bits = bitcode(&size);
    write_file("linked.bc", bits, size);
    OK(hipLinkCreate(0, NULL, NULL, &link));
    EXPECT(hipLinkAddData(link, hipJitInputLLVMBitcode, bits, size, "k", 0, NULL, NULL),
           hipErrorInvalidValue);
    EXPECT(hipLinkAddFile(link, hipJitInputLLVMBitcode, "linked.bc", 0, NULL, NULL),
           hipErrorInvalidValue);
    OK(hipLinkAddFile(link, hipJitInputSpirv, "linked.bc", 0, NULL, NULL));
    if (!is_amd_build()) { /* AMD's comgr reads SPIR-V, and ends the process if it is none */
        assert_int_not_equal(hipLinkComplete(link, &code, &code_size), hipSuccess);
    }
    OK(hipLinkDestroy(link));
    (void)hipGetLastError();
    assert_int_equal(unlink("linked.bc"), 0);
    free(bits);
}

static void modules_come_with_options_and_from_files(void **state)
{
    size_t size = 0;
    void *code = compile_sized(source, &size);
    hipModule_t module = NULL;
    hipFunction_t function = NULL;
    OK(hipModuleLoadDataEx(&module, code, 0, NULL, NULL));
    OK(hipModuleGetFunction(&function, module, "first"));
    if (HAS(hipModuleGetFunctionCount)) {
        unsigned count = 77;
        OK(hipModuleGetFunctionCount(&count, module));
        assert_int_equal(count, 2);
    }
    OK(hipModuleUnload(module));
    write_file("module.co", code, size);
    OK(hipModuleLoad(&module, "module.co"));
    OK(hipModuleGetFunction(&function, module, "first"));
    OK(hipModuleUnload(module));
    assert_int_equal(unlink("module.co"), 0);
    if (HAS(hipModuleLoadFatBinary)) {
        OK(hipModuleLoadFatBinary(&module, code));
        OK(hipModuleGetFunction(&function, module, "second"));
        OK(hipModuleUnload(module));
    }
    free(code);
}

static void expect_library(hipLibrary_t library)
{
    hipKernel_t kernel = NULL;
    hipKernel_t kernels[2] = {NULL, NULL};
    hipLibrary_t owner = NULL;
    const char *name = NULL;
    unsigned count = 77;
    OK(hipLibraryGetKernelCount(&count, library));
    assert_int_equal(count, 2);
    OK(hipLibraryGetKernel(&kernel, library, "second"));
    OK(hipKernelGetName(&name, kernel));
    assert_string_equal(name, "second");
    OK(hipKernelGetLibrary(&owner, kernel));
    assert_ptr_equal(owner, library);
    OK(hipLibraryEnumerateKernels(kernels, 2, library));
    assert_true(kernels[0] == kernel || kernels[1] == kernel);
    OK(hipLibraryUnload(library));
}

static void libraries_have_kernels(void **state)
{
    NEEDS(hipLibraryLoadData);
    size_t size = 0;
    void *code = compile_sized(source, &size);
    hipLibrary_t library = NULL;
    OK(hipLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    expect_library(library);
    write_file("library.co", code, size);
    OK(hipLibraryLoadFromFile(&library, "library.co", NULL, NULL, 0, NULL, NULL, 0));
    expect_library(library);
    assert_int_equal(unlink("library.co"), 0);
    free(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hiprtc_links),
        cmocka_unit_test(hiprtc_links_files),
        cmocka_unit_test(the_driver_links_spirv_only),
        cmocka_unit_test(modules_come_with_options_and_from_files),
        cmocka_unit_test(libraries_have_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
