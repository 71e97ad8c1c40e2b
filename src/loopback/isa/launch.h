/* SPDX-License-Identifier: MIT */
/* A launch, for launch.c, registers.c (what groups start with), run.c (turns) and groups.c
 * (threads). */
#ifndef LOOPBACK_ISA_LAUNCH_H
#define LOOPBACK_ISA_LAUNCH_H

#include <pthread.h>

#include "isa.h"

struct descriptor {
    uint32_t group, private_size, kernarg;
    uint32_t reserved;
    int64_t entry;
    uint32_t unused[5];
    uint32_t rsrc3, rsrc1, rsrc2;
    uint16_t properties, preload;
    uint32_t rest;
};
_Static_assert(sizeof(struct descriptor) == 64, "a descriptor has 64 bytes");

struct launch {
    const struct isa_launch *request;
    struct descriptor descriptor;
    const char *entry;  /* as agents see it */
    uint32_t counts[3]; /* groups */
    uint64_t groups;    /* all of them */
    uint64_t resident;  /* those that the hardware holds at a time */
    uint32_t group_threads, waves;
    uint32_t vectors, accumulators; /* registers of a lane */
    uint32_t lds, scratch;
    /* of groups.c */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t begun, live;       /* groups */
    uint64_t changes;           /* grows with each slice that changed something */
    unsigned running;           /* groups that a worker has */
    struct group *first, *last; /* begun groups that no worker has */
    struct group *spare;
    struct wave *failed;  /* of the first group that cannot go on; no group begins any more */
    uint64_t stuck_since; /* all groups; 0 if some are not */
    bool warned;          /* that they are */
    uint64_t limit;       /* atomic: groups from this index on need not run */
    uint64_t executed;    /* instructions of waves, by workers that are done */
    bool grown;
    uint64_t gates[GATES]; /* atomic */
    pthread_t *helpers;
    unsigned helper_count;
};

/* --- registers.c --- */

struct group *isa_group_new(const struct launch *launch);
void isa_group_free(struct group *group);
/* Sets the registers and LDS of the group whose index is set. */
void isa_group_begin(const struct launch *launch, struct group *group);

/* --- run.c --- */

/* A group that pauses probably waits, and one that is stuck does the same again and again until
 * something changes. */
enum outcome { GROUP_RUNS, GROUP_PAUSES, GROUP_STUCK, GROUP_ENDED, GROUP_FAILED };

/* Gives each wave of the group a turn. */
enum outcome isa_group_round(struct group *group);

/* --- groups.c --- */

/* Runs all groups; the status of the first one that could not go on, which was reported. */
hsa_status_t isa_groups_run(struct launch *launch);

#endif
