// SPDX-License-Identifier: MIT
//
// Sorts 1,000,000 keys of 32 bits on the first GPU by rocPRIM's radix sort.  Prints how many ns
// that took if they are in order.  What the loopback prints for it is on standard error between
// "begin" and "end".
#include <hip/hip_runtime.h>
#include <rocprim/device/device_radix_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "sample.h"

static constexpr unsigned COUNT = 1000000;

static void check(bool is_right, const char *what)
{
    if (!is_right) {
        std::fprintf(stderr, "sort: %s\n", what);
        std::exit(1);
    }
}

static double sort(void *room, std::size_t size, std::uint32_t *from, std::uint32_t *to)
{
    double start = sample_now();
    hipError_t error = rocprim::radix_sort_keys(room, size, from, to, COUNT);
    check(error == hipSuccess && hipDeviceSynchronize() == hipSuccess, "the sort fails");
    return sample_now() - start;
}

int main()
{
    std::vector<std::uint32_t> keys(COUNT), sorted(COUNT);
    std::uint32_t *from = nullptr, *to = nullptr, seed = 1;
    void *room = nullptr;
    std::size_t size = 0;

    for (std::uint32_t &key : keys) {
        seed = seed * 1664525 + 1013904223;
        key = seed ^ seed >> 15;
    }
    check(hipMalloc(&from, sizeof *from * COUNT) == hipSuccess &&
              hipMalloc(&to, sizeof *to * COUNT) == hipSuccess &&
              hipMemcpy(from, keys.data(), sizeof *from * COUNT, hipMemcpyHostToDevice) ==
                  hipSuccess &&
              rocprim::radix_sort_keys(nullptr, size, from, to, COUNT) == hipSuccess &&
              hipMalloc(&room, size) == hipSuccess && hipDeviceSynchronize() == hipSuccess,
          "there is no memory");
    std::fputs("begin\n", stderr);
    double took = sort(room, size, from, to);
    std::fputs("end\n", stderr);
    check(hipMemcpy(sorted.data(), to, sizeof *to * COUNT, hipMemcpyDeviceToHost) == hipSuccess,
          "the copy fails");
    std::sort(keys.begin(), keys.end());
    check(keys == sorted, "a key is wrong");
    std::printf("%.0f\n", took);
}
