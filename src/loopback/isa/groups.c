/* SPDX-License-Identifier: MIT */
/*
 * Which thread carries out which group of a launch.  The queue's thread is the first worker; a
 * launch with enough work gets helpers, so that there is a worker for each processor on which the
 * process may run.  Groups begin in order.  A group that has had its slice, or that waits, goes to
 * the end of the line, because it may wait for a group that has not begun.  One that is stuck has
 * no turn until another group has changed something, or until a nap is over, since the host and
 * other launches change memory, too.
 *
 * A group that cannot go on ends the launch.  Those before it that run keep running until their
 * slice ends, so that mostly the first of several is the one that is reported.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "launch.h"

/* In instructions of waves: of a slice, and after which a launch is worth the start of threads. */
enum { SLICE = 1 << 16, WORTH = 1 << 14 };
/* In nanoseconds: while other groups run, and while all groups of the launch are stuck; and how
 * long they are stuck before a line says so. */
enum { NAP = 1000000, SHORT_NAP = 100000 };
#define PATIENCE (UINT64_C(5) * 1000000000)
enum { GATE_LENGTH = 8 }; /* of ds_gws_barrier, after which a wave waits */

static unsigned processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

static void push(struct launch *launch, struct group *group)
{
    group->next = NULL;
    *(launch->first ? &launch->last->next : &launch->first) = group;
    launch->last = group;
}

static struct group *pop(struct group **list)
{
    struct group *group = *list;
    if (group) {
        *list = group->next;
    }
    return group;
}

/* The first in the line that may have something to do. */
static struct group *pop_ready(struct launch *launch)
{
    struct group *before = NULL;
    struct group *group = launch->first;
    while (group && group->stuck && group->seen == launch->changes) {
        before = group;
        group = group->next;
    }
    if (group) {
        *(before ? &before->next : &launch->first) = group->next;
        launch->last = launch->last == group ? before : launch->last;
    }
    return group;
}

/* Takes a group back from a worker. */
static void put_back(struct launch *launch, struct group *group, enum outcome outcome)
{
    launch->running--;
    launch->changes += group->changed;
    launch->stuck_since = group->changed || outcome != GROUP_STUCK ? 0 : launch->stuck_since;
    group->stuck = outcome == GROUP_STUCK;
    if (outcome < GROUP_ENDED) {
        push(launch, group);
        return;
    }
    launch->live--;
    group->next = launch->spare;
    launch->spare = group;
    if (outcome == GROUP_FAILED &&
        (!launch->failed || group->index < launch->failed->group->index)) {
        launch->failed = group->waves;
        while (!launch->failed->trap) {
            launch->failed++;
        }
        __atomic_store_n(&launch->limit, group->index, __ATOMIC_RELAXED);
    }
}

static void say(const struct launch *launch, const struct wave *w, const char *why,
                const char *then)
{
    const struct lb_kernel *kernel = launch->request->kernel;
    const uint32_t *id = w->group->id;
    const char *pc = w->state == WAVE_GATED ? w->pc - GATE_LENGTH : w->pc;
    const struct instruction *in = isa_fetch(kernel->code, pc);
    char miss[96] = "";
    char where[160] = "";
    if (w->trap && w->status == (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT) {
        lb_miss((void *)w->bad, miss, sizeof miss); /* NOLINT: the number is an address */
        snprintf(where, sizeof where, " at 0x%llx%s", (unsigned long long)w->bad, miss);
    }
    lb_say("kernel %.200s, group %u %u %u: %s%s, in \"%s\" at code offset 0x%llx%s", kernel->name,
           id[0], id[1], id[2], why, where, in ? in->text : "no instruction",
           (unsigned long long)(pc - kernel->code->start), then);
}

/* No group has anything to do until the host or another launch changes memory.  If none waits for
 * that, the launch never ends. */
static void all_are_stuck(struct launch *launch)
{
    uint64_t now = lb_now();
    struct group *first = launch->first;
    unsigned effects = 0;
    for (struct group *group = first; group; group = group->next) {
        effects |= group->effects;
        first = group->index < first->index ? group : first;
    }
    if (!first) {
        return;
    }
    struct wave *w = first->waves;
    while (!w->spins && w->state != WAVE_GATED) {
        w++;
    }
    if (!(effects & READ_OUTSIDE)) {
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_EXCEPTION,
                 "the launch never ends: its groups wait for more groups at a barrier of the grid");
        launch->failed = w;
    } else if (launch->stuck_since == 0) {
        launch->stuck_since = now;
    } else if (now - launch->stuck_since > PATIENCE && !launch->warned) {
        launch->warned = true;
        say(launch, w, "all waves have waited for 5 seconds for a change of memory",
            "; the launch goes on");
    }
}

