/* SPDX-License-Identifier: MIT */
/*
 * The end of the process.  HIP's runtime learns of finished work in a callback
 * on the loopback's thread, and does not wait for the last of them: hipFree or
 * hipStreamSynchronize return as soon as the signal is down.  A program that then
 * returns from main has the exit handlers of libamdhip64 free what the callback
 * still uses: 7 of 800 runs crashed so on a busy machine.  So the
 * first exit handler is one of ours, and waits until nothing is left to do.
 */
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

/* A stream may wait for what never comes: the process ends all the same. */
#define SETTLE_NS (UINT64_C(1) * 1000 * 1000 * 1000)

static pid_t owner;

static void settle(void)
{
    /* A child of fork has none of the threads, and perhaps the mutex, locked. */
    if (getpid() != owner) {
        return;
    }
    uint64_t end = lb_now() + SETTLE_NS;
    lb_lock();
    while (!(lb_handlers_idle_locked() && lb_copies_idle_locked() && lb_queues_idle_locked()) &&
           lb_now() < end) {
        lb_wait_locked(1000);
    }
    lb_unlock();
}

/* Exit handlers run in the reverse order; the runtime's were there before its hsa_init. */
void lb_settle_at_exit(void)
{
    if (!owner) {
        owner = getpid();
        atexit(settle);
    }
}
