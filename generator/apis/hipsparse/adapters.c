/* SPDX-License-Identifier: MIT */
/*
 * SpSV_solve has the buffer of SpSV_analysis as its last parameter on 5.0 to 5.5, 5.6.1 and 5.7.
 * For a call without it, the buffer is the one of the last analysis with the same descriptor.
 *
 * SpMV of 7.2 refuses a buffer where SpMV_bufferSize said 0, which a program for an older release
 * may have.  Whether it did is not known here, so a call that was refused is made again without.
 */
#include "adapters.h"

#include "engine/dispatch.h"
#include "functions.h"

#if HS_CALLER_RELEASE < 600
typedef const hipsparseSpMatDescr_t matrix;
typedef const hipsparseDnVecDescr_t vector;
#else
typedef hipsparseConstSpMatDescr_t matrix;
typedef hipsparseConstDnVecDescr_t vector;
#endif

#define SOLVE                                                                                      \
    hipsparseHandle_t handle, hipsparseOperation_t opA, const void *alpha, matrix matA, vector x,  \
        hipsparseDnVecDescr_t y, hipDataType computeType, hipsparseSpSVAlg_t alg,                  \
        hipsparseSpSVDescr_t descr
#define THESE handle, opA, alpha, matA, x, y, computeType, alg, descr

#if HS_CALLER_RELEASE < 700

#define MULTIPLY                                                                                   \
    hipsparseHandle_t handle, hipsparseOperation_t opA, const void *alpha, matrix matA, vector x,  \
        const void *beta, const hipsparseDnVecDescr_t y, hipDataType computeType,                  \
        hipsparseSpMVAlg_t alg, void *buffer
#define AGAIN(call, buffer) call(handle, opA, alpha, matA, x, beta, y, computeType, alg, buffer)

hipsparseStatus_t hs_semantics_older_hipsparseSpMV(__typeof__(&hipsparseSpMV) call, MULTIPLY)
{
    hipsparseStatus_t status = AGAIN(call, buffer);

    return status == HIPSPARSE_STATUS_INVALID_VALUE && buffer ? AGAIN(call, NULL) : status;
}

hipsparseStatus_t
hs_semantics_older_hipsparseSpMV_preprocess(__typeof__(&hipsparseSpMV_preprocess) call, MULTIPLY)
{
    return hs_semantics_older_hipsparseSpMV(call, handle, opA, alpha, matA, x, beta, y, computeType,
                                            alg, buffer);
}

#endif
#if HS_CALLER_RELEASE < 600

hipsparseStatus_t hipsparse_bridge_SpSV_solve(SOLVE, void *buffer)
{
    hipsparseStatus_t (*solve)(SOLVE) =
        (hipsparseStatus_t(*)(SOLVE))hs_runtime_functions[HS_FN_hipsparseSpSV_solve];
    (void)buffer;
    return solve(THESE);
}

#else

#include <pthread.h>

/* The buffers of the last analyses; the oldest one makes room. */
static struct {
    hipsparseSpSVDescr_t descr;
    void *buffer;
} analyses[256];
static unsigned next;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned find(hipsparseSpSVDescr_t descr)
{
    unsigned found = 0;

    while (found < 256 && analyses[found].descr != descr)
        found++;
    return found;
}

static void note(hipsparseSpSVDescr_t descr, void *buffer)
{
    pthread_mutex_lock(&mutex);
    unsigned place = find(descr);
    if (place == 256)
        place = next++ % 256;
    analyses[place].descr = descr;
    analyses[place].buffer = buffer;
    pthread_mutex_unlock(&mutex);
}

hipsparseStatus_t
hs_semantics_newer_hipsparseSpSV_analysis(__typeof__(&hipsparseSpSV_analysis) analysis, SOLVE,
                                          void *buffer)
{
    hipsparseStatus_t status = analysis(THESE, buffer);

    if (status == HIPSPARSE_STATUS_SUCCESS)
        note(descr, buffer);
    return status;
}

hipsparseStatus_t hipsparse_bridge_SpSV_solve(SOLVE)
{
    hipsparseStatus_t (*solve)(SOLVE, void *) =
        (hipsparseStatus_t(*)(SOLVE, void *))hs_runtime_functions[HS_FN_hipsparseSpSV_solve];
    void *buffer = NULL;

    pthread_mutex_lock(&mutex);
    unsigned place = find(descr);
    if (place < 256)
        buffer = analyses[place].buffer;
    pthread_mutex_unlock(&mutex);
    return solve(THESE, buffer); /* which refuses NULL, as without an analysis */
}

#endif
