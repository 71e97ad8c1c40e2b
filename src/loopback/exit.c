/* SPDX-License-Identifier: MIT */
/*
 * The end of the process.  HIP's runtime learns of finished work in a callback on
 * the loopback's thread, and does not wait for the last callback: hipFree and
 * hipStreamSynchronize return as soon as the signal has fallen.  If the program then
 * returns from main, exit handlers of libamdhip64 free memory that the callback still
 * uses; 7 of 800 runs crashed on a busy machine.  Therefore the first exit handler is
 * the loopback's own, and waits until all work is done.  Exit handlers run in reverse order.
 * HIP's runtime registers its own before it calls hsa_init, but most releases open comgr
 * later, without which a queue's thread can carry out no instruction that it first meets.
 */
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

/* A stream may wait for a signal that never falls; the process must end nevertheless. */
#define SETTLE_NS (UINT64_C(10) * 1000 * 1000 * 1000)

static pid_t owner;

static void settle(void)
{
    static uint64_t end; /* of all calls */
    /* A child of fork has none of the threads, and the mutex may be locked in it. */
    if (getpid() != owner) {
        return;
    }
    end = end ? end : lb_now() + SETTLE_NS;
    lb_lock();
    while (!(lb_handlers_idle_locked() && lb_copies_idle_locked() && lb_queues_idle_locked()) &&
           lb_now() < end) {
        lb_wait_locked(1000);
    }
    lb_unlock();
}

void lb_settle_at_exit(void)
{
    if (!owner) {
        owner = getpid();
        lb_settle = settle;
        atexit(settle);
    }
}
