/* SPDX-License-Identifier: MIT */
/*
 * spmv has one parameter more since 6.0, the stage: the buffer's size, the analysis or the product.
 * Before, a call without a buffer is the first one, and a call with a buffer the other two.  5.4 to
 * 5.7 have spmv_ex for each stage, too, where stage 0 means what spmv means.
 *
 * bsrmv has the info of an analysis since 6.0, and spmv_ex and bsrmv_ex are the older names of
 * both.
 */
#include "adapters.h"

#include "engine/dispatch.h"
#include "functions.h"

#define OPERANDS(matrix, vector)                                                                   \
    rocsparse_handle handle, rocsparse_operation trans, const void *alpha, matrix mat, vector x,   \
        const void *beta, const rocsparse_dnvec_descr y, rocsparse_datatype compute_type,          \
        rocsparse_spmv_alg alg
/* The names of these types begin with 6.0, and only spmv has them there. */
#define COMMON                                                                                     \
    OPERANDS(const struct _rocsparse_spmat_descr *, const struct _rocsparse_dnvec_descr *)
#define CHANGING OPERANDS(const rocsparse_spmat_descr, const rocsparse_dnvec_descr)
#define THESE    handle, trans, alpha, mat, x, beta, y, compute_type, alg

/* The stages as numbers, because releases before 5.4 have no such type. */
enum { ALL_STAGES, SIZE, ANALYSIS, PRODUCT };

typedef rocsparse_status without_stage(COMMON, size_t *buffer_size, void *temp_buffer);
typedef rocsparse_status with_stage(COMMON, int stage, size_t *buffer_size, void *temp_buffer);

#define RUNTIME(type, name) ((type *)hs_runtime_functions[HS_FN_rocsparse_##name])

#if HS_CALLER_RELEASE < 600

/* A size of 0 would give the program no buffer, and so each of its calls would ask for the size. */
static rocsparse_status in_stages(with_stage *spmv, COMMON, size_t *buffer_size, void *temp_buffer)
{
    rocsparse_status status;

    if (!temp_buffer) {
        status = spmv(THESE, SIZE, buffer_size, NULL);
        if (status == rocsparse_status_success && *buffer_size < 4)
            *buffer_size = 4;
        return status;
    }
    status =
        spmv(THESE, ANALYSIS, buffer_size, temp_buffer); /* which does nothing if it was done */
    if (status != rocsparse_status_success)
        return status;
    return spmv(THESE, PRODUCT, buffer_size, temp_buffer);
}

rocsparse_status rocsparse_bridge_spmv(CHANGING, size_t *buffer_size, void *temp_buffer)
{
    return in_stages(RUNTIME(with_stage, spmv), THESE, buffer_size, temp_buffer);
}

#endif

/* A call in stages of a function without them: the analysis is done by the product's first call. */
#define IN_STAGES(name, OPERANDS)                                                                  \
    rocsparse_status rocsparse_bridge_##name(OPERANDS, rocsparse_spmv_stage stage,                 \
                                             size_t *buffer_size, void *temp_buffer)               \
    {                                                                                              \
        without_stage *spmv = RUNTIME(without_stage, name);                                        \
                                                                                                   \
        switch ((int)stage) {                                                                      \
        case SIZE:                                                                                 \
            return spmv(THESE, buffer_size, NULL);                                                 \
        case ANALYSIS:                                                                             \
            return rocsparse_status_success;                                                       \
        case PRODUCT:                                                                              \
            return spmv(THESE, buffer_size, temp_buffer);                                          \
        case ALL_STAGES:                                                                           \
            if (HS_CALLER_RELEASE < 600)                                                           \
                return spmv(THESE, buffer_size, temp_buffer);                                      \
            break;                                                                                 \
        }                                                                                          \
        return rocsparse_status_invalid_value;                                                     \
    }

#if HS_CALLER_RELEASE >= 600
IN_STAGES(spmv, COMMON)
#endif
#ifdef HS_OFFERS_rocsparse_spmv_ex
IN_STAGES(spmv_ex, CHANGING)

#if HS_CALLER_RELEASE < 600
rocsparse_status hs_semantics_older_rocsparse_spmv_ex(__typeof__(&rocsparse_spmv_ex) spmv, CHANGING,
                                                      rocsparse_spmv_stage stage,
                                                      size_t *buffer_size, void *temp_buffer)
{
    if (stage == rocsparse_spmv_stage_auto)
        return in_stages((with_stage *)spmv, THESE, buffer_size, temp_buffer);
    return spmv(THESE, stage, buffer_size, temp_buffer);
}
#endif
#endif

#define BLOCKS(T)                                                                                  \
    rocsparse_handle handle, rocsparse_direction dir, rocsparse_operation trans, rocsparse_int mb, \
        rocsparse_int nb, rocsparse_int nnzb, const T *alpha, const rocsparse_mat_descr descr,     \
        const T *bsr_val, const rocsparse_int *bsr_row_ptr, const rocsparse_int *bsr_col_ind,      \
        rocsparse_int block_dim
#define THESE_BLOCKS                                                                               \
    handle, dir, trans, mb, nb, nnzb, alpha, descr, bsr_val, bsr_row_ptr, bsr_col_ind, block_dim

/* The runtime's functions of all types; they differ in what the pointers point to. */
typedef rocsparse_status without_info(BLOCKS(void), const void *x, const void *beta, void *y);
typedef rocsparse_status with_info(BLOCKS(void), rocsparse_mat_info info, const void *x,
                                   const void *beta, void *y);

#define WITHOUT_INFO(name, T)                                                                      \
    rocsparse_status rocsparse_bridge_##name(BLOCKS(T), const T *x, const T *beta, T *y)           \
    {                                                                                              \
        return RUNTIME(with_info, name)(THESE_BLOCKS, NULL, x, beta, y);                           \
    }

/* The analysis only makes the product faster. */
#define WITH_INFO(name, T)                                                                         \
    rocsparse_status rocsparse_bridge_##name(BLOCKS(T), rocsparse_mat_info info, const T *x,       \
                                             const T *beta, T *y)                                  \
    {                                                                                              \
        (void)info;                                                                                \
        return RUNTIME(without_info, name)(THESE_BLOCKS, x, beta, y);                              \
    }

#define TYPES(form, after)                                                                         \
    form(sbsrmv##after, float) form(dbsrmv##after, double)                                         \
        form(cbsrmv##after, rocsparse_float_complex) form(zbsrmv##after, rocsparse_double_complex)

/* clang-format off */
#if HS_CALLER_RELEASE < 600
TYPES(WITHOUT_INFO, )
#else
TYPES(WITH_INFO, )
#endif
#ifdef HS_OFFERS_rocsparse_sbsrmv_ex
TYPES(WITH_INFO, _ex)
#endif
