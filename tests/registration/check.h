// SPDX-License-Identifier: MIT
//
// Checks of the programs here, as TAP.
#ifndef HIPSHIM_TESTS_REGISTRATION_CHECK_H
#define HIPSHIM_TESTS_REGISTRATION_CHECK_H

#include <hip/hip_runtime_api.h>
#include <hipshim/hipshim.h>

#include <cstdio>

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

#endif
