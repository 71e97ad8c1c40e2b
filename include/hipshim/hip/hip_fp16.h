/* SPDX-License-Identifier: MIT */
/*
 * hipshim: floating-point numbers of 16 bits for a host compiler: __half, __half2, their raw
 * forms and the conversions from and to float.
 *
 * As in ROCm's header for such a compiler, arithmetic in C++ is that of float, and C has no
 * conversions; there, __half and __half2 are other names of the raw forms.  Every conversion
 * rounds once: __half(double) does not round to float first.  A NaN becomes the NaN 0x7fff, and
 * back the float 0x7fffffff.
 *
 * Programs may define HIP_NO_HALF, so that the names half and half2 stay free, and
 * __HIP_NO_HALF_CONVERSIONS__, so that no number becomes a __half by itself.
 */
#ifdef __HIP__
#include_next <hip/hip_fp16.h>
/* The name of ROCm's guard: the definitions of the header that comes first count. */
#elif !defined(HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP16_H)
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP16_H

#include "hip_common.h"
#include "hip_vector_types.h"

struct __half_raw {
    unsigned short x;
};

struct __half2_raw {
    unsigned short x;
    unsigned short y;
};

#define HIPRT_INF_FP16        __ushort_as_half(0x7c00)
#define HIPRT_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define HIPRT_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define HIPRT_NAN_FP16        __ushort_as_half(0x7fff)
#define HIPRT_NEG_ZERO_FP16   __ushort_as_half(0x8000)
#define HIPRT_ONE_FP16        __ushort_as_half(0x3c00)
#define HIPRT_ZERO_FP16       __ushort_as_half(0x0000)

#ifdef __cplusplus
/* A program may include this header inside extern "C" braces. */
extern "C++" {

#include <cstdint>
#include <cstring>

namespace hipshim_cxx
{
enum class half_rounding { to_nearest, to_zero, down, up };

/* The bits of the half for `number`.  A double holds every float, so one function serves both. */
inline unsigned short half_bits(double number, half_rounding rounding) noexcept
{
    const std::uint64_t one = 1, infinity = one * 0x7ff << 52;
    std::uint64_t magnitude = 0;

    std::memcpy(&magnitude, &number, sizeof number);
    const bool negative = (magnitude >> 63) != 0;
    const unsigned int sign = negative ? 0x8000 : 0;

    magnitude &= ~(one << 63);
    if (magnitude >= infinity)
        return static_cast<unsigned short>(magnitude > infinity ? 0x7fff : sign | 0x7c00);

    const int exponent = static_cast<int>(magnitude >> 52) - 1023;
    const std::uint64_t fraction = magnitude & ((one << 52) - 1);
    const std::uint64_t significand = exponent > -1023 ? fraction | one << 52 : fraction;
    /* 42 of the 53 bits are too many for a normal half, more below 2^-14, all of them below 2^-25.
     */
    const int dropped = exponent >= -14 ? 42 : exponent >= -26 ? 28 - exponent : 55;
    std::uint64_t rest = significand & ((one << dropped) - 1), middle = one << (dropped - 1);
    unsigned int kept = static_cast<unsigned int>(significand >> dropped);

    if (exponent > 15) { /* between the largest half and infinity, and closer to that */
        kept = 0x7bff;
        rest = middle + 1;
    } else if (exponent >= -14) { /* the leading bit of `kept` adds one to the exponent's field */
        kept += static_cast<unsigned int>(exponent + 14) << 10;
    }
    if (rounding == half_rounding::to_nearest)
        kept += rest > middle || (rest == middle && (kept & 1) != 0);
    else if (rounding != half_rounding::to_zero)
        kept += rest != 0 && negative == (rounding == half_rounding::down);
    return static_cast<unsigned short>(sign | kept);
}

inline float half_value(unsigned short bits) noexcept
{
    const unsigned int exponent = (bits >> 10) & 31U, fraction = bits & 0x3ffU;
    const bool negative = (bits & 0x8000) != 0;
    /* 2^(exponent - 25) as a float, by which the whole number `fraction` is scaled exactly. */
    std::uint32_t word = ((exponent != 0 ? exponent : 1) + 102) << 23;
    float number = 0;

    if (exponent == 31)
        word = fraction != 0 ? 0x7fffffff : 0x7f800000;
    std::memcpy(&number, &word, sizeof number);
    if (exponent != 31)
        number *= static_cast<float>(exponent != 0 ? fraction + 1024 : fraction);
    return negative && number == number ? -number : number;
}
} // namespace hipshim_cxx

/* One number.  Its layout and the mangled names with it are those of ROCm's header. */
struct __half {
  protected:
    unsigned short __x;

  public:
    __half() = default;
    __half(const __half_raw &raw) : __x(raw.x)
    {
    }
    __half &operator=(const __half_raw &raw)
    {
        __x = raw.x;
        return *this;
    }

#ifndef __HIP_NO_HALF_CONVERSIONS__
    __half(double number)
        : __x(hipshim_cxx::half_bits(number, hipshim_cxx::half_rounding::to_nearest))
    {
    }
    __half(float number) : __half(static_cast<double>(number))
    {
    }
    __half &operator=(double number)
    {
        return *this = __half(number);
    }
    __half &operator=(float number)
    {
        return *this = __half(number);
    }
#endif

    operator float() const
    {
        return hipshim_cxx::half_value(__x);
    }
    operator __half_raw() const
    {
        return __half_raw{__x};
    }
};

/* Two numbers, aligned to one. */
struct __half2 {
    __half x;
    __half y;

    __half2() = default;
    __half2(const __half &first, const __half &second) : x(first), y(second)
    {
    }
    __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y})
    {
    }
    __half2 &operator=(const __half2_raw &raw)
    {
        return *this = __half2(raw);
    }
    operator __half2_raw() const
    {
        return __half2_raw{static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x};
    }
};

