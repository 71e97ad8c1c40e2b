// SPDX-License-Identifier: MIT
//
// whole [LAUNCHES]: a program with 100 kernels that launches none, or one of them so often.
#include <hip/hip_runtime.h>

#include <cstdlib>

#define KERNEL(n)                                                                                  \
    static __global__ void kernel##n(int *p)                                                       \
    {                                                                                              \
        *p = n;                                                                                    \
    }
#define LAUNCHED(n) kernel##n<<<1, 1>>>(nullptr);
#define TEN(what, n)                                                                               \
    what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7)        \
        what(n##8) what(n##9)
#define HUNDRED(what)                                                                              \
    TEN(what, 1)                                                                                   \
    TEN(what, 2)                                                                                   \
    TEN(what, 3)                                                                                   \
    TEN(what, 4)                                                                                   \
    TEN(what, 5) TEN(what, 6) TEN(what, 7) TEN(what, 8) TEN(what, 9) TEN(what, 10)

HUNDRED(KERNEL)

int main(int count, char **arguments)
{
    if (count > 2) {
        HUNDRED(LAUNCHED) // keeps them all
    }
    for (int left = count > 1 ? std::atoi(arguments[1]) : 0; left > 0; left--)
        kernel10<<<1, 1>>>(nullptr);
    return count > 1 ? static_cast<int>(hipGetLastError()) : 0;
}
