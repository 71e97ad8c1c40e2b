/* SPDX-License-Identifier: MIT */
/* What every test of a real runtime includes: cmocka and the stable headers. */
#ifndef HIPSHIM_TESTS_REAL_CHECK_H
#define HIPSHIM_TESTS_REAL_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <hipshim/hipshim.h>

/* HIP's version of the runtime under test, "6.4.43484", set by tests/lib/real.sh. */
static inline const char *wanted_release(void)
{
    const char *wanted = getenv("REAL_RELEASE");
    return wanted ? wanted : "";
}

#endif
