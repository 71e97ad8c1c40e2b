/* SPDX-License-Identifier: MIT */
/*
 * Shared by the examples: calls that must succeed, and a kernel from source.  Each example prints
 * its purpose, and at its end PASS, FAIL or SKIP with the reason.  The exit status is 0, 1 or 77.
 */
#ifndef HIPSHIM_EXAMPLES_EXAMPLE_H
#define HIPSHIM_EXAMPLES_EXAMPLE_H

#include <hip/hip_runtime_api.h>
#include <hipshim/hipshim.h>
#include <hipshim/kernel.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXAMPLE_SKIP = 77 };

/* Ends the program with a reason. */
__attribute__((format(printf, 2, 3), noreturn)) static inline void
example_end(int status, const char *format, ...)
{
    va_list arguments;

    printf("%s%s",
           status == 0              ? "PASS"
           : status == EXAMPLE_SKIP ? "SKIP"
                                    : "FAIL",
           *format ? ": " : "");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    exit(status);
}

#define HIP(call) example_check((call), #call)

static inline void example_check(hipError_t error, const char *call)
{
    if (error != hipSuccess) {
        const char *text = hipshim_error_text();

        example_end(EXIT_FAILURE, "%s: %s%s%s", call, hipGetErrorString(error), *text ? "; " : "",
                    text);
    }
}

/* Prints the purpose `what` and the device; ends the program if there is no GPU. */
static inline void example_begin(const char *what)
{
    hipshim_runtime_t runtime = {.size = sizeof runtime};
    hipDeviceProp_t properties;
    int count = 0;

    puts(what);
    if (hipshim_runtime_info(&runtime) != HIPSHIM_OK) {
        example_end(EXAMPLE_SKIP, "%s", runtime.no_runtime_text);
    }
    if (hipGetDeviceCount(&count) != hipSuccess || count == 0) {
        example_end(EXAMPLE_SKIP, "HIP %u.%u.%u finds no GPU", runtime.release.major,
                    runtime.release.minor, runtime.release.patch);
    }
    HIP(hipGetDeviceProperties(&properties, 0));
    printf("HIP %u.%u.%u on %s (%s)\n", runtime.release.major, runtime.release.minor,
           runtime.release.patch, properties.name, properties.gcnArchName);
}

/* The kernel `name` of a source, compiled for the current device or found in the cache. */
static inline hipFunction_t example_kernel(const char *source, const char *name)
{
    const hipshim_kernel_options_t options = {
        .size = sizeof options, .source = source, .name = "example.hip"};
    hipshim_kernel_t *kernel;
    hipModule_t module;
    hipFunction_t function;

    if (hipshim_kernel_compile(&options, &kernel) != HIPSHIM_OK) {
        fputs(hipshim_kernel_log(kernel), stderr);
        example_end(EXIT_FAILURE, "%s", hipshim_error_text());
    }
    HIP(hipModuleLoadData(&module, hipshim_kernel_code(kernel, NULL)));
    HIP(hipModuleGetFunction(&function, module, name));
    hipshim_kernel_free(kernel); /* the runtime has its own copy */
    return function;
}

/* Launches enough groups of 256 threads for `count` items, and waits for them. */
static inline void example_launch(hipFunction_t function, unsigned count, void **arguments)
{
    HIP(hipModuleLaunchKernel(function, (count + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, arguments,
                              NULL));
    HIP(hipDeviceSynchronize());
}

#endif
