/* SPDX-License-Identifier: MIT */
/* Calls that each release answers in its own way; doc/behaviour.md lists them. */
#include "gpu.h"

/* The answers of the four releases; NOT_TRIED where the runtime crashes, or answers by chance. */
enum { NOT_TRIED = -1 };
struct answers {
    int on_5_2, on_5_7, on_6_4, on_7_2;
};

static int on_this(struct answers answers)
{
    return HIP_BEFORE(5, 7)   ? answers.on_5_2
           : HIP_BEFORE(6, 0) ? answers.on_5_7
           : HIP_BEFORE(7, 0) ? answers.on_6_4
                              : answers.on_7_2;
}

#define ANSWERS(call, ...)                                                                         \
    do {                                                                                           \
        int wanted_ = on_this((struct answers){__VA_ARGS__});                                      \
        if (wanted_ != NOT_TRIED) {                                                                \
            EXPECT(call, (hipError_t)wanted_);                                                     \
            (void)hipGetLastError();                                                               \
        }                                                                                          \
    } while (0)

static void of_memory(void **state)
{
    void *memory = NULL;
    static char host[4096];
    size_t size;
    hipDeviceptr_t start;
    hipIpcMemHandle_t handle;
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    ANSWERS(hipFreeAsync(NULL, stream), 1, 1, 1, 0);
    ANSWERS(hipMallocAsync(&memory, 0, stream), 1, 0, 0, 0);
    ANSWERS(hipHostRegister(host, 0, 0), NOT_TRIED, 1, 1, 1);
    ANSWERS(hipMemGetInfo(NULL, NULL), NOT_TRIED, 0, 0, 0);
    ANSWERS(hipMemGetAddressRange(&start, &size, host), 17, 500, 500, 500);
    ANSWERS(hipIpcGetMemHandle(&handle, host), 17, 1, 1, 1);
    ANSWERS(hipMemPrefetchAsync(host, sizeof host, 0, stream), 1, 1, 801, 801);
    ANSWERS(hipMemcpy2D(host, 0, host, 0, 0, 0, hipMemcpyHostToHost), 0, 12, 0, 0);
    OK(hipStreamDestroy(stream));
}

static void of_captures(void **state)
{
    hipStream_t stream;
    hipGraph_t graph = NULL;
    hipEvent_t event;
    OK(hipStreamCreate(&stream));
    OK(hipEventCreate(&event));
    ANSWERS(hipStreamEndCapture(stream, &graph), 903, 401, 401, 401);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    ANSWERS(hipStreamQuery(stream), 0, 900, 900, 900);
    (void)hipStreamEndCapture(stream, &graph);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    ANSWERS(hipStreamSynchronize(stream), 0, 900, 900, 900);
    (void)hipStreamEndCapture(stream, &graph);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    OK(hipEventRecord(event, stream));
    ANSWERS(hipEventQuery(event), 0, 0, 907, 907);
    (void)hipStreamEndCapture(stream, &graph);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    OK(hipEventRecord(event, stream));
    ANSWERS(hipEventSynchronize(event), 0, 900, 907, 907);
    (void)hipStreamEndCapture(stream, &graph);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    ANSWERS(hipDeviceSynchronize(), 0, 0, 900, 900);
    ANSWERS(hipStreamEndCapture(stream, &graph), 0, 0, 901, 901);
    (void)hipGetLastError();
    OK(hipEventDestroy(event));
    OK(hipStreamDestroy(stream));
}

static void of_modules(void **state)
{
    hipModule_t module = NULL;
    hipFunction_t function = NULL;
    int blocks;
    ANSWERS(hipModuleUnload(NULL), 500, 400, 400, 400);
    ANSWERS(hipModuleGetFunction(&function, NULL, "none"), 500, 400, 400, 400);
    ANSWERS(hipModuleLoadData(&module, "this is no code object at all, but it is long enough"), 218,
            218, 200, 200);
    ANSWERS(hipModuleLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), 200, 400, 400, 400);
    ANSWERS(hipFuncSetCacheConfig(NULL, hipFuncCachePreferNone), 0, 0, 98, 98);
    ANSWERS(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 64, 0), 1, 98, 98, 98);
}

static void of_the_rest(void **state)
{
    size_t limit;
    EXPECT(hipGraphDestroy(NULL), hipErrorInvalidValue);
    EXPECT(hipGraphInstantiate(NULL, NULL, NULL, NULL, 0), hipErrorInvalidValue);
    REFUSED(hipEventRecord(NULL, NULL));
    ANSWERS(hipInit(5), 0, 1, 1, 1);
    ANSWERS(hipDeviceGetLimit(&limit, (enum hipLimit_t)99), 215, 1, 1, 215);
#if HIP_VERSION >= 50300000
    EXPECT(hipLaunchHostFunc(NULL, NULL, NULL), hipErrorInvalidValue); /* also emulated */
#endif
    (void)hipGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_memory),
        cmocka_unit_test(of_captures),
        cmocka_unit_test(of_modules),
        cmocka_unit_test(of_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
