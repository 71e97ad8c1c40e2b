/* SPDX-License-Identifier: MIT */
/*
 * The record of the search: one step for each place looked at, kept for
 * hipshim_step_info() and, with HIPSHIM_TRACE set, printed on stderr.
 *
 * A thread that searches writes its own record; the one whose search counts is
 * published, read-only and free for all threads from then on.
 */
#ifndef HIPSHIM_SRC_LOADER_SEARCH_LOG_H
#define HIPSHIM_SRC_LOADER_SEARCH_LOG_H

#include <hipshim/hipshim.h>

/* Longer subjects and reasons are cut; a path is at most this long too. */
enum { HS_SEARCH_LOG_TEXT = 1024 };

struct hs_search_step {
    hipshim_search_source_t part;
    hipshim_outcome_t outcome;
    const char *subject;
    const char *reason;
};

struct hs_search_log;

/*
 * Adds a step, if this thread has a record.  Both texts are copied; `format` makes the reason. When
 * the record is full the step replaces the last one: how the search ended is worth more than its
 * middle.
 */
__attribute__((format(printf, 4, 5))) void hs_search_log_add(hipshim_search_source_t part,
                                                        hipshim_outcome_t outcome,
                                                        const char *subject, const char *format,
                                                        ...);

/* A record of this thread's own, which it adds to; NULL if there is no memory. */
struct hs_search_log *hs_search_log_begin(void);

/* Ends it: as the record for all to read (any thread, again and again), or without a trace. */
void hs_search_log_publish(struct hs_search_log *steps);
void hs_search_log_drop(struct hs_search_log *steps);

/* Of the record this thread is writing, else of the published one. */
unsigned hs_search_log_count(void);

/* NULL from hs_search_log_count() on. */
const struct hs_search_step *hs_search_log_get(unsigned index);

/* The words for a part of the search and for an outcome; never NULL. */
const char *hs_search_log_source_text(hipshim_search_source_t part);
const char *hs_search_log_outcome_text(hipshim_outcome_t outcome);

/* One line on stderr if HIPSHIM_TRACE asks for it, else nothing. */
__attribute__((format(printf, 1, 2))) void hs_search_log_trace(const char *format, ...);

#endif
