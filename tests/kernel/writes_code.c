/* SPDX-License-Identifier: MIT */
/* Writes the code of a kernel to standard output; its names depend on no path. */
#include <hipshim/hipshim.h>
#include <hipshim/kernel.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    const hipshim_kernel_options_t options = {
        .size = sizeof options,
        .source = "extern \"C\" __global__ void k(float *x, int n) {\n"
                  "    for (int i = threadIdx.x; i < n; i += warpSize) x[i] = sinf(x[i]) / 3;\n"
                  "}\n",
        .name = "k.hip",
        .arch = argc > 1 ? argv[1] : NULL,
        .flags = HIPSHIM_KERNEL_NO_CACHE,
    };
    hipshim_kernel_t *kernel;
    size_t size;

    if (hipshim_kernel_compile(&options, &kernel) != HIPSHIM_OK) {
        fprintf(stderr, "%s\n", hipshim_error_text());
        return 1;
    }
    const void *code = hipshim_kernel_code(kernel, &size);
    size_t written = fwrite(code, 1, size, stdout);

    hipshim_kernel_free(kernel);
    return written != size;
}
