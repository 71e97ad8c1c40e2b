/* SPDX-License-Identifier: MIT */
/*
 * A program as a compiler of device code makes one, by hand: before main it
 * registers a bundle of code objects, a kernel and a variable with functions
 * that no header declares, and main launches the kernel by its host address.
 */
#include "../../loopback/gpu/gpu.h"

void **__hipRegisterFatBinary(const void *wrapper);
void __hipUnregisterFatBinary(void **modules);
void __hipRegisterFunction(void **modules, const void *host, char *device, const char *name,
                           unsigned threads, void *tid, void *bid, dim3 *block, dim3 *grid,
                           int *warp);
void __hipRegisterVar(void **modules, void *host, char *device, char *name, int external,
                      size_t size, int constant, int global);
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t stream);
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *stream);

#define TARGET "gfx90a:sramecc+:xnack-"
enum { CODE = 4096 };

static const char source[] = "__device__ int table[64];\n"
                             "extern \"C\" __global__ void add_to(int *where, int value)"
                             "{ atomicAdd(where, value + table[threadIdx.x & 63]); }\n";

static struct {
    uint32_t magic, version;
    const void *bundle;
    void *unused;
} wrapper = {0x48495046, 1, NULL, NULL};
static void **modules;
static char table; /* the host's shadow of the variable */

/* What stands for the kernel on the host: its address is all that counts. */
static void add_to(void)
{
}

static char *put_entry(char *to, uint64_t offset, uint64_t size, const char *target)
{
    uint64_t length = strlen(target);
    memcpy(to, &offset, 8);
    memcpy(to + 8, &size, 8);
    memcpy(to + 16, &length, 8);
    memcpy(to + 24, target, length);
    return to + 24 + length;
}

/* A compiler would have put it into the program; there is none here. */
static void *make_bundle(void)
{
    static const char *const options[] = {"--offload-arch=" TARGET};
    hiprtcProgram program = NULL;
    size_t size = 0;
    uint64_t count = 2;
    char *bundle = NULL, *to;
    if (hiprtcCreateProgram(&program, source, "k.hip", 0, NULL, NULL) ||
        hiprtcCompileProgram(program, 1, (const char **)options) ||
        hiprtcGetCodeSize(program, &size) || posix_memalign((void **)&bundle, CODE, CODE + size)) {
        return NULL;
    }
    memset(bundle, 0, CODE);
    memcpy(bundle, "__CLANG_OFFLOAD_BUNDLE__", 24);
    memcpy(bundle + 24, &count, 8);
    to = put_entry(bundle + 32, CODE, 0, "host-x86_64-unknown-linux--");
    put_entry(to, CODE, size, "hipv4-amdgcn-amd-amdhsa--" TARGET);
    return hiprtcGetCode(program, bundle + CODE) || hiprtcDestroyProgram(&program) ? NULL : bundle;
}

__attribute__((constructor)) static void register_all(void)
{
    wrapper.bundle = make_bundle();
    if (wrapper.bundle) {
        modules = __hipRegisterFatBinary(&wrapper);
        __hipRegisterFunction(modules, (const void *)add_to, "add_to", "add_to", (unsigned)-1, NULL,
                              NULL, NULL, NULL, NULL);
        __hipRegisterVar(modules, &table, "table", "table", 0, 256, 0, 0);
    }
}

static void the_release_is_told(void **state)
{
    expect_told_release();
}

/* As the stub that a compiler makes of kernel<<<grid, block>>>(...) does. */
static void a_registered_kernel_is_launched_by_its_address(void **state)
{
    const int three = 3;
    int *device = NULL;
    int value = 7, wanted = 4 * (64 * 7 + 3);
    dim3 grid = {4, 1, 1}, block = {64, 1, 1};
    size_t shared = 77;
    hipStream_t stream = NULL, told = NULL;
    assert_non_null(modules);
    OK(hipStreamCreate(&stream));
    OK(hipMalloc((void **)&device, 4));
    OK(hipMemset(device, 0, 4));
    OK(hipMemcpyToSymbol(&table, &three, sizeof three, 8, hipMemcpyHostToDevice));
    OK(hipDeviceSynchronize());
    OK(__hipPushCallConfiguration(grid, block, 0, stream));
    memset(&grid, 0, sizeof grid);
    memset(&block, 0, sizeof block);
    OK(__hipPopCallConfiguration(&grid, &block, &shared, &told));
    assert_int_equal(grid.x, 4);
    assert_int_equal(block.x, 64);
    assert_int_equal(shared, 0);
    assert_ptr_equal(told, stream);
    void *arguments[] = {&device, &value};
    OK(hipLaunchKernel((const void *)add_to, grid, block, arguments, shared, stream));
    OK(hipStreamSynchronize(stream));
    expect_device_bytes(device, &wanted, 4);
    OK(hipFree(device));
    OK(hipStreamDestroy(stream));
}

static void a_registered_kernel_tells_of_itself(void **state)
{
    struct {
        hipFuncAttributes attributes;
        unsigned char after[64];
    } got;
    int blocks = 0;
    memset(&got, 0x5c, sizeof got);
    OK(hipFuncGetAttributes(&got.attributes, (const void *)add_to));
    assert_int_equal(got.attributes.maxThreadsPerBlock, 1024);
    assert_int_equal(got.attributes.sharedSizeBytes, 0);
    assert_int_equal(got.after[0], 0x5c);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)add_to, 256, 0));
    assert_true(blocks > 0);
    REFUSED(hipFuncGetAttributes(&got.attributes, (const void *)the_release_is_told));
}

static void a_registered_variable_is_found_by_its_address(void **state)
{
    unsigned char in[256], out[256] = {0};
    void *address = NULL;
    size_t size = 0;
    pattern(in, sizeof in, 9);
    OK(hipGetSymbolAddress(&address, &table));
    OK(hipGetSymbolSize(&size, &table));
    assert_int_equal(size, 256);
    OK(hipMemcpyToSymbol(&table, in, sizeof in, 0, hipMemcpyHostToDevice));
    expect_device_bytes(address, in, sizeof in);
    OK(hipMemcpyFromSymbol(out, &table, 40, 100, hipMemcpyDeviceToHost));
    assert_memory_equal(out, in + 100, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_release_is_told),
        cmocka_unit_test(a_registered_kernel_is_launched_by_its_address),
        cmocka_unit_test(a_registered_kernel_tells_of_itself),
        cmocka_unit_test(a_registered_variable_is_found_by_its_address),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    fflush(NULL);
    _exit(failures != 0); /* as in suite.c */
}
