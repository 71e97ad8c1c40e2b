/* SPDX-License-Identifier: MIT */
/*
 * The mutex and the condition variable of the whole loopback, its threads and its
 * clock.  Times are in nanoseconds.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "internal.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void (*lb_settle)(void);

static void prepare(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
}

void lb_lock(void)
{
    pthread_once(&once, prepare);
    pthread_mutex_lock(&mutex);
}

void lb_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

void lb_wake_locked(void)
{
    pthread_cond_broadcast(&changed);
}

uint64_t lb_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void lb_wait_locked(unsigned microseconds)
{
    uint64_t end = lb_now() + (uint64_t)microseconds * 1000;
    struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
    pthread_cond_timedwait(&changed, &mutex, &until);
}

void lb_thread_start(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, argument);
    if (error) {
        lb_fatal("cannot start a thread: %s", strerror(error));
    }
    pthread_detach(thread);
}
