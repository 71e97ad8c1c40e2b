/* SPDX-License-Identifier: MIT */
/*
 * trmm multiplies in place before 6.0 (B = alpha op(A) B), and since then out of place
 * (C = alpha op(A) B) under the same name.  5.6 and 5.7 have the new one, too, as trmmOutofplace.
 *
 * A call in place is a call out of place with C = B.  For a call out of place on 5.0 to 5.5, B is
 * first copied to C by geam (C = 1 B + 0 C), in the stream of the handle.
 */
#include "adapters.h"

#include "engine/dispatch.h"
#include "functions.h"

#define COMMON                                                                                     \
    hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo,                        \
        hipblasOperation_t transA, hipblasDiagType_t diag, int m, int n
#define THESE handle, side, uplo, transA, diag, m, n

/* The runtime's functions of all types; they differ in what the pointers point to. */
typedef hipblasStatus_t in_place(COMMON, const void *, const void *, int, void *, int);
typedef hipblasStatus_t product(COMMON, const void *, const void *, int, const void *, int, void *,
                                int);
typedef hipblasStatus_t sum(hipblasHandle_t, hipblasOperation_t, hipblasOperation_t, int, int,
                            const void *, const void *, int, const void *, const void *, int,
                            void *, int);
typedef hipblasStatus_t in_place_batched(COMMON, const void *, const void *, int, void *, int, int);
typedef hipblasStatus_t product_batched(COMMON, const void *, const void *, int, const void *, int,
                                        void *, int, int);
typedef hipblasStatus_t sum_batched(hipblasHandle_t, hipblasOperation_t, hipblasOperation_t, int,
                                    int, const void *, const void *, int, const void *,
                                    const void *, int, void *, int, int);
typedef hipblasStatus_t in_place_strided(COMMON, const void *, const void *, int, hipblasStride,
                                         void *, int, hipblasStride, int);
typedef hipblasStatus_t product_strided(COMMON, const void *, const void *, int, hipblasStride,
                                        const void *, int, hipblasStride, void *, int,
                                        hipblasStride, int);
typedef hipblasStatus_t sum_strided(hipblasHandle_t, hipblasOperation_t, hipblasOperation_t, int,
                                    int, const void *, const void *, int, hipblasStride,
                                    const void *, const void *, int, hipblasStride, void *, int,
                                    hipblasStride, int);

#define RUNTIME(type, name) ((type *)hs_runtime_functions[HS_FN_##name])

/* Runs a call with its scalars in host memory, whatever the program has set for its own. */
#define WITH_HOST_SCALARS(status, call)                                                            \
    do {                                                                                           \
        hipblasPointerMode_t mode = HIPBLAS_POINTER_MODE_HOST;                                     \
        (status) = HS_SLOT(hipblasGetPointerMode)(handle, &mode);                                  \
        if (!(status))                                                                             \
            (status) = HS_SLOT(hipblasSetPointerMode)(handle, HIPBLAS_POINTER_MODE_HOST);          \
        if (!(status)) {                                                                           \
            (status) = call;                                                                       \
            (void)HS_SLOT(hipblasSetPointerMode)(handle, mode);                                    \
        }                                                                                          \
    } while (0)

#define COPY(X, form, real, same, ...)                                                             \
    if (!(same)) {                                                                                 \
        const real one[2] = {1, 0}, zero[2] = {0, 0};                                              \
        hipblasStatus_t status;                                                                    \
        WITH_HOST_SCALARS(status,                                                                  \
                          ((sum##form *)HS_SLOT(hipblas##X))(handle, HIPBLAS_OP_N, HIPBLAS_OP_N,   \
                                                             m, n, one, __VA_ARGS__));             \
        if (status)                                                                                \
            return status;                                                                         \
    }

/* Calls out of place on 5.0 to 5.5. */

#define PRODUCT(name, X, T, real)                                                                  \
    hipblasStatus_t hipblas_bridge_##name(COMMON, const T *alpha, const T *A, int lda, const T *B, \
                                          int ldb, T *C, int ldc)                                  \
    {                                                                                              \
        COPY(X##geam, , real, B == C && ldb == ldc, B, ldb, zero, C, ldc, C, ldc)                  \
        return RUNTIME(in_place, name)(THESE, alpha, A, lda, C, ldc);                              \
    }
#define PRODUCT_BATCHED(name, X, T, real)                                                          \
    hipblasStatus_t hipblas_bridge_##name(COMMON, const T *alpha, const T *const *A, int lda,      \
                                          const T *const *B, int ldb, T *const *C, int ldc,        \
                                          int count)                                               \
    {                                                                                              \
        COPY(X##geamBatched, _batched, real, (const void *)B == (const void *)C && ldb == ldc, B,  \
             ldb, zero, C, ldc, (void *)C, ldc, count)                                             \
        return RUNTIME(in_place_batched, name)(THESE, alpha, A, lda, (void *)C, ldc, count);       \
    }
