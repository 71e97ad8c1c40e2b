/* SPDX-License-Identifier: MIT */
/* hipshim: complex numbers as float2 and double2: x is the real part, y the imaginary one. */
#ifndef HIPSHIM_HIP_HIP_COMPLEX_H
#define HIPSHIM_HIP_HIP_COMPLEX_H

#ifdef __HIP__

/* Device code calls these functions, too. */
#include "hip_common.h"
#include_next <hip/hip_complex.h>

#else

#ifdef __cplusplus
extern "C++" {
#include <cmath>
}
#else
#include <math.h>
#endif

#include "hip_vector_types.h"

/* The name of ROCm's guard: the functions of the header that comes first count. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COMPLEX_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COMPLEX_H

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

static inline hipFloatComplex make_hipFloatComplex(float re, float im)
{
    return make_float2(re, im);
}
static inline hipDoubleComplex make_hipDoubleComplex(double re, double im)
{
    return make_double2(re, im);
}
static inline hipComplex make_hipComplex(float re, float im)
{
    return make_float2(re, im);
}

static inline float hipCrealf(hipFloatComplex a)
{
    return a.x;
}
static inline double hipCreal(hipDoubleComplex a)
{
    return a.x;
}
static inline float hipCimagf(hipFloatComplex a)
{
    return a.y;
}
static inline double hipCimag(hipDoubleComplex a)
{
    return a.y;
}

static inline hipFloatComplex hipConjf(hipFloatComplex a)
{
    return make_float2(a.x, -a.y);
}
static inline hipDoubleComplex hipConj(hipDoubleComplex a)
{
    return make_double2(a.x, -a.y);
}

/* The square of the absolute value. */
static inline float hipCsqabsf(hipFloatComplex a)
{
    return a.x * a.x + a.y * a.y;
}
static inline double hipCsqabs(hipDoubleComplex a)
{
    return a.x * a.x + a.y * a.y;
}
static inline float hipCabsf(hipFloatComplex a)
{
    return sqrtf(hipCsqabsf(a));
}
static inline double hipCabs(hipDoubleComplex a)
{
    return sqrt(hipCsqabs(a));
}

static inline hipFloatComplex hipCaddf(hipFloatComplex a, hipFloatComplex b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}
static inline hipDoubleComplex hipCadd(hipDoubleComplex a, hipDoubleComplex b)
{
    return make_double2(a.x + b.x, a.y + b.y);
}
static inline hipFloatComplex hipCsubf(hipFloatComplex a, hipFloatComplex b)
{
    return make_float2(a.x - b.x, a.y - b.y);
}
static inline hipDoubleComplex hipCsub(hipDoubleComplex a, hipDoubleComplex b)
{
    return make_double2(a.x - b.x, a.y - b.y);
}
static inline hipFloatComplex hipCmulf(hipFloatComplex a, hipFloatComplex b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static inline hipDoubleComplex hipCmul(hipDoubleComplex a, hipDoubleComplex b)
{
    return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static inline hipFloatComplex hipCdivf(hipFloatComplex a, hipFloatComplex b)
{
    float norm = hipCsqabsf(b);

    return make_float2((a.x * b.x + a.y * b.y) / norm, (a.y * b.x - a.x * b.y) / norm);
}
static inline hipDoubleComplex hipCdiv(hipDoubleComplex a, hipDoubleComplex b)
{
    double norm = hipCsqabs(b);

    return make_double2((a.x * b.x + a.y * b.y) / norm, (a.y * b.x - a.x * b.y) / norm);
}

/* a * b + c */
static inline hipComplex hipCfmaf(hipComplex a, hipComplex b, hipComplex c)
{
    return hipCaddf(hipCmulf(a, b), c);
}
static inline hipDoubleComplex hipCfma(hipDoubleComplex a, hipDoubleComplex b, hipDoubleComplex c)
{
    return hipCadd(hipCmul(a, b), c);
}

static inline hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex a)
{
    return make_float2((float)a.x, (float)a.y);
}
static inline hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex a)
{
    return make_double2((double)a.x, (double)a.y);
}

#endif /* __HIP__ */
#endif

#endif
