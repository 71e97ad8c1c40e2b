/* SPDX-License-Identifier: MIT */
/* adapters.c of the made-up API: 5.7 turns in place, and 7.2 writes the result elsewhere. */
#include "adapters.h"

#include "engine/dispatch.h"
#include "functions.h"

#if HS_CALLER_RELEASE < 702
int gear_bridge_gearTurn(int *value, int by)
{
    int (*turn)(int, int, int *) = (int (*)(int, int, int *))hs_runtime_functions[HS_FN_gearTurn];
    return turn(*value, by, value);
}
#else
int gear_bridge_gearTurn(int value, int by, int *result)
{
    int (*turn)(int *, int) = (int (*)(int *, int))hs_runtime_functions[HS_FN_gearTurn];
    int status = turn(&value, by);
    *result = value;
    return status;
}
#endif
