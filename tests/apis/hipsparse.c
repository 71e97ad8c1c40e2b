/* SPDX-License-Identifier: MIT */
/*
 * Products and a solution with a small lower triangular matrix, by functions and values of
 * hipSPARSE that changed between its releases.  It prints the numbers, and each status that is no
 * success. OLD_SOLVE: SpSV_solve takes the buffer.
 */
#include <hip/hip_runtime_api.h>
#include <hipsparse/hipsparse.h>
#include <stdio.h>

#include "calls.h"

#define SAME HIPSPARSE_OPERATION_NON_TRANSPOSE

static void *buffer(size_t size)
{
    void *device = NULL;
#ifdef ANY_BUFFER
    size += 16;
#endif
    if (size) {
        OK(hipMalloc(&device, size));
    }
    return device;
}

static const float one = 1, zero = 0;

static void solve(hipsparseHandle_t handle, hipsparseSpMatDescr_t matrix, hipsparseDnVecDescr_t x,
                  hipsparseDnVecDescr_t y)
{
    size_t size = 0;
    hipsparseSpSVDescr_t plan;
    hipsparseFillMode_t lower = HIPSPARSE_FILL_MODE_LOWER;
    OK(hipsparseSpMatSetAttribute(matrix, HIPSPARSE_SPMAT_FILL_MODE, &lower, sizeof lower));
    OK(hipsparseSpSV_createDescr(&plan));
    OK(hipsparseSpSV_bufferSize(handle, SAME, &one, matrix, x, y, HIP_R_32F,
                                HIPSPARSE_SPSV_ALG_DEFAULT, plan, &size));
    void *work = buffer(size);
    OK(hipsparseSpSV_analysis(handle, SAME, &one, matrix, x, y, HIP_R_32F,
                              HIPSPARSE_SPSV_ALG_DEFAULT, plan, work));
#ifdef OLD_SOLVE
    OK(hipsparseSpSV_solve(handle, SAME, &one, matrix, x, y, HIP_R_32F, HIPSPARSE_SPSV_ALG_DEFAULT,
                           plan, work));
#else
    OK(hipsparseSpSV_solve(handle, SAME, &one, matrix, x, y, HIP_R_32F, HIPSPARSE_SPSV_ALG_DEFAULT,
                           plan));
#endif
}

static void multiply(hipsparseHandle_t handle, hipsparseSpMatDescr_t matrix)
{
    const float numbers[] = {1, 2, 3, 4, 5, 6, 7, 8}, empty[8] = {0};
    float *to = upload(empty, sizeof empty);
    size_t size = 0;
    hipsparseDnMatDescr_t dense, product;
    OK(hipsparseCreateDnMat(&dense, 4, 2, 2, upload(numbers, sizeof numbers), HIP_R_32F,
                            HIPSPARSE_ORDER_ROW));
    OK(hipsparseCreateDnMat(&product, 4, 2, 2, to, HIP_R_32F, HIPSPARSE_ORDER_ROW));
    OK(hipsparseSpMM_bufferSize(handle, SAME, SAME, &one, matrix, dense, &zero, product, HIP_R_32F,
                                HIPSPARSE_SPMM_CSR_ALG1, &size));
    OK(hipsparseSpMM(handle, SAME, SAME, &one, matrix, dense, &zero, product, HIP_R_32F,
                     HIPSPARSE_SPMM_CSR_ALG1, buffer(size)));
    show("SpMM", to, 8);

    int64_t rows = 0, columns = 0, ld = 0;
    void *values = NULL;
    hipDataType type;
    hipsparseOrder_t order;
    OK(hipsparseDnMatGet(product, &rows, &columns, &ld, &values, &type, &order));
    puts(order == HIPSPARSE_ORDER_ROW ? "by row" : "not by row");
}

int main(void)
{
    const int begins[] = {0, 1, 3, 5, 8}, columns[] = {0, 0, 1, 1, 2, 0, 2, 3};
    const float values[] = {2, 1, 3, 4, 5, 6, 7, 8}, numbers[] = {1, 2, 3, 4}, empty[4] = {0};
    int *at = upload(begins, sizeof begins), *of = upload(columns, sizeof columns);
    float *matrix = upload(values, sizeof values), *x = upload(numbers, sizeof numbers),
          *y = upload(empty, sizeof empty);
    hipsparseHandle_t handle;
    hipsparseMatDescr_t kind;
    OK(hipsparseCreate(&handle));
    OK(hipsparseCreateMatDescr(&kind));
    OK(hipsparseScsrmv(handle, SAME, 4, 4, 8, &one, kind, matrix, at, of, x, &zero, y));
    show("csrmv", y, 4);

    size_t size = 0;
    hipsparseSpMatDescr_t sparse;
    hipsparseDnVecDescr_t from, to;
    OK(hipsparseCreateCsr(&sparse, 4, 4, 8, at, of, matrix, HIPSPARSE_INDEX_32I,
                          HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_BASE_ZERO, HIP_R_32F));
    OK(hipsparseCreateDnVec(&from, 4, x, HIP_R_32F));
    OK(hipsparseCreateDnVec(&to, 4, y, HIP_R_32F));
    OK(hipsparseSpMV_bufferSize(handle, SAME, &one, sparse, from, &zero, to, HIP_R_32F,
                                HIPSPARSE_SPMV_CSR_ALG1, &size));
    void *work = buffer(size);
    OK(hipsparseSpMV(handle, SAME, &one, sparse, from, &zero, to, HIP_R_32F,
                     HIPSPARSE_SPMV_CSR_ALG1, work));
    show("SpMV", y, 4);
    OK(hipsparseSpMV(handle, SAME, &one, sparse, from, &zero, to, HIP_R_32F,
                     HIPSPARSE_MV_ALG_DEFAULT, work));
    show("SpMV", y, 4);
    multiply(handle, sparse);
    solve(handle, sparse, from, to);
    show("SpSV", y, 4);
    OK(hipsparseDestroy(handle));
    return 0;
}
