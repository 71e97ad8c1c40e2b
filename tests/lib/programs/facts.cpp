// SPDX-License-Identifier: MIT
//
// Prints what a host object must agree on with ROCm's own headers, and
// compiles with either: sizes and alignment of the vector types, the symbol
// of a function that takes one, channel formats, numbers of the data types.
#include <cstdio>
#include <hip/hip_complex.h>
#include <hip/hip_runtime.h>
#include <hip/library_types.h>
#include <typeinfo>

#ifndef HIPSHIM_STABLE_H
// ROCm's templates call the library here.
hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f)
{
    return {x, y, z, w, f};
}
#endif

namespace
{

template <typename T> void type(const char *name)
{
    hipChannelFormatDesc d = hipCreateChannelDesc<T>();

    std::printf("%s %zu %zu %s channels %d %d %d %d %d\n", name, sizeof(T), alignof(T),
                typeid(T).name(), d.x, d.y, d.z, d.w, d.f);
}

#define VECTORS(name)                                                                              \
    type<name##1>(#name "1");                                                                      \
    type<name##2>(#name "2");                                                                      \
    type<name##3>(#name "3");                                                                      \
    type<name##4>(#name "4")
#define NUMBER(name) std::printf("%s %d\n", #name, static_cast<int>(name))

void vectors()
{
    VECTORS(char);
    VECTORS(uchar);
    VECTORS(short);
    VECTORS(ushort);
    VECTORS(int);
    VECTORS(uint);
    VECTORS(long);
    VECTORS(ulong);
    VECTORS(longlong);
    VECTORS(ulonglong);
    VECTORS(float);
    VECTORS(double);
    type<char>("char");
    type<signed char>("signed char");
    type<unsigned char>("unsigned char");
    type<short>("short");
    type<unsigned short>("unsigned short");
    type<int>("int");
    type<unsigned int>("unsigned int");
    type<long>("long");
    type<unsigned long>("unsigned long");
    type<long long>("long long");
    type<float>("float");
    type<double>("double");
    type<bool>("bool");
    type<dim3>("dim3");
    type<texture<float4, 2>>("texture");
    type<hipComplex>("hipComplex");
    type<hipDoubleComplex>("hipDoubleComplex");
}

void formats()
{
    hipChannelFormatDesc d = hipCreateChannelDescHalf4();

    std::printf("half %d %d\n", d.w, d.f);
    NUMBER(HIP_R_32F);
    NUMBER(HIP_R_64F);
    NUMBER(HIP_R_16F);
    NUMBER(HIP_R_8I);
    NUMBER(HIP_C_32F);
    NUMBER(HIP_C_64F);
    NUMBER(HIP_C_16F);
    NUMBER(HIP_C_8I);
    NUMBER(HIP_R_8U);
    NUMBER(HIP_C_8U);
    NUMBER(HIP_R_32I);
    NUMBER(HIP_C_32I);
    NUMBER(HIP_R_32U);
    NUMBER(HIP_C_32U);
    NUMBER(HIP_R_16BF);
    NUMBER(HIP_C_16BF);
    NUMBER(HIP_R_4I);
    NUMBER(HIP_C_4I);
    NUMBER(HIP_R_4U);
    NUMBER(HIP_C_4U);
    NUMBER(HIP_R_16I);
    NUMBER(HIP_C_16I);
    NUMBER(HIP_R_16U);
    NUMBER(HIP_C_16U);
    NUMBER(HIP_R_64I);
    NUMBER(HIP_C_64I);
    NUMBER(HIP_R_64U);
    NUMBER(HIP_C_64U);
    NUMBER(HIP_R_8F_E4M3);
    NUMBER(HIP_R_8F_E5M2);
    NUMBER(HIP_R_8F_UE8M0);
    NUMBER(HIP_R_6F_E2M3);
    NUMBER(HIP_R_6F_E3M2);
    NUMBER(HIP_R_4F_E2M1);
    NUMBER(HIP_R_8F_E4M3_FNUZ);
    NUMBER(HIP_R_8F_E5M2_FNUZ);
    NUMBER(HIP_LIBRARY_MAJOR_VERSION);
    NUMBER(HIP_LIBRARY_MINOR_VERSION);
    NUMBER(HIP_LIBRARY_PATCH_LEVEL);
}

void complex_numbers()
{
    hipDoubleComplex a = make_hipDoubleComplex(3, 4), b = make_hipDoubleComplex(-1, 2);
    hipDoubleComplex r[] = {hipCadd(a, b), hipCsub(a, b),    hipCmul(a, b),
                            hipCdiv(a, b), hipCfma(a, b, a), hipConj(a)};
    hipComplex f = hipCdivf(make_hipComplex(1, 2), make_hipFloatComplex(3, -4));

    for (const hipDoubleComplex &z : r)
        std::printf("%g %g\n", hipCreal(z), hipCimag(z));
    std::printf("%g %g %g %g\n", hipCabs(a), hipCsqabs(a), static_cast<double>(hipCrealf(f)),
                static_cast<double>(hipCimagf(f)));
}

} // namespace

int main()
{
    vectors();
    formats();
    complex_numbers();
}
