/* SPDX-License-Identifier: MIT */
/*
 * A library like rocSPARSE (with -DLIBRARY) or a program that calls it: as before ROCm 6.0 (with
 * -DOLD), where spmv has no stage and bsrmv no info, or as since then.  Both print what they get.
 */
#include <stddef.h>
#include <stdio.h>

#ifdef OLD
#define STAGE
#define INFO
#else
#define STAGE int stage,
#define INFO  void *info,
#endif
typedef const void *any;

int rocsparse_create_handle(void **handle);
int rocsparse_create_mat_descr(void **descr);
int rocsparse_spmv(void *handle, int trans, any alpha, any mat, any x, any beta, any y, int type,
                   int alg, STAGE size_t *size, void *buffer);
int rocsparse_sbsrmv(void *handle, int dir, int trans, int mb, int nb, int nnzb, any alpha,
                     any descr, any val, any row_ptr, any col_ind, int dim, INFO any x, any beta,
                     void *y);

#ifdef LIBRARY

int rocsparse_create_handle(void **handle)
{
    *handle = handle;
    return 0;
}

int rocsparse_create_mat_descr(void **descr)
{
    *descr = descr;
    return 0;
}

int rocsparse_spmv(void *handle, int trans, any alpha, any mat, any x, any beta, any y, int type,
                   int alg, STAGE size_t *size, void *buffer)
{
#ifdef OLD
    int stage = 0;
    int is_size = !buffer;
#else
    int is_size = stage == 1;
#endif

    (void)handle, (void)trans, (void)alpha, (void)mat, (void)x, (void)beta, (void)y, (void)type;
    printf("library: spmv alg %d stage %d%s\n", alg, stage, buffer ? " buffer" : "");
    if (is_size)
        *size = 0;
    return 0;
}

int rocsparse_sbsrmv(void *handle, int dir, int trans, int mb, int nb, int nnzb, any alpha,
                     any descr, any val, any row_ptr, any col_ind, int dim, INFO any x, any beta,
                     void *y)
{
    (void)handle, (void)dir, (void)trans, (void)mb, (void)nb, (void)nnzb, (void)alpha, (void)descr;
    (void)val, (void)row_ptr, (void)col_ind, (void)beta;
#ifndef OLD
    printf("library: info %s\n", info ? "given" : "null");
#endif
    printf("library: bsrmv dim %d x %d\n", dim, *(const int *)x);
    *(int *)y = 7;
    return 0;
}

#else

int main(void)
{
    static const int x = 5;
    int y = 0;
    size_t size = 99;
    void *handle = NULL;

    if (rocsparse_create_handle(&handle) != 0)
        return 1;
#ifdef OLD
    printf("%d", rocsparse_spmv(handle, 111, &x, &x, &x, &x, &x, 151, 3, &size, NULL));
    printf(" size %zu\n", size);
    printf("%d\n", rocsparse_spmv(handle, 111, &x, &x, &x, &x, &x, 151, 3, &size, &y));
    printf("%d", rocsparse_sbsrmv(handle, 0, 111, 1, 1, 1, &x, &x, &x, &x, &x, 2, &x, &x, &y));
#else
    for (int stage = 1; stage <= 3; stage++)
        printf("%d\n", rocsparse_spmv(handle, 111, &x, &x, &x, &x, &x, 151, 3, stage, &size, &y));
    printf("%d", rocsparse_sbsrmv(handle, 0, 111, 1, 1, 1, &x, &x, &x, &x, &x, 2, &y, &x, &x, &y));
#endif
    printf(" y %d\n", y);
    return 0;
}

#endif
