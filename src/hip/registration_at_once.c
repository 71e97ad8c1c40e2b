/* SPDX-License-Identifier: MIT */
/* In drop-ins the runtime gets each record as it comes (dropin_hooks.c), so little is left to do.
 */
#include "hip/registration_calls.h"

void hs_registered_added(void)
{
    hs_registered_update();
}

void hs_registered_managed(void)
{
}
