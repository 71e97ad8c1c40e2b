/* SPDX-License-Identifier: MIT */
/*
 * Products of small matrices and vectors, by functions of hipBLAS that changed between its
 * releases. It prints the numbers, and each status that is no success. OLD_TYPES: the data types
 * are hipBLAS's own, up to 6; IN_PLACE: trmm writes to its input, up to 5.7.
 */
#include <hip/hip_runtime_api.h>
#include <hipblas/hipblas.h>

#include "calls.h"

#ifdef OLD_TYPES
#define FLOAT   HIPBLAS_R_32F
#define COMPUTE HIPBLAS_R_32F
#else
#define FLOAT   HIP_R_32F
#define COMPUTE HIPBLAS_COMPUTE_32F
#endif
#ifdef IN_PLACE
#define TRMM_TO
#else
#define TRMM_TO , c, 4
#endif

static float *numbers(int modulus)
{
    float host[16];
    for (int i = 0; i < 16; i++) {
        host[i] = (float)(i % modulus - modulus / 2);
    }
    return upload(host, sizeof host);
}

int main(void)
{
    const float one = 1, two = 2, zero = 0;
    float *a = numbers(7), *b = numbers(5), *c = numbers(1);
    hipblasHandle_t handle;
    OK(hipblasCreate(&handle));
    OK(hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    show("sgemm", c, 16);
    OK(hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, 4, 4, 4, &two, a, FLOAT, 4, b, FLOAT, 4,
                     &zero, c, FLOAT, 4, COMPUTE, HIPBLAS_GEMM_DEFAULT));
    show("GemmEx", c, 16);
    OK(hipblasAxpyEx(handle, 16, &two, FLOAT, a, FLOAT, 1, b, FLOAT, 1, FLOAT));
    show("AxpyEx", b, 16);
    OK(hipblasScalEx(handle, 16, &two, FLOAT, b, FLOAT, 1, FLOAT));
    show("ScalEx", b, 16);
    OK(hipblasStrmm(handle, HIPBLAS_SIDE_LEFT, HIPBLAS_FILL_MODE_UPPER, HIPBLAS_OP_N,
                    HIPBLAS_DIAG_NON_UNIT, 4, 4, &two, a, 4, b, 4 TRMM_TO));
#ifdef IN_PLACE
    show("strmm", b, 16);
#else
    show("strmm", c, 16);
#endif
    OK(hipblasDestroy(handle));
    return 0;
}
