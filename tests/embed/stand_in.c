/* SPDX-License-Identifier: MIT */
/* What the loopback does in place of examples/kernels/axpy.hip, for programs to be linked with. */
#include <stdint.h>
#include <string.h>

void loopback_kernel_axpy(const void *kernarg, const uint32_t grid[3], const uint32_t group[3]);

void loopback_kernel_axpy(const void *kernarg, const uint32_t grid[3], const uint32_t group[3])
{
    struct {
        float a;
        const float *x;
        float *y;
        uint32_t n;
    } arguments;

    (void)group;
    memcpy(&arguments, kernarg, sizeof arguments);
    for (uint32_t i = 0; i < grid[0] && i < arguments.n; i++) {
        arguments.y[i] += arguments.a * arguments.x[i];
    }
}
