/* SPDX-License-Identifier: MIT */
/*
 * hipshim: char1 to double4, and make_char1() to make_double4().
 *
 * In C++, sizes, alignments and mangled names are those of ROCm's headers, so an
 * object of the host compiler may pass a float4 to one of hipcc.  Vectors of 2 and 4
 * are aligned to their size, vectors of 1 and 3 to their component.
 * In C they are plain structures aligned to their component, as in ROCm's headers; a
 * float4 in C is not aligned for a kernel that reads it as a whole.
 */
#ifndef HIPSHIM_HIP_HIP_VECTOR_TYPES_H
#define HIPSHIM_HIP_HIP_VECTOR_TYPES_H

#include "hip_common.h"

#if defined(__HIP__) && __has_include(<hip/amd_detail/amd_hip_vector_types.h>)

/* Device code needs vector types of its compiler. */
#include <hip/amd_detail/amd_hip_vector_types.h>

#else

/* The name of ROCm's guard: the types of the header that comes first count, which are the same. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H

#ifdef __cplusplus

/* A program may include this header inside extern "C" braces. */
extern "C++" {

#include <array>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

namespace hipshim_cxx
{
template <typename T, unsigned int rank> struct vector_members;

template <typename T> struct vector_members<T, 1> {
    T x;
};
template <typename T> struct alignas(2 * sizeof(T)) vector_members<T, 2> {
    T x, y;
};
template <typename T> struct vector_members<T, 3> {
    T x, y, z;
};
template <typename T> struct alignas(4 * sizeof(T)) vector_members<T, 4> {
    T x, y, z, w;
};
} // namespace hipshim_cxx

/* The name of the template is part of the ABI, because mangled names contain it. */
template <typename T, unsigned int rank>
struct HIP_vector_type : hipshim_cxx::vector_members<T, rank> {
  private:
    using members = hipshim_cxx::vector_members<T, rank>;

  public:
    using value_type = T;

    HIP_vector_type() = default;

    /* One number sets x; the others become zero. */
    template <typename U, typename std::enable_if<std::is_convertible<U, T>::value, int>::type = 0>
    explicit HIP_vector_type(U first) noexcept : members()
    {
        this->x = static_cast<T>(first);
    }

    template <typename... U,
              typename std::enable_if<(rank > 1 && sizeof...(U) == rank), int>::type = 0>
    constexpr HIP_vector_type(U... all) noexcept : members{static_cast<T>(all)...}
    {
    }

    /* A vector of one number. */
    static HIP_vector_type filled(T number) noexcept
    {
        HIP_vector_type v;

        for (std::size_t i = 0; i < rank; i++)
            v[i] = number;
        return v;
    }

    T &operator[](std::size_t i) noexcept
    {
        return reinterpret_cast<T *>(this)[i];
    }
    const T &operator[](std::size_t i) const noexcept
    {
        return reinterpret_cast<const T *>(this)[i];
    }

    /* Component by component. */
    HIP_vector_type &operator+=(const HIP_vector_type &b) noexcept
    {
        for (std::size_t i = 0; i < rank; i++)
            (*this)[i] = static_cast<T>((*this)[i] + b[i]);
        return *this;
    }
    HIP_vector_type &operator-=(const HIP_vector_type &b) noexcept
    {
        for (std::size_t i = 0; i < rank; i++)
            (*this)[i] = static_cast<T>((*this)[i] - b[i]);
        return *this;
    }
    HIP_vector_type &operator*=(const HIP_vector_type &b) noexcept
    {
        for (std::size_t i = 0; i < rank; i++)
            (*this)[i] = static_cast<T>((*this)[i] * b[i]);
        return *this;
    }
    HIP_vector_type &operator/=(const HIP_vector_type &b) noexcept
    {
        for (std::size_t i = 0; i < rank; i++)
            (*this)[i] = static_cast<T>((*this)[i] / b[i]);
        return *this;
    }

    /* A number counts as a vector whose components are all that number. */
    HIP_vector_type &operator+=(T b) noexcept
    {
        return *this += filled(b);
    }
    HIP_vector_type &operator-=(T b) noexcept
    {
        return *this -= filled(b);
    }
    HIP_vector_type &operator*=(T b) noexcept
    {
        return *this *= filled(b);
    }
    HIP_vector_type &operator/=(T b) noexcept
    {
        return *this /= filled(b);
    }
    HIP_vector_type operator-() const noexcept
    {
        return filled(T()) -= *this;
    }
};

/* Templates outside the class, because clang 14 fails on them as friends. */
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator+(HIP_vector_type<T, n> a, const HIP_vector_type<T, n> &b)
{
    return a += b;
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator+(HIP_vector_type<T, n> a,
                                       typename HIP_vector_type<T, n>::value_type b)
{
    return a += HIP_vector_type<T, n>::filled(b);
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator+(typename HIP_vector_type<T, n>::value_type a,
                                       const HIP_vector_type<T, n> &b)
{
    return HIP_vector_type<T, n>::filled(a) += b;
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator-(HIP_vector_type<T, n> a, const HIP_vector_type<T, n> &b)
{
    return a -= b;
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator-(HIP_vector_type<T, n> a,
                                       typename HIP_vector_type<T, n>::value_type b)
{
    return a -= HIP_vector_type<T, n>::filled(b);
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator-(typename HIP_vector_type<T, n>::value_type a,
                                       const HIP_vector_type<T, n> &b)
{
    return HIP_vector_type<T, n>::filled(a) -= b;
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator*(HIP_vector_type<T, n> a, const HIP_vector_type<T, n> &b)
{
    return a *= b;
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator*(HIP_vector_type<T, n> a,
                                       typename HIP_vector_type<T, n>::value_type b)
{
    return a *= HIP_vector_type<T, n>::filled(b);
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator*(typename HIP_vector_type<T, n>::value_type a,
                                       const HIP_vector_type<T, n> &b)
{
    return HIP_vector_type<T, n>::filled(a) *= b;
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator/(HIP_vector_type<T, n> a, const HIP_vector_type<T, n> &b)
{
    return a /= b;
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator/(HIP_vector_type<T, n> a,
                                       typename HIP_vector_type<T, n>::value_type b)
{
    return a /= HIP_vector_type<T, n>::filled(b);
}
template <typename T, unsigned int n>
inline HIP_vector_type<T, n> operator/(typename HIP_vector_type<T, n>::value_type a,
                                       const HIP_vector_type<T, n> &b)
{
    return HIP_vector_type<T, n>::filled(a) /= b;
}
template <typename T, unsigned int n>
inline bool operator==(const HIP_vector_type<T, n> &a, const HIP_vector_type<T, n> &b)
{
    bool same = true;

    for (std::size_t i = 0; i < n; i++)
        same = same && a[i] == b[i];
    return same;
}
template <typename T, unsigned int n>
inline bool operator!=(const HIP_vector_type<T, n> &a, const HIP_vector_type<T, n> &b)
{
    return !(a == b);
}

} /* extern "C++" */

#define HIPSHIM_VECTOR_TYPES(name, T)                                                              \
    typedef HIP_vector_type<T, 1> name##1;                                                         \
    typedef HIP_vector_type<T, 2> name##2;                                                         \
    typedef HIP_vector_type<T, 3> name##3;                                                         \
    typedef HIP_vector_type<T, 4> name##4;

#else

#define HIPSHIM_VECTOR_TYPES(name, T)                                                              \
    typedef struct {                                                                               \
        T x;                                                                                       \
    } name##1;                                                                                     \
    typedef struct {                                                                               \
        T x, y;                                                                                    \
    } name##2;                                                                                     \
    typedef struct {                                                                               \
        T x, y, z;                                                                                 \
    } name##3;                                                                                     \
    typedef struct {                                                                               \
        T x, y, z, w;                                                                              \
    } name##4;

#endif

#define HIPSHIM_VECTORS(name, T)                                                                   \
    HIPSHIM_VECTOR_TYPES(name, T)                                                                  \
    static inline name##1 make_##name##1(T x)                                                      \
    {                                                                                              \
        name##1 v;                                                                                 \
        v.x = x;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##2 make_##name##2(T x, T y)                                                 \
    {                                                                                              \
        name##2 v;                                                                                 \
        v.x = x;                                                                                   \
        v.y = y;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##3 make_##name##3(T x, T y, T z)                                            \
    {                                                                                              \
        name##3 v;                                                                                 \
        v.x = x;                                                                                   \
        v.y = y;                                                                                   \
        v.z = z;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##4 make_##name##4(T x, T y, T z, T w)                                       \
    {                                                                                              \
        name##4 v;                                                                                 \
        v.x = x;                                                                                   \
        v.y = y;                                                                                   \
        v.z = z;                                                                                   \
        v.w = w;                                                                                   \
        return v;                                                                                  \
    }

HIPSHIM_VECTORS(char, char)
HIPSHIM_VECTORS(uchar, unsigned char)
HIPSHIM_VECTORS(short, short)
HIPSHIM_VECTORS(ushort, unsigned short)
HIPSHIM_VECTORS(int, int)
HIPSHIM_VECTORS(uint, unsigned int)
HIPSHIM_VECTORS(long, long)
HIPSHIM_VECTORS(ulong, unsigned long)
HIPSHIM_VECTORS(longlong, long long)
HIPSHIM_VECTORS(ulonglong, unsigned long long)
HIPSHIM_VECTORS(float, float)
HIPSHIM_VECTORS(double, double)

#undef HIPSHIM_VECTORS
#undef HIPSHIM_VECTOR_TYPES

#endif /* __HIP__ */
#endif

#endif
