/* SPDX-License-Identifier: MIT */
/*
 * faulty KERNEL [GROUPS]: launches the kernel, with one group or so many, and prints what the
 * runtime says of it.  Each kernel but "good" does what the loopback must not carry out.  "patient"
 * waits for the host, which lets it go on after a line on standard input.  The process does not
 * wait for "unfinished", whose last instructions are first reached while the process exits.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

static const char source[] =
    "extern \"C\" __global__ void good(int *p) { p[threadIdx.x] = 1; }\n"
    "extern \"C\" __global__ void outside(int *p) { p[1 << 28] = 1; }\n"
    "extern \"C\" __global__ void null(int *p) { *(volatile int *)0 = p[0]; }\n"
    "extern \"C\" __global__ void host(int *p) { **(int **)p = 1; }\n"
    "extern \"C\" __global__ void shared(int *p) {\n"
    "    extern __shared__ int s[]; s[threadIdx.x + 100000] = 1; p[0] = s[threadIdx.x]; }\n"
    "extern \"C\" __global__ void unknown(int *p) {\n"
    "    int r; asm volatile(\"v_cvt_off_f32_i4 %0, %1\" : \"=v\"(r) : \"v\"(p[0])); p[1] = r; }\n"
    "extern \"C\" __global__ void aborts(int *p) { __builtin_trap(); }\n"
    "extern \"C\" __global__ void later(int *p) {\n"
    "    for (int i = 0; i < 1000; i++) atomicAdd(p, i);\n"
    "    if (blockIdx.x >= 40) *(volatile int *)0 = p[0]; }\n"
    "extern \"C\" __global__ void loops(int *p) {\n"
    "    if (blockIdx.x == 1) for (;;) __builtin_amdgcn_s_sleep(1);\n"
    "    p[threadIdx.x] = 1; }\n"
    "extern \"C\" __global__ void apart(int *p) {\n"
    "    __shared__ volatile int passed;\n"
    "    passed = 0;\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x < 64) while (!passed) ;\n"
    "    __syncthreads();\n"
    "    passed = 1; p[0] = passed; }\n"
    "extern \"C\" __global__ void beyond(int *p) { p[1000 + threadIdx.x] = 1; }\n"
    "extern \"C\" __global__ void races(int *p) {\n"
    "    __shared__ int s[128];\n"
    "    s[threadIdx.x] = threadIdx.x + 1;\n"
    "    p[threadIdx.x] = s[(threadIdx.x + 64) % 128]; }\n"
    "extern \"C\" __global__ void reuses(int *p) {\n"
    "    __shared__ int s[128];\n"
    "    for (int i = 1; i < 4; i++) {\n"
    "        s[threadIdx.x] = threadIdx.x * i;\n"
    "        __syncthreads();\n"
    "        p[threadIdx.x] += s[(threadIdx.x + 64) % 128];\n"
    "        if (gridDim.x > 1) __syncthreads(); } }\n"
    "extern \"C\" __device__ void __ockl_grid_sync(void);\n"
    "extern \"C\" __global__ void left(int *p) {\n"
    "    if (blockIdx.x == 1) return;\n"
    "    __ockl_grid_sync(); p[0] = 1; }\n"
    "extern \"C\" __global__ void patient(int *p) {\n"
    "    while (!__hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM)) ; }\n"
    "extern \"C\" __global__ void unfinished(int *p) {\n"
    "    for (int i = 0; i < 10000; i++) __hip_atomic_load(p, __ATOMIC_RELAXED,\n"
    "                                                      __HIP_MEMORY_SCOPE_SYSTEM);\n"
    "    p[threadIdx.x] = __popc(p[1]); }\n";

static void check(int error, const char *what)
{
    if (error) {
        printf("%s: error %d\n", what, error);
        exit(1);
    }
}

int main(int count, char **arguments)
{
    const char *option = getenv("FAULTY_OPTION");
    char arch[64] = "--offload-arch=gfx90a";
    const char *options[] = {arch, option};
    const char *name = count > 1 ? arguments[1] : "good";
    unsigned groups = count > 2 ? (unsigned)atoi(arguments[2]) : 1;
    hiprtcProgram program;
    hipModule_t module;
    hipFunction_t function;
    size_t size;
    void *memory;
    int *shared;
    int local = 0;
    int *address = &local;

    check(hiprtcCreateProgram(&program, source, "k.hip", 0, NULL, NULL), "hiprtcCreateProgram");
    if (getenv("FAULTY_ARCH")) {
        snprintf(arch, sizeof arch, "--offload-arch=%s", getenv("FAULTY_ARCH"));
    }
    check(hiprtcCompileProgram(program, option ? 2 : 1, options), "hiprtcCompileProgram");
    check(hiprtcGetCodeSize(program, &size), "hiprtcGetCodeSize");
    char *code = malloc(size);
    check(!code || hiprtcGetCode(program, code), "hiprtcGetCode");
    check(hipModuleLoadData(&module, code), "hipModuleLoadData");
    check(hipModuleGetFunction(&function, module, name), name);
    check(hipMalloc(&memory, 4100), "hipMalloc");
    check(hipMemcpy(memory, &address, sizeof address, hipMemcpyHostToDevice), "hipMemcpy");
    check(hipHostMalloc((void **)&shared, 4096, 0), "hipHostMalloc");
    *shared = 0;
    bool waits = strcmp(name, "patient") == 0;
    void *parameters[] = {waits ? (void *)&shared : &memory};
    check(hipModuleLaunchKernel(function, groups, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL),
          "launch");
    if (waits) {
        (void)getchar();
        __atomic_store_n(shared, 1, __ATOMIC_RELEASE);
    }
    if (strcmp(name, "unfinished") == 0) {
        return 0;
    }
    check(hipDeviceSynchronize(), "hipDeviceSynchronize");
    printf("success\n");
    free(code);
    return 0;
}
