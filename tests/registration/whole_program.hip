// SPDX-License-Identifier: MIT
//
// examples/08_whole_program.hip, and functions that carry its kernels out on the
// loopback (hipshim/loopback.h).
#include "../../examples/08_whole_program.hip"

#include <cstdint>
#include <cstring>

namespace
{

template <typename T> T argument(const void *kernarg, std::size_t offset)
{
    T value;
    std::memcpy(&value, static_cast<const char *>(kernarg) + offset, sizeof value);
    return value;
}

template <typename T> T *variable(const T &shadow)
{
    void *address = nullptr;
    return hipGetSymbolAddress(&address, shadow) == hipSuccess ? static_cast<T *>(address)
                                                               : nullptr;
}

} // namespace

#define STAND_IN(name)                                                                             \
    extern "C" __attribute__((visibility("default"))) void loopback_kernel_##name(                 \
        const void *kernarg, const std::uint32_t *grid, const std::uint32_t *)

STAND_IN(_Z4fillIjEvPT_S0_j)
{
    auto *p = argument<unsigned *>(kernarg, 0);
    auto value = argument<unsigned>(kernarg, 8);
    for (unsigned i = 0; i < grid[0] && i < argument<unsigned>(kernarg, 12); i++)
        p[i] = value;
}

STAND_IN(_Z4linePKjPjj)
{
    auto *x = argument<const unsigned *>(kernarg, 0);
    auto *y = argument<unsigned *>(kernarg, 8);
    unsigned factor = (*variable(coefficients))[0];
    for (unsigned i = 0; i < grid[0] && i < argument<unsigned>(kernarg, 16); i++)
        y[i] += factor * x[i];
}

STAND_IN(_Z3sumPKjj)
{
    auto *y = argument<const unsigned *>(kernarg, 0);
    unsigned long long *to = variable(total);
    for (unsigned i = 0; i < grid[0] && i < argument<unsigned>(kernarg, 8); i++)
        *to += y[i];
}
