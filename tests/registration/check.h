// SPDX-License-Identifier: MIT
//
// Checks of the programs here, as TAP, and what the loopback does for their kernels.
#ifndef HIPSHIM_TESTS_REGISTRATION_CHECK_H
#define HIPSHIM_TESTS_REGISTRATION_CHECK_H

#include <hip/hip_runtime_api.h>
#include <hipshim/hipshim.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

static int check_count;

// Each is one line of TAP, with the error of hipshim if it is not so.
#define CHECK(condition, title)                                                                    \
    do {                                                                                           \
        bool is_so = (condition);                                                                  \
        std::printf("%sok %d - %s\n", is_so ? "" : "not ", ++check_count, title);                  \
        if (!is_so)                                                                                \
            std::printf("# %s: %s\n", #condition, hipshim_error_text());                           \
    } while (false)

static inline int check_end()
{
    std::printf("1..%d\n", check_count);
    std::fflush(stdout);
    return 0;
}

// The kernel's argument at that offset.
template <typename T> static T argument(const void *kernarg, std::size_t offset)
{
    T value;
    std::memcpy(&value, static_cast<const char *>(kernarg) + offset, sizeof value);
    return value;
}

// Defines what the loopback runs for the kernel of that symbol, with kernarg and grid.
#define STAND_IN(symbol)                                                                           \
    extern "C" __attribute__((visibility("default"))) void loopback_kernel_##symbol(               \
        const void *kernarg, const std::uint32_t *grid, const std::uint32_t *)

#endif
