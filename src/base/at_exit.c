/* SPDX-License-Identifier: MIT */
#include "base/at_exit.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Of the C library, which declares it nowhere (Itanium C++ ABI, 3.3.6.3). */
int __cxa_atexit(void (*handler)(void *), void *argument, void *object);

/*
 * 1 if the process exits.  It is on the heap, and never freed, because it outlives this object;
 * NULL before hs_at_exit, and without memory.
 */
static sem_t *_Atomic exiting;

static sem_t *find_semaphore(void)
{
    sem_t *none = NULL, *made = exiting ? NULL : malloc(sizeof *made);

    if (made &&
        (sem_init(made, 0, 0) != 0 || !atomic_compare_exchange_strong(&exiting, &none, made))) {
        free(made);
    }
    return exiting;
}

/*
 * A handler runs at the exit of the process alone if its handle is that of no object, but its code
 * must then still be there.  So it is the C library's own sem_post, registered last and therefore
 * called first.  The handle is not NULL, because ThreadSanitizer then calls without the argument.
 */
void hs_at_exit(void (*handler)(void))
{
    sem_t *semaphore = find_semaphore();

    atexit(handler);
    if (semaphore) {
        __cxa_atexit((void (*)(void *))(void (*)(void))sem_post, semaphore, semaphore);
    }
}

bool hs_at_exit_is_now(void)
{
    sem_t *semaphore = exiting;
    int value = 1;

    return !semaphore || (sem_getvalue(semaphore, &value) == 0 && value > 0);
}
