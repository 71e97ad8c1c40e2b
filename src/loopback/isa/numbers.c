/* SPDX-License-Identifier: MIT */
#include "numbers.h"

float isa_half(uint32_t bits)
{
    uint32_t sign = (bits & 0x8000) << 16;
    uint32_t rest = bits & 0x7fff;
    if (rest >= 0x7c00) {
        return f32(sign | 0x7f800000 | (rest & 0x3ff) << 13 | (rest > 0x7c00 ? 0x400000 : 0));
    }
    float value = rest >= 0x400 ? f32((rest << 13) + (112U << 23)) : (float)rest * 0x1p-24F;
    return f32(sign | bits32(value));
}

/* Whether the value moves away from zero, if what is cut off is `rest` of `whole`. */
static bool rounds_up(uint64_t rest, uint64_t whole, bool odd, bool negative, unsigned rounding)
{
    switch (rounding) {
    case 0:
        return rest > whole / 2 || (rest == whole / 2 && odd);
    case 1:
        return rest && !negative;
    case 2:
        return rest && negative;
    default:
        return false;
    }
}

uint32_t isa_to_half(double value, unsigned rounding)
{
    uint64_t bits = bits64(value);
    uint32_t sign = (uint32_t)(bits >> 48) & 0x8000;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t digits = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    if (exponent == 1024) {
        return sign | 0x7c00 | (isnan(value) ? 0x200 | (uint32_t)(digits >> 42 & 0x1ff) : 0);
    }
    if (value == 0) {
        return sign;
    }
    int cut = exponent >= -14 ? 42 : 42 + (-14 - exponent);
    if (cut > 60) {
        cut = 60; /* what is left is nothing but a remainder */
    }
    uint64_t kept = digits >> cut;
    uint64_t rest = digits & ((UINT64_C(1) << cut) - 1);
    uint32_t base = exponent >= -14 ? (uint32_t)(exponent + 14) << 10 : 0;
    if (exponent > 15) {
        base = 0x7c00;
        if (rounding == 3 || rounding == (sign ? 1U : 2U)) {
            return sign | 0x7bff;
        }
        return sign | base;
    }
    kept += rounds_up(rest, UINT64_C(1) << cut, kept & 1, sign != 0, rounding);
    return sign | (base + (uint32_t)kept);
}

uint32_t isa_to_brain(float value)
{
    uint32_t bits = bits32(value);
    return isnan(value) ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

static int small_bias(int digits)
{
    return digits == 3 ? 8 : 16;
}

float isa_small(uint32_t bits, int digits)
{
    uint32_t one = UINT32_C(1) << digits;
    int exponent = (int)((bits & 0x7f) >> digits);
    uint32_t number = (bits & (one - 1)) | (exponent ? one : 0);
    float size = ldexpf((float)number, (exponent ? exponent : 1) - small_bias(digits) - digits);
    return (bits & 0xff) == 0x80 ? NAN : bits & 0x80 ? -size : size;
}

uint32_t isa_to_small(float value, int digits)
{
    if (!isfinite(value)) {
        return 0x80;
    }
    int least = 1 - small_bias(digits);
    int exponent = value != 0 && ilogbf(value) > least ? ilogbf(value) : least;
    double exact = ldexp(fabs((double)value), digits - exponent);
    uint32_t number = exact < 256 ? (uint32_t)exact : 256;
    double rest = exact - number;
    number += rest > 0.5 || (rest == 0.5 && number & 1);
    uint32_t bits = ((uint32_t)(exponent - least) << digits) + number;
    return bits > 0x7f ? 0x80 : bits && signbit(value) ? 0x80 | bits : bits;
}

uint32_t isa_to_int(double value)
{
    if (!(value > -2147483649.0)) {
        return isnan(value) ? 0 : 0x80000000;
    }
    return value >= 2147483648.0 ? 0x7fffffff : (uint32_t)(int32_t)value;
}

uint32_t isa_to_unsigned(double value)
{
    return !(value > 0) ? 0 : value >= 4294967296.0 ? UINT32_MAX : (uint32_t)value;
}

/* Byte 0 to 3 is of the lower word; 8 to 11 are signs, 12 is 0, and the rest are ones. */
uint32_t isa_perm(uint32_t high, uint32_t low, uint32_t selectors)
{
    uint64_t bytes = (uint64_t)high << 32 | low;
    uint32_t result = 0;
    for (int i = 0; i < 32; i += 8) {
        uint32_t which = selectors >> i & 0xff;
        uint32_t byte = which <= 7    ? (uint32_t)(bytes >> which * 8) & 0xff
                        : which <= 11 ? (bytes >> ((which - 8) * 16 + 15) & 1) * 0xff
                        : which == 12 ? 0
                                      : 0xff;
        result |= byte << i;
    }
    return result;
}

int isa_exponent(double x)
{
    int exponent = 0;
    if (isfinite(x) && x != 0) {
        frexp(x, &exponent);
    }
    return exponent;
}

double isa_mantissa(double x)
{
    int exponent;
    return isfinite(x) && x != 0 ? frexp(x, &exponent) : x;
}

double isa_divide_fixup(double q, double d, double n)
{
    bool negative = !!signbit(d) != !!signbit(n);
    if (isnan(n) || isnan(d)) {
        return isnan(n) ? n : d;
    }
    if ((d == 0 && n == 0) || (isinf(d) && isinf(n))) {
        return -(double)NAN;
    }
    if (d == 0 || isinf(n)) {
        return negative ? -INFINITY : INFINITY;
    }
    if (isinf(d) || n == 0) {
        return negative ? -0.0 : 0.0;
    }
    if (isnan(q)) { /* the steps before overflowed, and so does the quotient, or it vanishes */
        q = fabs(n) > fabs(d) ? INFINITY : 0;
    }
    return negative ? -fabs(q) : fabs(q);
}

double isa_median(double a, double b, double c)
{
    if (isnan(a) || isnan(b) || isnan(c)) {
        return min64(min64(a, b), c);
    }
    double most = max64(max64(a, b), c);
    return most == a ? max64(b, c) : most == b ? max64(a, c) : max64(a, b);
}
