/* SPDX-License-Identifier: MIT */
/*
 * The log of the search: one step for each place that was looked at, kept for
 * hipshim_step_info() and printed on stderr if HIPSHIM_TRACE asks for it.
 *
 * A thread that searches writes a log of its own.  The log of the search whose runtime is used
 * is published: it is constant from then on, and every thread may read it.
 */
#ifndef HIPSHIM_SRC_ENGINE_SEARCH_LOG_H
#define HIPSHIM_SRC_ENGINE_SEARCH_LOG_H

#include "engine/loader.h"

/* Longer subjects and reasons are cut. */
enum { HS_SEARCH_LOG_TEXT = 1024 };

struct hs_search_log;

/* A log that this thread adds to from now on; NULL without memory. */
struct hs_search_log *hs_search_log_begin(void);

/* Makes the log the published one (any thread, any number of times), or frees it. */
void hs_search_log_publish(struct hs_search_log *log);
void hs_search_log_drop(struct hs_search_log *log);

/*
 * Adds a step if this thread has a log.  The texts are copied.  In a full log the step replaces
 * the last one, because the end of a search is worth more than its middle.
 */
__attribute__((format(printf, 4, 5))) void hs_search_log_add(hipshim_search_source_t source,
                                                             hipshim_outcome_t outcome,
                                                             const char *subject,
                                                             const char *format, ...);

/* Of the log that this thread is writing, else of the published one; NULL past the last step. */
unsigned hs_search_log_count(void);
const struct hs_search_step *hs_search_log_get(unsigned index);

/* The words for a source and for an outcome; never NULL. */
const char *hs_search_log_source_text(hipshim_search_source_t source);
const char *hs_search_log_outcome_text(hipshim_outcome_t outcome);

/* Writes one line on stderr. */
__attribute__((format(printf, 1, 2))) void hs_search_log_print(const char *format, ...);

/* The same if HIPSHIM_TRACE asks for it. */
__attribute__((format(printf, 1, 2))) void hs_search_log_trace(const char *format, ...);

#endif
