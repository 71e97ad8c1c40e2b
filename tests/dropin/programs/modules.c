/* SPDX-License-Identifier: MIT */
/* Code compiled by hiprtc is loaded, told about and launched, its arguments where it looks for
 * them. */
#include "check.h"

static const char source[] =
    "__device__ int counter = 41;\n"
    "__device__ float table[16];\n"
    "extern \"C\" __global__ void axpy(float a, const float *x, float *y, unsigned n)\n"
    "{ unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }\n"
    "extern \"C\" __global__ void mixed(char c, short s, int i, long l, float f, double d, void "
    "*p)\n"
    "{ if (p) *(long *)p = c + s + i + l + (long)f + (long)d + counter + (long)table[c & 15]; }\n";

static int launches;
static unsigned char seen[48];

STAND_IN(axpy)
{
    struct {
        float a;
        const float *x;
        float *y;
        unsigned n;
    } arguments;
    memcpy(&arguments, kernarg, sizeof arguments);
    const float *x = check_reach(arguments.x);
    float *y = check_reach(arguments.y);
    for (uint32_t i = 0; i < grid[0] && i < arguments.n; i++) {
        y[i] += arguments.a * x[i];
    }
    launches += group[0] == 256 ? 1 : 100;
}

STAND_IN(mixed)
{
    memcpy(seen, kernarg, 40);
    launches += grid[1] == 20 && group[2] == 2 ? 1 : 100;
}

static hipModule_t load(void)
{
    hipModule_t module = NULL;
    size_t size = 0;
    void *code = check_compile(source, &size);
    if (code && hipModuleLoadData(&module, code) != hipSuccess) {
        check_fails(__FILE__, __LINE__, "the code object is not loaded");
    }
    free(code);
    return module;
}

static void a_kernel_computes(void)
{
    enum { N = 1000 };
    static float x[N], y[N], wanted[N];
    void *dx = NULL, *dy = NULL;
    hipFunction_t function = NULL;
    float a = 2.5f;
    unsigned n = N;
    hipModule_t module = load();
    CHECK(module);
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
        wanted[i] = 1.0f + a * (float)i;
    }
    OK(hipMalloc(&dx, sizeof x));
    OK(hipMalloc(&dy, sizeof y));
    OK(hipMemcpy(dx, x, sizeof x, hipMemcpyHostToDevice));
    OK(hipMemcpy(dy, y, sizeof y, hipMemcpyHostToDevice));
    OK(hipModuleGetFunction(&function, module, "axpy"));
    void *arguments[] = {&a, &dx, &dy, &n};
    launches = 0;
    OK(hipModuleLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL));
    OK(hipDeviceSynchronize());
    SAME(launches, 1);
    CHECK(check_device_has(dy, wanted, sizeof wanted));
    OK(hipFree(dx));
    OK(hipFree(dy));
    OK(hipModuleUnload(module));
}

struct block {
    signed char c;
    short s;
    int i;
    long l;
    float f;
    double d;
    void *p;
};

static int arrived(const struct block *wanted)
{
    struct block got;
    memcpy(&got, seen, sizeof got);
    return got.c == wanted->c && got.s == wanted->s && got.i == wanted->i && got.l == wanted->l &&
           got.f == wanted->f && got.d == wanted->d && got.p == wanted->p;
}

static void arguments_are_packed(void)
{
    struct block block = {-5, -1234, 0x12345678, 0x1122334455667788, 1.5f, -2.25, NULL};
    size_t size = sizeof block;
    hipFunction_t function = NULL;
    hipModule_t module = load();
    CHECK(module);
    SAME(sizeof block, 40);
    OK(hipMalloc(&block.p, 64));
    OK(hipModuleGetFunction(&function, module, "mixed"));
    void *arguments[] = {&block.c, &block.s, &block.i, &block.l, &block.f, &block.d, &block.p};
    launches = 0;
    OK(hipModuleLaunchKernel(function, 6, 5, 3, 8, 4, 2, 0, NULL, arguments, NULL));
    OK(hipDeviceSynchronize());
    SAME(launches, 1);
    CHECK(arrived(&block));
    memset(seen, 0, sizeof seen);
    block.i = 77;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &block, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    OK(hipModuleLaunchKernel(function, 6, 5, 3, 8, 4, 2, 0, NULL, NULL, extra));
    OK(hipDeviceSynchronize());
    SAME(launches, 2);
    CHECK(arrived(&block));
    OK(hipFree(block.p));
    OK(hipModuleUnload(module));
}

static void modules_tell_of_themselves(void)
{
    hipDeviceptr_t address = 0;
    hipFunction_t function = NULL;
    size_t size = 0;
    int value = -1, forty_one = 41, blocks = 0;
    hipModule_t module = load();
    CHECK(module);
    OK(hipModuleGetGlobal(&address, &size, module, "counter"));
    SAME(size, 4);
    CHECK(check_device_has((void *)address, &forty_one, sizeof forty_one));
    OK(hipModuleGetGlobal(&address, &size, module, "table"));
    SAME(size, 64);
    EXPECT(hipModuleGetGlobal(&address, &size, module, "nothing"), hipErrorNotFound);
    EXPECT(hipModuleGetFunction(&function, module, "nothing"), hipErrorNotFound);
    (void)hipGetLastError();
    OK(hipModuleGetFunction(&function, module, "axpy"));
    OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    SAME(value, 1024);
    OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0));
    CHECK(blocks >= 1 && blocks <= 64);
    OK(hipModuleUnload(module));
}

static void kernels_are_nodes(void)
{
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t node;
    hipFunction_t function = NULL;
    hipKernelNodeParams parameters, told;
    struct block block = {1, 2, 3, 4, 5, 6, NULL};
    hipModule_t module = load();
    CHECK(module);
    OK(hipModuleGetFunction(&function, module, "mixed"));
    OK(hipMalloc(&block.p, 64));
    void *arguments[] = {&block.c, &block.s, &block.i, &block.l, &block.f, &block.d, &block.p};
    memset(&parameters, 0, sizeof parameters);
    parameters.func = function;
    parameters.gridDim = (dim3){6, 5, 3};
    parameters.blockDim = (dim3){8, 4, 2};
    parameters.kernelParams = arguments;
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddKernelNode(&node, graph, NULL, 0, &parameters));
    memset(&told, 0xff, sizeof told);
    OK(hipGraphKernelNodeGetParams(node, &told));
    CHECK(told.func == (void *)function);
    SAME(told.gridDim.y, 5);
    SAME(told.blockDim.z, 2);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    launches = 0;
    memset(seen, 0, sizeof seen);
    OK(hipGraphLaunch(exec, NULL));
    OK(hipStreamSynchronize(NULL));
    SAME(launches, 1);
    CHECK(arrived(&block));
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
    OK(hipFree(block.p));
    OK(hipModuleUnload(module));
}

static void bad_code_is_refused(void)
{
    hipModule_t bad = NULL;
    char text[256] = "this is no code object";
    REFUSED(hipModuleLoadData(&bad, text));
    REFUSED(hipModuleLoad(&bad, "/nonexistent/file.hsaco"));
}

const struct test module_tests[] = {
    {"a kernel computes", a_kernel_computes},
    {"arguments of kernels are packed", arguments_are_packed},
    {"modules tell of their variables and functions", modules_tell_of_themselves},
    {"kernels are nodes", kernels_are_nodes},
    {"what is no code is refused", bad_code_is_refused},
    {NULL, NULL},
};