#define PRODUCT_STRIDED(name, X, T, real)                                                          \
    hipblasStatus_t hipblas_bridge_##name(                                                         \
        COMMON, const T *alpha, const T *A, int lda, hipblasStride strideA, const T *B, int ldb,   \
        hipblasStride strideB, T *C, int ldc, hipblasStride strideC, int count)                    \
    {                                                                                              \
        COPY(X##geamStridedBatched, _strided, real, B == C && ldb == ldc && strideB == strideC, B, \
             ldb, strideB, zero, C, ldc, strideC, C, ldc, strideC, count)                          \
        return RUNTIME(in_place_strided, name)(THESE, alpha, A, lda, strideA, C, ldc, strideC,     \
                                               count);                                             \
    }

/* Calls in place, of releases before 6.0. */

#define IN_PLACE(name, X, T, real)                                                                 \
    hipblasStatus_t hipblas_bridge_##name(COMMON, const T *alpha, const T *A, int lda, T *B,       \
                                          int ldb)                                                 \
    {                                                                                              \
        return RUNTIME(product, name)(THESE, alpha, A, lda, B, ldb, B, ldb);                       \
    }
#define IN_PLACE_BATCHED(name, X, T, real)                                                         \
    hipblasStatus_t hipblas_bridge_##name(COMMON, const T *alpha, const T *const *A, int lda,      \
                                          T *const *B, int ldb, int count)                         \
    {                                                                                              \
        return RUNTIME(product_batched, name)(THESE, alpha, A, lda, B, ldb, (void *)B, ldb,        \
                                              count);                                              \
    }
#define IN_PLACE_STRIDED(name, X, T, real)                                                         \
    hipblasStatus_t hipblas_bridge_##name(COMMON, const T *alpha, const T *A, int lda,             \
                                          hipblasStride strideA, T *B, int ldb,                    \
                                          hipblasStride strideB, int count)                        \
    {                                                                                              \
        return RUNTIME(product_strided, name)(THESE, alpha, A, lda, strideA, B, ldb, strideB, B,   \
                                              ldb, strideB, count);                                \
    }

/* The functions of four types and three forms; complex numbers have two names. */
#define REAL(form, after)                                                                          \
    form(hipblasStrmm##after, S, float, float) form(hipblasDtrmm##after, D, double, double)
#define COMPLEX(form, after, T, U)                                                                 \
    form(hipblasCtrmm##after, C, T, float) form(hipblasZtrmm##after, Z, U, double)
#define FORMS(types, kind, after, ...)                                                             \
    types(kind, after __VA_ARGS__) types(kind##_BATCHED, Batched##after __VA_ARGS__)               \
        types(kind##_STRIDED, StridedBatched##after __VA_ARGS__)
#define OLD_COMPLEX , hipblasComplex, hipblasDoubleComplex
#define NEW_COMPLEX , hipComplex, hipDoubleComplex

/* clang-format off */
#if HS_CALLER_RELEASE < 600
FORMS(REAL, IN_PLACE, )
FORMS(COMPLEX, IN_PLACE, , OLD_COMPLEX)
#else
FORMS(REAL, PRODUCT, )
#if HS_CALLER_RELEASE < 700
FORMS(COMPLEX, PRODUCT, , OLD_COMPLEX)
#else
FORMS(COMPLEX, PRODUCT, , NEW_COMPLEX)
#endif
#endif
#ifdef HS_OFFERS_hipblasStrmmOutofplace
FORMS(REAL, PRODUCT, Outofplace)
FORMS(COMPLEX, PRODUCT, Outofplace, OLD_COMPLEX)
#endif
#ifdef HS_OFFERS_hipblasCtrmm_v2
FORMS(COMPLEX, PRODUCT, _v2, NEW_COMPLEX)
#endif
