/* SPDX-License-Identifier: MIT */
/*
 * trmm multiplies in place before 6.0 (B = alpha op(A) B), and since then out of place
 * (C = alpha op(A) B) under the same name.  A call in place is one out of place with C = B.  For a
 * call out of place, 5.0 to 5.7 have trmm_outofplace.
 */
#include "adapters.h"

#include "engine/dispatch.h"
#include "functions.h"

#if HS_CALLER_RELEASE < 600

#define COMMON                                                                                     \
    rocblas_handle handle, rocblas_side side, rocblas_fill uplo, rocblas_operation transA,         \
        rocblas_diagonal diag, rocblas_int m, rocblas_int n
#define THESE handle, side, uplo, transA, diag, m, n

/* The runtime's functions of all types; they differ in what the pointers point to. */
typedef rocblas_status product(COMMON, const void *, const void *, rocblas_int, const void *,
                               rocblas_int, void *, rocblas_int);
typedef rocblas_status product_batched(COMMON, const void *, const void *, rocblas_int,
                                       const void *, rocblas_int, void *, rocblas_int, rocblas_int);
typedef rocblas_status product_strided(COMMON, const void *, const void *, rocblas_int,
                                       rocblas_stride, const void *, rocblas_int, rocblas_stride,
                                       void *, rocblas_int, rocblas_stride, rocblas_int);

#define RUNTIME(type, name) ((type *)hs_runtime_functions[HS_FN_rocblas_##name])

#define IN_PLACE(name, T)                                                                          \
    rocblas_status rocblas_bridge_##name(COMMON, const T *alpha, const T *A, rocblas_int lda,      \
                                         T *B, rocblas_int ldb)                                    \
    {                                                                                              \
        return RUNTIME(product, name)(THESE, alpha, A, lda, B, ldb, B, ldb);                       \
    }                                                                                              \
    rocblas_status rocblas_bridge_##name##_batched(COMMON, const T *alpha, const T *const *A,      \
                                                   rocblas_int lda, T *const *B, rocblas_int ldb,  \
                                                   rocblas_int count)                              \
    {                                                                                              \
        return RUNTIME(product_batched, name##_batched)(THESE, alpha, A, lda, B, ldb, (void *)B,   \
                                                        ldb, count);                               \
    }                                                                                              \
    rocblas_status rocblas_bridge_##name##_strided_batched(                                        \
        COMMON, const T *alpha, const T *A, rocblas_int lda, rocblas_stride strideA, T *B,         \
        rocblas_int ldb, rocblas_stride strideB, rocblas_int count)                                \
    {                                                                                              \
        return RUNTIME(product_strided, name##_strided_batched)(                                   \
            THESE, alpha, A, lda, strideA, B, ldb, strideB, B, ldb, strideB, count);               \
    }

/* clang-format off */
IN_PLACE(strmm, float)
IN_PLACE(dtrmm, double)
IN_PLACE(ctrmm, rocblas_float_complex)
IN_PLACE(ztrmm, rocblas_double_complex)

#endif
