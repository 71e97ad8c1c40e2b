// SPDX-License-Identifier: MIT
//
// Prints of the 16-bit numbers, the constants and the older properties of a device what a host
// object must agree on with ROCm's own headers, and compiles with either.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <hip/hip_runtime_api.h>

#include <hip/hip_bfloat16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_deprecated.h>
#include <hip/hip_fp16.h>
#include <hip/hip_math_constants.h>
#include <type_traits>
#include <typeinfo>

namespace
{

template <typename To, typename From> To bits_as(From from)
{
    To to;

    static_assert(sizeof to == sizeof from, "as many bits");
    std::memcpy(&to, &from, sizeof to);
    return to;
}

} // namespace

#ifndef HIPSHIM_STABLE_H
// In ROCm's headers these are device functions.
static float __int_as_float(unsigned int bits)
{
    return bits_as<float>(bits);
}
static double __longlong_as_double(unsigned long long bits)
{
    return bits_as<double>(bits);
}
#endif

namespace
{

template <typename T> void type(const char *name)
{
    std::printf("%s %zu %zu %s %d%d%d\n", name, sizeof(T), alignof(T), typeid(T).name(),
                std::is_trivially_copyable<T>::value, std::is_trivial<T>::value,
                std::is_standard_layout<T>::value);
}

unsigned int bits(__half number)
{
    return static_cast<__half_raw>(number).x;
}

// Every half, as a float and with the numbers around it back again.
void conversions()
{
    std::uint64_t sum = 0;

    for (unsigned int i = 0; i < 0x10000; i++) {
        std::uint32_t word =
            bits_as<std::uint32_t>(__half2float(__half_raw{static_cast<unsigned short>(i)}));

        sum = sum * 31 + word;
        for (std::uint32_t apart : {0U, 1U, ~0U, 0xfffU, 0x1000U, 0x1001U}) {
            float f = bits_as<float>(word + apart);

            sum = sum * 31 + bits(__float2half(f));
            sum = sum * 31 + bits(__float2half_rz(f));
            sum = sum * 31 + bits(__float2half_rd(f));
            sum = sum * 31 + bits(__float2half_ru(f));
        }
    }
    std::printf("conversions %llx\n", static_cast<unsigned long long>(sum));
}

#define WORD(name) std::printf("%s %x\n", #name, bits_as<std::uint32_t>(static_cast<float>(name)))
#define LONG(name)                                                                                 \
    std::printf("%s %llx\n", #name, bits_as<unsigned long long>(static_cast<double>(name)))

void constants()
{
#include "constants.inc"
}

void properties()
{
    std::printf("properties %zu %zu %zu %zu\n", sizeof(hipDeviceProp_tR0000),
                offsetof(hipDeviceProp_tR0000, totalGlobalMem),
                offsetof(hipDeviceProp_tR0000, gcnArchName),
                offsetof(hipDeviceProp_tR0000, pageableMemoryAccessUsesHostPageTables));
}

} // namespace

int main()
{
    type<__half>("__half");
    type<__half2>("__half2");
    type<__half_raw>("__half_raw");
    type<__half2_raw>("__half2_raw");
    type<half2>("half2");
    type<hip_bfloat16>("hip_bfloat16");
    std::printf("%d%d%d\n", std::is_convertible<__half, float>::value,
                std::is_convertible<double, __half>::value,
                std::is_convertible<int, __half>::value);
    conversions();
    constants();
    properties();
}
