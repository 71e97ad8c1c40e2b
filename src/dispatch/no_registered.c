/* SPDX-License-Identifier: MIT */
/* The functions of registered.h in drop-ins. */
#include "dispatch/registered.h"

bool hs_registered_defers(unsigned function)
{
    (void)function;
    return false;
}

void hs_registered_before(unsigned function)
{
    (void)function;
}

void hs_registered_until_exit(void)
{
}
