/* SPDX-License-Identifier: MIT */
/*
 * Runs a kernel that is inside the program.  `hipshim embed` compiled it, when the program was
 * built, for the architectures named there, and added the source for all others.
 *
 *   hipshim embed --arch gfx90a,gfx1030 --source -o kernels kernels
 *   cc 06_embedded_kernel.c kernels.c $(pkg-config --cflags --libs hipshim-kernel)
 *   ./a.out
 */
#include "example.h"
#include "kernels.h"

enum { N = 1000 };

static void say_which(void)
{
    const hipshim_embedded_code_t *code;

    for (size_t i = 0; i < kernels.code_count; i++) {
        printf("embedded: %s for %s, %zu bytes\n", kernels.codes[i].kernel, kernels.codes[i].arch,
               kernels.codes[i].code_size);
    }
    if (hipshim_embedded_find(&kernels, "axpy", NULL, &code) == HIPSHIM_OK) {
        printf("for this device: %s\n", code->arch);
    } else if (kernels.source_count > 0) {
        printf("for this device: the source, compiled now\n");
    }
}

int main(void)
{
    static float x[N], y[N];
    float a = 2.5f;
    unsigned n = N;
    void *on_gpu[2] = {NULL, NULL};
    void *arguments[] = {&a, &on_gpu[0], &on_gpu[1], &n};
    hipModule_t module;
    hipFunction_t axpy;

    example_begin("y = a * x + y with a kernel that is embedded in this program");
    say_which();
    if (hipshim_embedded_load(&kernels, "axpy", NULL, &module) != HIPSHIM_OK) {
        example_end(EXIT_FAILURE, "%s", hipshim_error_text());
    }
    HIP(hipModuleGetFunction(&axpy, module, "axpy"));
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    HIP(hipMalloc(&on_gpu[0], sizeof x));
    HIP(hipMalloc(&on_gpu[1], sizeof y));
    HIP(hipMemcpy(on_gpu[0], x, sizeof x, hipMemcpyHostToDevice));
    HIP(hipMemcpy(on_gpu[1], y, sizeof y, hipMemcpyHostToDevice));
    example_launch(axpy, N, arguments);
    HIP(hipMemcpy(y, on_gpu[1], sizeof y, hipMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        if (y[i] != 1.0f + a * (float)i) {
            example_end(EXIT_FAILURE, "y[%d] is %g, not %g", i, (double)y[i],
                        (double)(1.0f + a * (float)i));
        }
    }
    HIP(hipFree(on_gpu[0]));
    HIP(hipFree(on_gpu[1]));
    HIP(hipModuleUnload(module));
    example_end(EXIT_SUCCESS, "y = %g * x + y in all %d places", (double)a, N);
}
