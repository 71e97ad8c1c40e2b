// SPDX-License-Identifier: MIT
//
// Checks hip_fp16.h against the definition of the format: the value of each of the 65536 halves,
// and the half of floats and doubles at, beside and between all halves, in each rounding.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hip/hip_fp16.h>
#include <vector>

namespace
{

enum rounding { nearest, to_zero, down, up };

std::vector<double> values; // of the halves 0 to 0x7c00: ascending, the last is infinity
long checks = 0;

void check(const char *what, double number, unsigned int got, unsigned int wanted)
{
    checks++;
    if (got != wanted) {
        std::printf("%s of %a: %04x instead of %04x\n", what, number, got, wanted);
        std::exit(1);
    }
}

double value_of(unsigned int half)
{
    int exponent = static_cast<int>(half >> 10 & 31);
    int fraction = static_cast<int>(half & 1023);

    if (exponent == 31)
        return fraction != 0 ? NAN : INFINITY;
    return exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
}

// Chosen among the two neighbours by comparison; 65536 is the place of infinity.
unsigned int half_of(double number, rounding mode)
{
    double size = std::fabs(number);
    unsigned int sign = std::signbit(number) ? 0x8000 : 0;
    auto place = std::upper_bound(values.begin(), values.end(), size);
    unsigned int above = static_cast<unsigned int>(place - values.begin());

    if (std::isnan(number))
        return 0x7fff;
    if (values[above - 1] == size)
        return sign | (above - 1);
    double low = values[above - 1], high = above == 0x7c00 ? 65536 : values[above];
    bool away = mode == (sign != 0 ? down : up);

    if (mode == nearest)
        away = size - low > high - size || (size - low == high - size && (above & 1) == 0);
    return sign | (away ? above : above - 1);
}

void check_number(double number)
{
    float f = static_cast<float>(number);

    check("__half(double)", number, __half_as_ushort(__half(number)), half_of(number, nearest));
    check("__half(float)", number, __half_as_ushort(__half(f)), half_of(f, nearest));
    check("__float2half", f, __half_as_ushort(__float2half(f)), half_of(f, nearest));
    check("__float2half_rn", f, __half_as_ushort(__float2half_rn(f)), half_of(f, nearest));
    check("__float2half_rz", f, __half_as_ushort(__float2half_rz(f)), half_of(f, to_zero));
    check("__float2half_rd", f, __half_as_ushort(__float2half_rd(f)), half_of(f, down));
    check("__float2half_ru", f, __half_as_ushort(__float2half_ru(f)), half_of(f, up));
}

void check_around(double number)
{
    for (double n : {number, -number}) {
        float f = static_cast<float>(n);

        check_number(n);
        check_number(std::nextafter(n, 1e300));
        check_number(std::nextafter(n, -1e300));
        check_number(static_cast<double>(std::nextafterf(f, FLT_MAX)));
        check_number(static_cast<double>(std::nextafterf(f, -FLT_MAX)));
    }
}

void check_values()
{
    for (unsigned int half = 0; half < 0x10000; half++) {
        float got = __half2float(__ushort_as_half(static_cast<unsigned short>(half)));
        double wanted = value_of(half & 0x7fff) * (half & 0x8000 ? -1 : 1);
        bool same = std::isnan(wanted) ? std::isnan(got)
                                       : static_cast<double>(got) == wanted &&
                                             std::signbit(got) == std::signbit(wanted);

        check("__half2float", half, same, 1);
    }
}

void check_pairs()
{
    __half2 pair = __floats2half2_rn(1.5F, -2), twice = __float2half2_rn(3),
            raw = __half2_raw{1, 2};
    float2 both = __half22float2(pair);
    __half assigned = 0.25F;

    check("__low2float", 1.5, __low2float(pair) == 1.5F && both.x == 1.5F, 1);
    check("__high2float", -2, __high2float(pair) == -2 && both.y == -2, 1);
    check("__float2half2_rn", 3, twice.x == 3.0F && twice.y == 3.0F, 1);
    check("__half2_raw", 2, static_cast<__half2_raw>(raw).x * 16U + __half_as_ushort(raw.y), 0x12);
    assigned = __half_raw{0x3c00};
    check("half of a raw form", 1, assigned == 1.0F && assigned + assigned == 2.0F, 1);
    assigned = 0.5;
    pair = __half2_raw{0x3c00, 0x4000};
    check("half of a double", 0.5, assigned == 0.5F && half(pair.y) == 2.0F, 1);
    check("constants", 1,
          HIPRT_ONE_FP16 == 1.0F && HIPRT_INF_FP16 == INFINITY && HIPRT_NAN_FP16 != HIPRT_NAN_FP16,
          1);
}

} // namespace

int main()
{
    for (unsigned int half = 0; half <= 0x7c00; half++)
        values.push_back(value_of(half));
    check_values();
    check_pairs();
    for (unsigned int half = 0; half < 0x7c00; half++) {
        double high = half == 0x7bff ? 65536 : values[half + 1];

        check_around(values[half]);
        check_around((values[half] + high) / 2);
    }
    for (double far : {65536.0, 1e30, 1e300, 1e-40, 1e-300, 4.9e-324, HUGE_VAL, double(NAN)})
        check_around(far);
    std::srand(1);
    for (int i = 0; i < 1000000; i++)
        check_number(std::ldexp(std::rand() - RAND_MAX / 2, std::rand() % 48 - 60));
    std::printf("%ld checks\n", checks);
}
