/* SPDX-License-Identifier: MIT */
/* y = a * x + y, for 06_embedded_kernel.c. */
#include <hip/hip_runtime.h>

extern "C" __global__ void axpy(float a, const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        y[i] += a * x[i];
    }
}
