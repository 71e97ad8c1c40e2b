/* SPDX-License-Identifier: MIT */
/*
 * Computes C = A B for matrices of 256 x 256 numbers, in groups of 16 x 16 threads that share tiles
 * of both.  B is the identity, so C must equal A.
 *
 *   cc 02_matrix_mul.c $(pkg-config --cflags --libs hipshim-kernel) && ./a.out
 */
#include "example.h"

enum { SIDE = 256, TILE = 16 };

static const char source[] =
    "#define TILE 16\n"
    "extern \"C\" __global__ void multiply(const float *a, const float *b, float *c, int side) {\n"
    "    __shared__ float left[TILE][TILE], right[TILE][TILE];\n"
    "    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;\n"
    "    float sum = 0;\n"
    "    for (int tile = 0; tile < side; tile += TILE) {\n"
    "        left[threadIdx.y][threadIdx.x] = a[row * side + tile + threadIdx.x];\n"
    "        right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * side + column];\n"
    "        __syncthreads();\n"
    "        for (int k = 0; k < TILE; k++) sum += left[threadIdx.y][k] * right[k][threadIdx.x];\n"
    "        __syncthreads();\n"
    "    }\n"
    "    c[row * side + column] = sum;\n"
    "}\n";

int main(void)
{
    static float a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
    void *device_a, *device_b, *device_c;
    int side = SIDE;

    example_begin("C = A B with 256 x 256 numbers and B the identity");
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            a[row][column] = (float)(row * 1000 + column);
            b[row][column] = row == column;
        }
    }
    HIP(hipMalloc(&device_a, sizeof a));
    HIP(hipMalloc(&device_b, sizeof b));
    HIP(hipMalloc(&device_c, sizeof c));
    HIP(hipMemcpy(device_a, a, sizeof a, hipMemcpyHostToDevice));
    HIP(hipMemcpy(device_b, b, sizeof b, hipMemcpyHostToDevice));

    hipFunction_t multiply = example_kernel(source, "multiply");
    void *arguments[] = {&device_a, &device_b, &device_c, &side};
    HIP(hipModuleLaunchKernel(multiply, SIDE / TILE, SIDE / TILE, 1, TILE, TILE, 1, 0, NULL,
                              arguments, NULL));

    HIP(hipMemcpy(c, device_c, sizeof c, hipMemcpyDeviceToHost));
    HIP(hipFree(device_a));
    HIP(hipFree(device_b));
    HIP(hipFree(device_c));
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            if (c[row][column] != a[row][column]) {
                example_end(EXIT_FAILURE, "C[%d][%d] is %g, not %g", row, column, c[row][column],
                            a[row][column]);
            }
        }
    }
    example_end(EXIT_SUCCESS, "C equals A");
}
