/* SPDX-License-Identifier: MIT */
/*
 * The record of the search: one step for each place looked at, kept for
 * hipshim_step_info() and, with HIPSHIM_TRACE set, printed on stderr.
 *
 * Written only while the loader runs, which happens once; read-only and free
 * for all threads afterwards.
 */
#ifndef HIPSHIM_SRC_STEPS_H
#define HIPSHIM_SRC_STEPS_H

#include <hipshim/hipshim.h>

/* Longer subjects and reasons are cut; a path is at most this long too. */
enum { HS_STEPS_TEXT = 1024 };

struct hs_step {
    hipshim_found_t part;
    hipshim_outcome_t outcome;
    const char *subject;
    const char *reason;
};

/*
 * Adds a step.  Both texts are copied; `format` makes the reason.  When the
 * record is full the step replaces the last one: how the search ended is worth
 * more than its middle.
 */
__attribute__((format(printf, 4, 5))) void hs_steps_add(hipshim_found_t part,
                                                        hipshim_outcome_t outcome,
                                                        const char *subject, const char *format,
                                                        ...);

unsigned hs_steps_count(void);

/* NULL from hs_steps_count() on. */
const struct hs_step *hs_steps_get(unsigned index);

/* The words for a part of the search and for an outcome; never NULL. */
const char *hs_steps_part_text(hipshim_found_t part);
const char *hs_steps_outcome_text(hipshim_outcome_t outcome);

/* One line on stderr if HIPSHIM_TRACE asks for it, else nothing. */
__attribute__((format(printf, 1, 2))) void hs_steps_trace(const char *format, ...);

#endif
