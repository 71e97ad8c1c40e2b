/* SPDX-License-Identifier: MIT */
/*
 * kernel hit|compile|again|comgr|comgr-again|size
 * Prints how many ns one compilation of a kernel for gfx90a takes:
 *   hit          from hipshim's cache, the runtime being open
 *   compile      without a cache, the first of the process
 *   again        the second
 *   comgr        by hiprtc alone, whose comgr may have a cache, the first
 *   comgr-again  the second
 *   size         no time, but the bytes of the code object
 */
#include <stdio.h>
#include <string.h>

#include <hip/hiprtc.h>
#include <hipshim/kernel.h>

#include "sample.h"

/* As much work as gives a code object of 20 KB. */
static const char source[] =
    "#define WORK(n) extern \"C\" __global__ void work##n(float *x, float a) {            \\\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x; float s = x[i];                   \\\n"
    "    for (int k = 0; k < 16; k++) s = __fmaf_rn(s, a, x[i + k * n]) / (a + k);        \\\n"
    "    x[i] = s; }\n"
    "WORK(1) WORK(2) WORK(3) WORK(4) WORK(5) WORK(6)\n";

static void fail(const char *what)
{
    fprintf(stderr, "kernel: %s: %s\n", what, hipshim_error_text());
    exit(1);
}

static size_t by_hipshim(unsigned flags, hipshim_kernel_origin_t wanted)
{
    const hipshim_kernel_options_t options = {
        .size = sizeof options, .source = source, .arch = "gfx90a", .flags = flags};
    hipshim_kernel_t *kernel;
    size_t size;

    if (hipshim_kernel_compile(&options, &kernel) != HIPSHIM_OK) {
        fail(hipshim_kernel_log(kernel));
    }
    if (wanted != HIPSHIM_KERNEL_NONE && hipshim_kernel_origin(kernel) != wanted) {
        fail("not from where it should be");
    }
    hipshim_kernel_code(kernel, &size);
    hipshim_kernel_free(kernel);
    return size;
}

static void by_hiprtc(void)
{
    const char *option = "--offload-arch=gfx90a";
    hiprtcProgram program;
    size_t size = 0;
    char *code;

    if (hiprtcCreateProgram(&program, source, "kernel.hip", 0, NULL, NULL) != HIPRTC_SUCCESS ||
        hiprtcCompileProgram(program, 1, &option) != HIPRTC_SUCCESS ||
        hiprtcGetCodeSize(program, &size) != HIPRTC_SUCCESS || !(code = malloc(size)) ||
        hiprtcGetCode(program, code) != HIPRTC_SUCCESS) {
        fail("hiprtc");
    }
    free(code);
    hiprtcDestroyProgram(&program);
}

static void run(const char *what)
{
    if (strcmp(what, "hit") == 0) {
        by_hipshim(0, HIPSHIM_KERNEL_CACHED);
    } else if (strstr(what, "comgr")) {
        by_hiprtc();
    } else {
        by_hipshim(HIPSHIM_KERNEL_NO_CACHE, HIPSHIM_KERNEL_COMPILED);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    double start;

    if (strcmp(what, "size") == 0) {
        printf("%zu\n", by_hipshim(0, HIPSHIM_KERNEL_NONE));
        return 0;
    }
    if (hipshim_init() != HIPSHIM_OK) {
        fail("no runtime");
    }
    if (strstr(what, "again")) {
        run(what);
    }
    start = sample_now();
    run(what);
    printf("%.0f\n", sample_now() - start);
    return 0;
}
