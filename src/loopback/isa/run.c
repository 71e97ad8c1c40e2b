/* SPDX-License-Identifier: MIT */
/*
 * Turns.  A wave has the turn until a barrier, its end, or until it probably waits for another
 * wave: it sleeps, it does the same twice, or it has had many instructions.
 */
#include <fenv.h>
#include <string.h>

#include "launch.h"

enum { TURN = 1 << 13, FIRST_MARK = 512, TRIES = 4 };

/* Of one instruction in another rounding mode than to nearest. */
static void run_rounded(struct wave *w, const struct instruction *in)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    bool wide = in->source == FLOAT64 || in->source == FLOAT16;
    fesetround(modes[wide ? rounding_64(w) : rounding_32(w)]);
    in->run(w, in);
    fesetround(FE_TONEAREST);
}

/* The next instruction of the wave. */
static void step(struct wave *w, struct isa_code *code)
{
    const struct instruction *in = isa_fetch(code, w->pc);
    if (!in) {
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION,
                 "a jump out of the code object");
        return;
    }
    if (!in->run) {
        isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
                 "the loopback does not know this instruction");
        return;
    }
    w->pc += in->length;
    if (w->mode & 15) {
        run_rounded(w, in);
    } else {
        in->run(w, in);
    }
    if (w->trap) {
        w->pc -= in->length;
    }
}

/* --- waves that wait for another --- */

static void set_mark(struct wave *w)
{
    struct mark *mark = &w->mark;
    const struct group *group = w->group;
    mark->pc = w->pc;
    mark->scc = w->scc;
    mark->mode = w->mode;
    mark->tries = TRIES;
    memcpy(mark->s, w->s, sizeof mark->s);
    memcpy(mark->v, w->v, group->vectors * sizeof w->v[0]);
    memcpy(mark->v + AGPRS, w->v + AGPRS, group->accumulators * sizeof w->v[0]);
    w->group->effects |= w->effects;
    w->effects = 0;
}

/* At the place of its mark: whether all registers are those of the mark, and the wave has changed
 * nothing.  Then it does the same again, unless another wave changes what it reads. */
static bool is_back(struct wave *w)
{
    struct mark *mark = &w->mark;
    const struct group *group = w->group;
    bool is_same = !(w->effects & CHANGED) && mark->scc == w->scc && mark->mode == w->mode &&
                   !memcmp(mark->s, w->s, sizeof mark->s) &&
                   !memcmp(mark->v, w->v, group->vectors * sizeof w->v[0]) &&
                   !memcmp(mark->v + AGPRS, w->v + AGPRS, group->accumulators * sizeof w->v[0]);
    if (!is_same && --mark->tries == 0) {
        mark->pc = NULL;
    }
    return is_same;
}

/* A mark is set at s_sleep, and ever more rarely elsewhere.  A wave that came back to it keeps it
 * for its next turn, which is short then. */
static void turn(struct wave *w, struct isa_code *code)
{
    unsigned executed = 0;
    unsigned next_mark = FIRST_MARK;
    if (!w->spins && !w->rests) {
        w->mark.pc = NULL;
    }
    w->spins = w->rests = false;
    w->effects = 0;
    while (w->state == WAVE_RUNS && executed < TURN && !w->trap && !w->rests && !w->spins) {
        if (executed == next_mark) {
            set_mark(w);
            next_mark *= 2;
        }
        step(w, code);
        executed++;
        w->spins = w->pc == w->mark.pc && is_back(w);
    }
    if (w->rests && !w->spins) {
        set_mark(w);
    }
    w->group->effects |= w->effects;
    w->group->worker->executed += executed;
}

/* --- groups --- */

/* How many waves are in which state after a round. */
struct census {
    uint32_t ended, waiting, gated, active, resting;
};

static void count(struct census *census, const struct wave *w)
{
    census->ended += w->state == WAVE_ENDED;
    census->waiting += w->state == WAVE_WAITS;
    census->gated += w->state == WAVE_GATED;
    census->active += w->state == WAVE_RUNS && !w->spins && !w->rests;
    census->resting += w->state == WAVE_RUNS && !w->spins && w->rests;
}

static void end_barrier(struct group *group)
{
    group->barriers++;
    for (uint32_t i = 0; i < group->wave_count; i++) {
        if (group->waves[i].state == WAVE_WAITS) {
            group->waves[i].state = WAVE_RUNS;
        }
    }
}

/* Only its own waves could change what they read, and none will. */
static enum outcome end_loop(struct group *group)
{
    struct wave *w = group->waves;
    while (!w->spins) {
        w++;
    }
    isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_EXCEPTION,
             "the group never ends: its waves loop without a change or wait for each other");
    return GROUP_FAILED;
}

/* What a round without an end comes to. */
static enum outcome after_round(struct group *group, const struct census *census)
{
    if (census->active || group->effects & CHANGED) {
        return GROUP_RUNS;
    }
    if (census->resting) {
        return GROUP_PAUSES;
    }
    return census->gated || group->effects & READ_OUTSIDE ? GROUP_STUCK : end_loop(group);
}

enum outcome isa_group_round(struct group *group)
{
    struct isa_code *code = group->worker->request->kernel->code;
    struct census census = {0};
    group->effects = 0;
    for (uint32_t i = 0; i < group->wave_count; i++) {
        struct wave *w = &group->waves[i];
        if (w->state == WAVE_GATED && __atomic_load_n(w->gate, __ATOMIC_SEQ_CST) >= w->opens) {
            w->state = WAVE_RUNS;
        }
        if (w->state == WAVE_RUNS) {
            turn(w, code);
        }
        if (w->trap) {
            return GROUP_FAILED;
        }
        count(&census, w);
    }
    group->changed |= group->effects & CHANGED;
    if (census.ended == group->wave_count) {
        return GROUP_ENDED;
    }
    if (census.waiting + census.ended == group->wave_count) {
        end_barrier(group);
        return GROUP_RUNS;
    }
    return after_round(group, &census);
}
