/* SPDX-License-Identifier: MIT */
/*
 * Multiplies two matrices of 512 x 512 floats on the first GPU by a kernel of hiprtc, which has a
 * tile of both in LDS.  Prints how many ns that took if the numbers are right.  What the loopback
 * prints for it is on standard error between "begin" and "end".
 */
#include <stdint.h>
#include <stdio.h>

#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include "sample.h"

enum { N = 512, TILE = 16, COUNT = N * N, SIZE = COUNT * (int)sizeof(float) };

static const char source[] =
    "extern \"C\" __global__ void multiply(const float *a, const float *b, float *c, int n) {\n"
    "    __shared__ float left[16][16], right[16][16];\n"
    "    int x = threadIdx.x, y = threadIdx.y;\n"
    "    int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;\n"
    "    float sum = 0;\n"
    "    for (int tile = 0; tile < n; tile += 16) {\n"
    "        left[y][x] = a[row * n + tile + x];\n"
    "        right[y][x] = b[(tile + y) * n + column];\n"
    "        __syncthreads();\n"
    "        for (int k = 0; k < 16; k++) sum += left[y][k] * right[k][x];\n"
    "        __syncthreads();\n"
    "    }\n"
    "    c[row * n + column] = sum; }\n";

static float a[COUNT], b[COUNT], c[COUNT];

static void check(int error, const char *what)
{
    if (error) {
        fprintf(stderr, "matmul: %s: error %d\n", what, error);
        exit(1);
    }
}

static hipFunction_t compile(void)
{
    const char *options[] = {"--offload-arch=gfx90a"};
    hiprtcProgram program;
    hipModule_t module;
    hipFunction_t function;
    size_t size;

    check(hiprtcCreateProgram(&program, source, "matmul.hip", 0, NULL, NULL), "program");
    check(hiprtcCompileProgram(program, 1, options), "compilation");
    check(hiprtcGetCodeSize(program, &size), "size");
    char *code = malloc(size);
    check(!code || hiprtcGetCode(program, code), "code");
    check(hipModuleLoadData(&module, code), "module");
    check(hipModuleGetFunction(&function, module, "multiply"), "function");
    free(code);
    return function;
}

/* The numbers are small and whole, so that their sums are exact in any order. */
static void check_numbers(void)
{
    for (int row = 0; row < N; row++) {
        for (int column = 0; column < N; column++) {
            float sum = 0;
            for (int k = 0; k < N; k++) {
                sum += a[row * N + k] * b[k * N + column];
            }
            check(c[row * N + column] != sum, "a number is wrong");
        }
    }
}

static void launch(hipFunction_t function, void *on_gpu[3], int n)
{
    void *arguments[] = {&on_gpu[0], &on_gpu[1], &on_gpu[2], &n};
    unsigned groups = (unsigned)n / TILE;

    check(
        hipModuleLaunchKernel(function, groups, groups, 1, TILE, TILE, 1, 0, NULL, arguments, NULL),
        "launch");
    check(hipDeviceSynchronize(), "end of the kernel");
}

int main(void)
{
    void *on_gpu[3];
    hipFunction_t function = compile();

    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)(i % 13 - 6);
        b[i] = (float)(i % 11 - 5);
    }
    for (int i = 0; i < 3; i++) {
        check(hipMalloc(&on_gpu[i], SIZE), "memory");
    }
    check(hipMemcpy(on_gpu[0], a, SIZE, hipMemcpyHostToDevice), "copy");
    check(hipMemcpy(on_gpu[1], b, SIZE, hipMemcpyHostToDevice), "copy");
    launch(function, on_gpu, TILE); /* decodes the instructions */
    fputs("begin\n", stderr);
    double start = sample_now();
    launch(function, on_gpu, N);
    double took = sample_now() - start;
    fputs("end\n", stderr);
    check(hipMemcpy(c, on_gpu[2], SIZE, hipMemcpyDeviceToHost), "copy");
    check_numbers();
    printf("%.0f\n", took);
    return 0;
}
