/* SPDX-License-Identifier: MIT */
/*
 * Groups of one launch run at the same time, on a thread for each processor: their atomic
 * operations on the same places lose nothing.  The sums of floats are of small whole numbers, so
 * that their order does not matter.
 */
#include "gpu.h"

enum { GROUPS = 64, THREADS = 256, TURNS = 4, ALL = GROUPS * THREADS * TURNS };

static const char source[] =
    "struct places { unsigned sum, low, high, ring, bits, guarded, by_cas;\n"
    "    float floats; double doubles; unsigned long long wide; unsigned held; };\n"
    "__device__ void add_by_cas(unsigned *at, unsigned value) {\n"
    "    unsigned old = *(volatile unsigned *)at, seen;\n"
    "    while ((seen = atomicCAS(at, old, old + value)) != old) old = seen;\n"
    "}\n"
    "extern \"C\" __global__ void k(places *p) {\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    for (unsigned r = 0; r < 4; r++) {\n"
    "        atomicAdd(&p->sum, i);\n"
    "        atomicMin(&p->low, 1000000 - i - r);\n"
    "        atomicMax(&p->high, i + r);\n"
    "        atomicInc(&p->ring, 9999);\n"
    "        atomicOr(&p->bits, 1u << i % 32);\n"
    "        atomicAdd(&p->floats, 1.0f);\n"
    "        atomicAdd(&p->doubles, 0.5);\n"
    "        atomicAdd(&p->wide, 0x100000001ull);\n"
    "        if (threadIdx.x == 0) {\n"
    "            add_by_cas(&p->by_cas, 3);\n"
    "            while (atomicExch(&p->held, 1)) __builtin_amdgcn_s_sleep(1);\n"
    "            __threadfence();\n"
    "            *(volatile unsigned *)&p->guarded = *(volatile unsigned *)&p->guarded + 1;\n"
    "            __threadfence();\n"
    "            atomicExch(&p->held, 0);\n"
    "        }\n"
    "    }\n"
    "}\n"
    /* Each group takes the next number and adds what the group before it left there. */
    "extern \"C\" __global__ void chain(unsigned *next, unsigned long long *left) {\n"
    "    __shared__ unsigned mine;\n"
    "    if (threadIdx.x == 0) mine = atomicAdd(next, 1);\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0) {\n"
    "        unsigned long long before = 1ull << 32;\n"
    "        while (mine && !((before = __hip_atomic_load(left + mine - 1, __ATOMIC_ACQUIRE,\n"
    "            __HIP_MEMORY_SCOPE_AGENT)) >> 32)) ;\n"
    "        __hip_atomic_store(left + mine, (1ull << 32) + (unsigned)before + mine,\n"
    "            __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);\n"
    "    }\n"
    "}\n";

static hipModule_t module;

static void launch(const char *name, unsigned groups, void **arguments)
{
    hipFunction_t function;
    OK(hipModuleGetFunction(&function, module, name));
    OK(hipModuleLaunchKernel(function, groups, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL));
    OK(hipDeviceSynchronize());
}

static void atomic_operations_lose_nothing(void **state)
{
    struct {
        uint32_t sum, low, high, ring, bits, guarded, by_cas;
        float floats;
        double doubles;
        uint64_t wide;
        uint32_t held;
    } got = {.low = UINT32_MAX};
    void *places;
    OK(hipMalloc(&places, sizeof got));
    OK(hipMemcpy(places, &got, sizeof got, hipMemcpyHostToDevice));
    launch("k", GROUPS, (void *[]){&places});
    OK(hipMemcpy(&got, places, sizeof got, hipMemcpyDeviceToHost));
    uint64_t items = GROUPS * THREADS;
    assert_int_equal(got.sum, (uint32_t)(items * (items - 1) / 2 * TURNS));
    assert_int_equal(got.low, 1000000 - (items - 1) - (TURNS - 1));
    assert_int_equal(got.high, items - 1 + TURNS - 1);
    assert_int_equal(got.ring, ALL % 10000);
    assert_int_equal(got.bits, UINT32_MAX);
    assert_int_equal(got.by_cas, 3 * GROUPS * TURNS);
    assert_int_equal(got.guarded, GROUPS * TURNS);
    assert_int_equal(got.held, 0);
    assert_true(got.floats == (float)ALL);
    assert_true(got.doubles == ALL / 2.0);
    assert_int_equal(got.wide, ALL * UINT64_C(0x100000001));
    OK(hipFree(places));
}

static void groups_pass_values_on(void **state)
{
    uint64_t got[GROUPS * 16];
    void *next, *left;
    OK(hipMalloc(&next, sizeof(uint32_t)));
    OK(hipMalloc(&left, sizeof got));
    OK(hipMemset(next, 0, sizeof(uint32_t)));
    OK(hipMemset(left, 0, sizeof got));
    launch("chain", GROUPS * 16, (void *[]){&next, &left});
    OK(hipMemcpy(got, left, sizeof got, hipMemcpyDeviceToHost));
    for (uint64_t i = 0; i < GROUPS * 16; i++) {
        assert_int_equal(got[i], (UINT64_C(1) << 32) + i * (i + 1) / 2);
    }
    OK(hipFree(next));
    OK(hipFree(left));
}

static int load(void **state)
{
    module = module_of(source);
    return 0;
}

static int unload(void **state)
{
    OK(hipModuleUnload(module));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomic_operations_lose_nothing),
        cmocka_unit_test(groups_pass_values_on),
    };
    return cmocka_run_group_tests_name("groups run at the same time", tests, load, unload);
}