namespace hipshim_cxx
{
inline __half half_of(float number, half_rounding rounding)
{
    return __half_raw{half_bits(static_cast<double>(number), rounding)};
}
} // namespace hipshim_cxx

/* To the nearest, of two equally near to the even one; _rz towards zero, _rd down, _ru up. */
inline __half __float2half(float number)
{
    return hipshim_cxx::half_of(number, hipshim_cxx::half_rounding::to_nearest);
}
inline __half __float2half_rn(float number)
{
    return __float2half(number);
}
inline __half __float2half_rz(float number)
{
    return hipshim_cxx::half_of(number, hipshim_cxx::half_rounding::to_zero);
}
inline __half __float2half_rd(float number)
{
    return hipshim_cxx::half_of(number, hipshim_cxx::half_rounding::down);
}
inline __half __float2half_ru(float number)
{
    return hipshim_cxx::half_of(number, hipshim_cxx::half_rounding::up);
}
inline __half2 __float2half2_rn(float number)
{
    return __half2(__float2half(number), __float2half(number));
}
inline __half2 __floats2half2_rn(float first, float second)
{
    return __half2(__float2half(first), __float2half(second));
}

inline float __half2float(__half number)
{
    return number;
}
inline float __low2float(__half2 pair)
{
    return pair.x;
}
inline float __high2float(__half2 pair)
{
    return pair.y;
}
inline float2 __half22float2(__half2 pair)
{
    return float2(__half2float(pair.x), __half2float(pair.y));
}

inline __half __ushort_as_half(unsigned short bits)
{
    return __half_raw{bits};
}
inline unsigned short __half_as_ushort(__half number)
{
    return static_cast<__half_raw>(number).x;
}

#ifndef HIP_NO_HALF
using half = __half;
using half2 = __half2;
#endif

} /* extern "C++" */
#else
typedef struct __half_raw __half;
typedef struct __half2_raw __half2;
#endif

#endif
