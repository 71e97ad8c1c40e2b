/* SPDX-License-Identifier: MIT */
/*
 * sibling, linked to libhipblas.so.2: prints the nanoseconds of a call of hipblasSgemm, whose ABI
 * is that of hipBLAS 7, and of hipblasGemmEx, whose four data types are not; each is the median of
 * 31 samples. With SIBLING_SMI, linked to libamd_smi.so.23: the same of two functions that fill a
 * struct.
 */
#include <stdio.h>

#ifdef SIBLING_SMI
#include "amdsmi/dropin/23/bindings.h"
#else
#include "hipblas/dropin/2/bindings.h"
#endif

#include "sample.h"

enum { SAMPLES = 31, CALLS = 200000 };

#ifdef SIBLING_SMI
static amdsmi_gpu_metrics_t metrics;

static void metrics_of_a_gpu(void)
{
    amdsmi_get_gpu_metrics_info(NULL, &metrics);
}

static void power_of_a_gpu(void)
{
    amdsmi_power_info_t power;

    amdsmi_get_power_info(NULL, &power);
}

static void (*const calls[])(void) = {power_of_a_gpu, metrics_of_a_gpu};
#else
static float one = 1;

static void sgemm(void)
{
    hipblasSgemm(NULL, HIPBLAS_OP_N, HIPBLAS_OP_N, 1, 1, 1, &one, &one, 1, &one, 1, &one, &one, 1);
}

static void gemm_ex(void)
{
    hipblasGemmEx(NULL, HIPBLAS_OP_N, HIPBLAS_OP_N, 1, 1, 1, &one, &one, HIPBLAS_R_32F, 1, &one,
                  HIPBLAS_R_32F, 1, &one, &one, HIPBLAS_R_32F, 1, HIPBLAS_R_32F,
                  HIPBLAS_GEMM_DEFAULT);
}

static void (*const calls[])(void) = {sgemm, gemm_ex};
#endif

static double sample(void (*call)(void))
{
    double start = sample_now();
    for (int i = 0; i < CALLS; i++) {
        call();
    }
    return (sample_now() - start) / CALLS;
}

int main(void)
{
    for (unsigned i = 0; i < 2; i++) {
        double samples[SAMPLES];

        sample(calls[i]);
        for (unsigned n = 0; n < SAMPLES; n++) {
            samples[n] = sample(calls[i]);
        }
        printf("%.2f%c", sample_median(samples, SAMPLES), i ? '\n' : ' ');
    }
    return 0;
}
