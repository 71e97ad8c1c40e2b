/* SPDX-License-Identifier: MIT */
/*
 * Computes y = a x + b for a million numbers: compiles the kernel, copies x to the device,
 * launches, and copies y to the host.
 *
 *   cc 01_simple_add.c $(pkg-config --cflags --libs hipshim-kernel) && ./a.out
 */
#include "example.h"

enum { COUNT = 1 << 20 };

static const char source[] =
    "extern \"C\" __global__ void add(float a, float b, const float *x, float *y, unsigned n) {\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) y[i] = a * x[i] + b;\n"
    "}\n";

int main(void)
{
    static float x[COUNT], y[COUNT];
    float a = 2.0f, b = 1.0f;
    unsigned n = COUNT;
    void *device_x, *device_y;

    example_begin("y = 2 x + 1 for a million numbers");
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 1000);
    }
    HIP(hipMalloc(&device_x, sizeof x));
    HIP(hipMalloc(&device_y, sizeof y));
    HIP(hipMemcpy(device_x, x, sizeof x, hipMemcpyHostToDevice));

    hipFunction_t add = example_kernel(source, "add");
    example_launch(add, COUNT, (void *[]){&a, &b, &device_x, &device_y, &n});

    HIP(hipMemcpy(y, device_y, sizeof y, hipMemcpyDeviceToHost));
    HIP(hipFree(device_x));
    HIP(hipFree(device_y));
    for (unsigned i = 0; i < COUNT; i++) {
        if (y[i] != a * x[i] + b) { /* exact, because all are whole numbers */
            example_end(EXIT_FAILURE, "y[%u] is %g, not %g", i, y[i], a * x[i] + b);
        }
    }
    example_end(EXIT_SUCCESS, "all %d sums are right", COUNT);
}
