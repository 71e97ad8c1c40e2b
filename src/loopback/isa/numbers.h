/* SPDX-License-Identifier: MIT */
/* Numbers in registers: their bits, and operations that C lacks or leaves undefined. */
#ifndef LOOPBACK_ISA_NUMBERS_H
#define LOOPBACK_ISA_NUMBERS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "isa.h"

static inline float f32(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double f64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A half; each is exact as a float. */
float isa_half(uint32_t bits);
/* Rounds by MODE's two bits: 0 to nearest even, 1 up, 2 down, 3 to zero. */
uint32_t isa_to_half(double value, unsigned rounding);
/* The upper half of a float, rounded to the nearest even one. */
uint32_t isa_to_brain(float value);
/* Numbers of 8 bits with so many digits, 3 (fp8) or 2 (bf8), as gfx942 has them: 0x80 is the NaN,
 * what is too large becomes it, and there is one zero. */
float isa_small(uint32_t bits, int digits);
uint32_t isa_to_small(float value, int digits);
/* Saturates, and gives 0 for a NaN. */
uint32_t isa_to_int(double value);
uint32_t isa_to_unsigned(double value);
uint32_t isa_perm(uint32_t high, uint32_t low, uint32_t selectors);
/* As frexp() has them; 0 and the number itself for 0, infinities and NaNs. */
int isa_exponent(double x);
double isa_mantissa(double x);
/* The quotient q of n and d with its sign, and what division gives for special numbers. */
double isa_divide_fixup(double q, double d, double n);
/* A NaN counts as none of the three. */
double isa_median(double a, double b, double c);

/* What "clamp" makes of a float; 0 of a NaN. */
static inline double clamped_to_one(double value)
{
    return value > 0 ? value < 1 ? value : 1 : 0;
}

/* The maximum and minimum of the hardware: a number before a NaN, and -0 before +0. */
#define EXTREMES(width, type)                                                                      \
    static inline type max##width(type a, type b)                                                  \
    {                                                                                              \
        return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b;        \
    }                                                                                              \
    static inline type min##width(type a, type b)                                                  \
    {                                                                                              \
        return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b;        \
    }
EXTREMES(32, float)
EXTREMES(64, double)

static inline uint32_t low16(uint32_t a)
{
    return a & 0xffff;
}

static inline int32_t signed16(uint32_t a)
{
    return (int16_t)(uint16_t)a;
}

static inline int32_t signed24(uint32_t a)
{
    return (int32_t)((a & 0xffffff) ^ 0x800000) - 0x800000;
}

static inline uint32_t low24(uint32_t a)
{
    return a & 0xffffff;
}

static inline uint32_t reverse32(uint32_t a)
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(a);
}

static inline uint64_t reverse64(uint64_t a)
{
    return (uint64_t)reverse32((uint32_t)a) << 32 | reverse32((uint32_t)(a >> 32));
}

static inline uint32_t first_one(uint64_t a) /* from bit 0; ~0 if there is none */
{
    return a ? (uint32_t)__builtin_ctzll(a) : UINT32_MAX;
}

static inline uint32_t leading(uint32_t a)
{
    return a ? (uint32_t)__builtin_clz(a) : UINT32_MAX;
}

static inline uint32_t leading64(uint64_t a)
{
    return a ? (uint32_t)__builtin_clzll(a) : UINT32_MAX;
}

/* The number of sign bits, ~0 if all are the same. */
static inline uint32_t leading_sign(uint32_t a)
{
    return leading((int32_t)a < 0 ? ~a : a);
}

static inline uint32_t field(uint32_t a, uint32_t start, uint32_t width)
{
    return a >> start & (width > 31 ? UINT32_MAX : (UINT32_C(1) << width) - 1);
}

static inline uint32_t signed_field(uint32_t a, uint32_t start, uint32_t width)
{
    if (width == 0) {
        return 0;
    }
    if (width > 32 - start) {
        width = 32 - start;
    }
    return (uint32_t)((int32_t)(a << (32 - start - width)) >> (32 - width));
}

/* Whether C's operator is defined does not matter for lanes that nobody reads. */
static inline uint32_t arithmetic_right(uint32_t a, uint32_t by)
{
    return (uint32_t)((int32_t)a >> (by & 31));
}

static inline uint32_t median(uint32_t a, uint32_t b, uint32_t c)
{
    return a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b);
}

static inline int32_t signed_median(int32_t a, int32_t b, int32_t c)
{
    return a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b);
}

static inline uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static inline int32_t clamped(int64_t value, int64_t low, int64_t high)
{
    return (int32_t)(value < low ? low : value > high ? high : value);
}

#endif