static void nap(struct launch *launch)
{
    uint64_t end = lb_now() + (launch->running ? NAP : SHORT_NAP);
    struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
    if (pthread_cond_timedwait(&launch->changed, &launch->mutex, &until)) {
        launch->changes++;
    }
}

/* The next group of a worker, or NULL if there will be none. */
static struct group *choose(struct launch *launch, bool *begins)
{
    while (!launch->failed) {
        *begins = launch->begun < launch->groups && launch->live < launch->resident;
        struct group *group = *begins ? pop(&launch->spare) : pop_ready(launch);
        if (*begins && !group) {
            group = isa_group_new(launch);
        }
        if (group) {
            return group;
        }
        if (launch->live == 0) {
            return NULL;
        }
        if (launch->running == 0) {
            all_are_stuck(launch);
        }
        nap(launch);
    }
    return NULL;
}

static struct group *exchange(struct launch *launch, struct group *group, enum outcome outcome)
{
    bool begins = false;
    pthread_mutex_lock(&launch->mutex);
    if (group) {
        put_back(launch, group, outcome);
        pthread_cond_broadcast(&launch->changed);
    }
    group = choose(launch, &begins);
    launch->running += group != NULL;
    if (begins && group) {
        group->index = launch->begun++;
        group->begun = false;
        launch->live++;
    }
    if (group) {
        group->seen = launch->changes;
        group->changed = false;
    }
    pthread_mutex_unlock(&launch->mutex);
    return group;
}

static void *work(void *argument);

static void grow(struct launch *launch)
{
    uint64_t count = processors() - 1;
    pthread_mutex_lock(&launch->mutex);
    uint64_t left = launch->groups - launch->begun + (launch->live - launch->running);
    pthread_mutex_unlock(&launch->mutex);
    launch->grown = true;
    count = count < left ? count : left;
    launch->helpers = lb_new((count + 1) * sizeof *launch->helpers);
    while (launch->helper_count < count &&
           !pthread_create(&launch->helpers[launch->helper_count], NULL, work, launch)) {
        launch->helper_count++;
    }
}

static void *work(void *argument)
{
    struct launch *launch = argument;
    struct worker worker = {.request = launch->request, .gates = launch->gates};
    enum outcome outcome = GROUP_RUNS;
    struct group *group = exchange(launch, NULL, outcome);
    while (group) {
        uint64_t end = worker.executed + SLICE;
        group->worker = &worker;
        if (!group->begun) {
            isa_group_begin(launch, group);
            group->begun = true;
        }
        do {
            outcome = isa_group_round(group);
            if (!launch->grown && worker.executed >= WORTH) {
                grow(launch);
            }
        } while (outcome == GROUP_RUNS && worker.executed < end &&
                 group->index < __atomic_load_n(&launch->limit, __ATOMIC_RELAXED));
        group = exchange(launch, group, outcome);
    }
    __atomic_add_fetch(&launch->executed, worker.executed, __ATOMIC_RELAXED);
    return NULL;
}

hsa_status_t isa_groups_run(struct launch *launch)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct group *group;
    pthread_condattr_t attributes;
    pthread_mutex_init(&launch->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&launch->changed, &attributes);
    launch->limit = UINT64_MAX;
    work(launch);
    for (unsigned i = 0; i < launch->helper_count; i++) {
        pthread_join(launch->helpers[i], NULL);
    }
    lb_log("kernel %s: %llu instructions of waves by %u threads", launch->request->kernel->name,
           (unsigned long long)launch->executed, launch->helper_count + 1);
    if (launch->failed) {
        say(launch, launch->failed, launch->failed->trap, "");
        status = launch->failed->status;
    }
    while ((group = pop(&launch->first)) || (group = pop(&launch->spare))) {
        isa_group_free(group);
    }
    free(launch->helpers);
    pthread_mutex_destroy(&launch->mutex);
    pthread_cond_destroy(&launch->changed);
    return status;
}
