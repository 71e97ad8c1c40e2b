/* SPDX-License-Identifier: MIT */
/*
 * Compiles a kernel with hiprtc, on any ROCm release and without a GPU, and prints the size of the
 * code and the symbol of the kernel.
 *
 *   cc hiprtc_compile.c $(pkg-config --cflags --libs hipshim)
 *   ./a.out gfx90a
 */
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <hipshim/hipshim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "template <typename T>\n"
                             "__global__ void axpy(T a, const T *x, T *y, unsigned n) {\n"
                             "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n) y[i] += a * x[i];\n"
                             "}\n";
static const char kernel[] = "axpy<float>";

static int failed(const char *call, hiprtcResult result)
{
    const char *text = hipshim_error_text();
    fprintf(stderr, "%s: %s%s%s\n", call, hiprtcGetErrorString(result), *text ? ": " : "", text);
    return EXIT_FAILURE;
}

static void print_log(hiprtcProgram program)
{
    size_t size = 0;
    if (hiprtcGetProgramLogSize(program, &size) != HIPRTC_SUCCESS || size <= 1) {
        return;
    }
    char *log = malloc(size);
    if (log && hiprtcGetProgramLog(program, log) == HIPRTC_SUCCESS) {
        fputs(log, stderr);
    }
    free(log);
}

static int compile(hiprtcProgram program, const char *arch)
{
    char option[96];
    snprintf(option, sizeof option, "--offload-arch=%s", arch);
    const char *options[] = {option};

    hiprtcResult result = hiprtcAddNameExpression(program, kernel);
    if (result != HIPRTC_SUCCESS) {
        return failed("hiprtcAddNameExpression", result);
    }
    result = hiprtcCompileProgram(program, 1, options);
    if (result != HIPRTC_SUCCESS) {
        print_log(program);
        return failed("hiprtcCompileProgram", result);
    }
    size_t size = 0;
    result = hiprtcGetCodeSize(program, &size);
    if (result != HIPRTC_SUCCESS) {
        return failed("hiprtcGetCodeSize", result);
    }
    const char *lowered = NULL;
    result = hiprtcGetLoweredName(program, kernel, &lowered);
    if (result != HIPRTC_SUCCESS) {
        return failed("hiprtcGetLoweredName", result);
    }
    printf("%s for %s: %zu bytes of code, symbol %s\n", kernel, arch, size, lowered);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        fprintf(stderr, "usage: %s [ARCHITECTURE]  (default: gfx90a)\n", argv[0]);
        return EXIT_FAILURE;
    }
    hiprtcProgram program = NULL;
    hiprtcResult result = hiprtcCreateProgram(&program, source, "axpy.hip", 0, NULL, NULL);
    if (result != HIPRTC_SUCCESS) {
        return failed("hiprtcCreateProgram", result);
    }
    int status = compile(program, argc == 2 ? argv[1] : "gfx90a");
    hiprtcDestroyProgram(&program);
    return status;
}
