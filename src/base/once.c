/* SPDX-License-Identifier: MIT */
#include "base/once.h"

#include <time.h>

enum { NAP_NANOSECONDS = 200 * 1000, NAPS = 5000 };

int hs_once_begin(struct hs_once *turn, void *_Atomic *result)
{
    const struct timespec nap = {0, NAP_NANOSECONDS};
    int i;

    for (i = 0; i < NAPS && !atomic_load(result); i++) {
        int none = 0;

        if (atomic_compare_exchange_strong(&turn->taken, &none, 1)) {
            break;
        }
        nanosleep(&nap, NULL);
    }
    return !atomic_load(result);
}

void hs_once_end(struct hs_once *turn)
{
    atomic_store(&turn->taken, 0);
}
