/* SPDX-License-Identifier: MIT */
/*
 * Gets the same kernel twice: the first call compiles it, the second finds it in the cache.  A
 * second run of this program compiles nothing.  `hipshim cache list` shows the entry.
 *
 *   cc 05_cached_kernel.c $(pkg-config --cflags --libs hipshim-kernel) && ./a.out
 */
#include "example.h"

#include <time.h>

static const char source[] = "template <typename T> __global__ void fill(T *x, T value) {\n"
                             "    x[blockIdx.x * blockDim.x + threadIdx.x] = value;\n"
                             "}\n";
static const char *const expressions[] = {"fill<int>"};

static double milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static hipshim_kernel_t *get(void)
{
    static const char *const origins[] = {"from nowhere", "compiled", "from the cache",
                                          "compiled by hipcc"};
    const hipshim_kernel_options_t options = {.size = sizeof options,
                                              .source = source,
                                              .name = "fill.hip",
                                              .expressions = expressions,
                                              .expression_count = 1};
    hipshim_kernel_t *kernel;
    double start = milliseconds();
    size_t size;

    if (hipshim_kernel_compile(&options, &kernel) != HIPSHIM_OK) {
        fputs(hipshim_kernel_log(kernel), stderr);
        example_end(EXIT_FAILURE, "%s", hipshim_error_text());
    }
    double took = milliseconds() - start;
    hipshim_kernel_code(kernel, &size);
    printf("%s for %s: %zu bytes %s in %.3f ms\n", expressions[0], hipshim_kernel_arch(kernel),
           size, origins[hipshim_kernel_origin(kernel)], took);
    return kernel;
}

int main(void)
{
    int filled[256], value = 42;
    void *memory;
    hipModule_t module;
    hipFunction_t function;

    example_begin("A kernel from the cache");
    hipshim_kernel_free(get());
    hipshim_kernel_t *kernel = get();
    if (hipshim_kernel_origin(kernel) != HIPSHIM_KERNEL_CACHED) {
        example_end(EXAMPLE_SKIP, "%s",
                    *hipshim_kernel_cache_message(kernel) ? hipshim_kernel_cache_message(kernel)
                                                          : "HIPSHIM_CACHE=0");
    }
    HIP(hipModuleLoadData(&module, hipshim_kernel_code(kernel, NULL)));
    HIP(hipModuleGetFunction(&function, module,
                             hipshim_kernel_lowered_name(kernel, expressions[0])));
    HIP(hipMalloc(&memory, sizeof filled));
    example_launch(function, 256, (void *[]){&memory, &value});
    HIP(hipMemcpy(filled, memory, sizeof filled, hipMemcpyDeviceToHost));
    HIP(hipFree(memory));
    hipshim_kernel_free(kernel);
    for (int i = 0; i < 256; i++) {
        if (filled[i] != value) {
            example_end(EXIT_FAILURE, "number %d is %d, not %d", i, filled[i], value);
        }
    }
    example_end(EXIT_SUCCESS, "the cached kernel filled all numbers");
}
