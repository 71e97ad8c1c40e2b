/* SPDX-License-Identifier: MIT */
/* The hooks of by_caller.h in libhipshim: every caller was built with hipshim's own headers. */
#include <stddef.h>

#include "dispatch/by_caller.h"

void hs_by_caller_runtime_opened(const struct hs_runtime *runtime)
{
    (void)runtime;
}

hs_function hs_by_caller_wrapper(unsigned function)
{
    (void)function;
    return NULL;
}
