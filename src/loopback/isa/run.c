/* SPDX-License-Identifier: MIT */
/*
 * Turns.  A wave has the turn until a barrier, its end, or so many instructions that it probably
 * waits for another wave.
 */
#include <fenv.h>

#include "launch.h"

enum { TURN = 1 << 13 };

static int rounding_of(unsigned bits)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    return modes[bits];
}

/* Of one instruction in another rounding mode than to nearest. */
static void run_rounded(struct wave *w, const struct instruction *in)
{
    bool wide = in->source == FLOAT64 || in->source == FLOAT16;
    fesetround(rounding_of(wide ? rounding_64(w) : rounding_32(w)));
    in->run(w, in);
    fesetround(FE_TONEAREST);
}

static void turn(struct wave *w, struct isa_code *code)
{
    uint64_t executed = 0;
    while (w->state == WAVE_RUNS && executed < TURN && !w->trap) {
        const struct instruction *in = isa_fetch(code, w->pc);
        if (!in) {
            isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION,
                     "a jump out of the code object");
            break;
        }
        if (!in->run) {
            isa_trap(w, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
                     "the loopback does not know this instruction");
            break;
        }
        w->pc += in->length;
        if (w->mode & 15) {
            run_rounded(w, in);
        } else {
            in->run(w, in);
        }
        executed++;
        if (w->trap) {
            w->pc -= in->length;
        }
    }
    w->group->worker->executed += executed;
}

enum outcome isa_group_round(struct group *group)
{
    struct isa_code *code = group->worker->request->kernel->code;
    uint32_t ended = 0;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < group->wave_count; i++) {
        struct wave *w = &group->waves[i];
        if (w->state == WAVE_RUNS) {
            turn(w, code);
        }
        if (w->trap) {
            return GROUP_FAILED;
        }
        ended += w->state == WAVE_ENDED;
        waiting += w->state == WAVE_WAITS;
    }
    /* When all that have not ended wait, the barrier is over. */
    for (uint32_t i = 0; waiting + ended == group->wave_count && i < group->wave_count; i++) {
        if (group->waves[i].state == WAVE_WAITS) {
            group->waves[i].state = WAVE_RUNS;
        }
    }
    return ended < group->wave_count ? GROUP_RUNS : GROUP_ENDED;
}
