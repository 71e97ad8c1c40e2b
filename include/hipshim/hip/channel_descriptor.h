/* SPDX-License-Identifier: MIT */
/*
 * hipshim: channel formats of textures and arrays: hipCreateChannelDesc(), and
 * in C++ hipCreateChannelDesc<T>() for a component or vector type T.
 */
#ifndef HIPSHIM_HIP_CHANNEL_DESCRIPTOR_H
#define HIPSHIM_HIP_CHANNEL_DESCRIPTOR_H

#include <limits.h>

#include "driver_types.h"
#include "hip_common.h"
#include "hip_vector_types.h"
#include "stable.h"

/* See hip_common.h. */
#define HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H

/* The name of ROCm's guard: the functions of the header that comes first count. */
#if defined(__cplusplus) && !defined(HIP_INCLUDE_HIP_AMD_DETAIL_CHANNEL_DESCRIPTOR_H)
#define HIP_INCLUDE_HIP_AMD_DETAIL_CHANNEL_DESCRIPTOR_H
extern "C++" {

namespace hipshim_cxx
{
/* The hardware has channels of at most 32 bits, and never three channels; other types have no
 * format. */
template <typename T> struct channels {
    static constexpr bool real = std::is_same<T, float>::value;
    static constexpr bool whole =
        std::is_integral<T>::value && !std::is_same<T, bool>::value && sizeof(T) <= 4;
    static constexpr unsigned int count = real || whole ? 1 : 0;
    static constexpr int bits = static_cast<int>(sizeof(T) * CHAR_BIT);
    static constexpr hipChannelFormatKind kind = real     ? hipChannelFormatKindFloat
                                                 : !whole ? hipChannelFormatKindNone
                                                 : std::is_signed<T>::value
                                                     ? hipChannelFormatKindSigned
                                                     : hipChannelFormatKindUnsigned;
};
template <typename T, unsigned int rank> struct channels<HIP_vector_type<T, rank>> {
    static constexpr unsigned int count = rank == 3 ? 0 : channels<T>::count * rank;
    static constexpr int bits = channels<T>::bits;
    static constexpr hipChannelFormatKind kind =
        count == 0 ? hipChannelFormatKindNone : channels<T>::kind;
};

/* Computed here and not in the library, because textures at file scope use it before main. */
static inline hipChannelFormatDesc channel_format(unsigned int count, int bits,
                                                  hipChannelFormatKind kind)
{
    hipChannelFormatDesc format;

    format.x = count > 0 ? bits : 0;
    format.y = count > 1 ? bits : 0;
    format.z = count > 2 ? bits : 0;
    format.w = count > 3 ? bits : 0;
    format.f = kind;
    return format;
}
} // namespace hipshim_cxx

/* A type without a format gives hipChannelFormatKindNone and no bits. */
template <typename T> static inline hipChannelFormatDesc hipCreateChannelDesc()
{
    using T_channels = hipshim_cxx::channels<T>;

    return hipshim_cxx::channel_format(T_channels::count, T_channels::bits, T_channels::kind);
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf()
{
    return hipshim_cxx::channel_format(1, 16, hipChannelFormatKindFloat);
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf1()
{
    return hipshim_cxx::channel_format(1, 16, hipChannelFormatKindFloat);
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf2()
{
    return hipshim_cxx::channel_format(2, 16, hipChannelFormatKindFloat);
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf4()
{
    return hipshim_cxx::channel_format(4, 16, hipChannelFormatKindFloat);
}

} /* extern "C++" */
#endif

#endif
