/* SPDX-License-Identifier: MIT */
#include "base/once.h"

#include <stddef.h>
#include <time.h>

enum { NAP_NANOSECONDS = 200 * 1000, NAP_COUNT = 5000 };

void *hs_once_result(struct hs_once *once)
{
    return atomic_load(&once->result);
}

bool hs_once_begin(struct hs_once *once)
{
    const struct timespec nap = {0, NAP_NANOSECONDS};
    for (int i = 0; i < NAP_COUNT && !hs_once_result(once); i++) {
        bool idle = false;
        if (atomic_compare_exchange_strong(&once->busy, &idle, true)) {
            break;
        }
        nanosleep(&nap, NULL);
    }
    return !hs_once_result(once);
}

void *hs_once_publish(struct hs_once *once, void *result)
{
    /* One exchange, so that a child forked by another thread never finds half a result. */
    void *nothing = NULL;
    atomic_compare_exchange_strong(&once->result, &nothing, result);
    atomic_store(&once->busy, false);
    return hs_once_result(once);
}

void hs_once_abandon(struct hs_once *once)
{
    atomic_store(&once->busy, false);
}
