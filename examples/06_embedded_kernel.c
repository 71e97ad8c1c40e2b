/* SPDX-License-Identifier: MIT */
/*
 * Runs a kernel that is inside the program: compiled when the program was, for
 * each architecture named there, with the source for all others.
 *
 *   hipshim embed --arch gfx90a,gfx1030 --source -o kernels kernels
 *   cc 06_embedded_kernel.c kernels.c $(pkg-config --cflags --libs hipshim)
 *   ./a.out
 */
#include "kernels.h"

#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, THREADS = 256 };

static int failed(const char *call, hipError_t error)
{
    printf("%s: %s %s\nFAIL\n", call, hipGetErrorName(error), hipshim_error_text());
    return EXIT_FAILURE;
}

static int wrong_at(const float *y, float a)
{
    for (int i = 0; i < N; i++) {
        if (y[i] != 1.0f + a * (float)i) {
            return i;
        }
    }
    return -1;
}

static int run(hipModule_t module)
{
    static float x[N], y[N];
    float a = 2.5f;
    unsigned n = N;
    void *on_gpu[2] = {NULL, NULL};
    void *arguments[] = {&a, &on_gpu[0], &on_gpu[1], &n};
    hipFunction_t axpy;
    hipError_t error = hipModuleGetFunction(&axpy, module, "axpy");

    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    if (error != hipSuccess) {
        return failed("hipModuleGetFunction", error);
    }
    if ((error = hipMalloc(&on_gpu[0], sizeof x)) != hipSuccess ||
        (error = hipMalloc(&on_gpu[1], sizeof y)) != hipSuccess ||
        (error = hipMemcpy(on_gpu[0], x, sizeof x, hipMemcpyHostToDevice)) != hipSuccess ||
        (error = hipMemcpy(on_gpu[1], y, sizeof y, hipMemcpyHostToDevice)) != hipSuccess) {
        return failed("preparing the memory", error);
    }
    error = hipModuleLaunchKernel(axpy, (N + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, NULL,
                                  arguments, NULL);
    if (error != hipSuccess ||
        (error = hipMemcpy(y, on_gpu[1], sizeof y, hipMemcpyDeviceToHost)) != hipSuccess) {
        return failed("the launch", error);
    }
    if (wrong_at(y, a) >= 0) {
        printf("y[%d] is %g\nFAIL\n", wrong_at(y, a), (double)y[wrong_at(y, a)]);
        return EXIT_FAILURE;
    }
    printf("y = %g * x + y is right in all %d places\n", (double)a, N);
    return (void)hipFree(on_gpu[0]), (void)hipFree(on_gpu[1]), EXIT_SUCCESS;
}

int main(void)
{
    const hipshim_embedded_code_t *code;
    hipModule_t module;

    for (size_t i = 0; i < kernels.code_count; i++) {
        printf("embedded: %s for %s, %zu bytes\n", kernels.codes[i].kernel, kernels.codes[i].arch,
               kernels.codes[i].code_size);
    }
    if (hipshim_embedded_find(&kernels, "axpy", NULL, &code) == HIPSHIM_OK) {
        printf("for this device: %s\n", code->arch);
    } else if (kernels.source_count > 0) {
        printf("for this device: the source, compiled now\n");
    }
    if (hipshim_embedded_load(&kernels, "axpy", NULL, &module) != HIPSHIM_OK) {
        printf("not run: %s\n", hipshim_error_text());
        return EXIT_FAILURE;
    }
    if (run(module) != EXIT_SUCCESS) {
        return EXIT_FAILURE;
    }
    (void)hipModuleUnload(module);
    puts("PASS");
    return EXIT_SUCCESS;
}
