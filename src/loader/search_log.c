/* SPDX-License-Identifier: MIT */
#include "loader/search_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Fixed room, because a record that can fail would need a record of its own.
 * An ordinary search takes about ten steps of 60 bytes; pages that are not
 * reached cost nothing.
 */
enum { STEP_ROOM = 64, TEXT_ROOM = 16 * 1024 };

struct hs_search_log {
    struct hs_search_step list[STEP_ROOM];
    unsigned count;
    size_t used; /* of texts */
    char texts[TEXT_ROOM];
};

static _Thread_local struct hs_search_log *own;
static struct hs_search_log *_Atomic published;

struct hs_search_log *hs_search_log_begin(void)
{
    own = calloc(1, sizeof *own);
    return own;
}

void hs_search_log_publish(struct hs_search_log *steps)
{
    if (own == steps) {
        own = NULL;
    }
    published = steps;
}

void hs_search_log_drop(struct hs_search_log *steps)
{
    own = NULL;
    free(steps);
}

static const char *keep(const char *text)
{
    size_t length = strlen(text);
    size_t room = sizeof own->texts - own->used - 1;
    char *kept = own->texts + own->used;

    if (length > room) {
        length = room;
    }
    memcpy(kept, text, length);
    kept[length] = '\0';
    /* The last byte stays free: with no room left, `kept` is "" there. */
    own->used += length + 1 < sizeof own->texts - own->used ? length + 1 : length;
    return kept;
}

void hs_search_log_add(hipshim_search_source_t part, hipshim_outcome_t outcome, const char *subject,
                  const char *format, ...)
{
    char reason[HS_SEARCH_LOG_TEXT];
    struct hs_search_step *step;
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(reason, sizeof reason, format, arguments) < 0) {
        reason[0] = '\0';
    }
    va_end(arguments);
    if (!own) {
        return;
    }
    step = &own->list[own->count < STEP_ROOM ? own->count++ : STEP_ROOM - 1];
    step->part = part;
    step->outcome = outcome;
    step->subject = keep(subject);
    step->reason = keep(reason);
    hs_search_log_trace("%s: %s: %s%s%s", hs_search_log_source_text(part), subject,
                   hs_search_log_outcome_text(outcome), reason[0] ? ": " : "", reason);
}

unsigned hs_search_log_count(void)
{
    const struct hs_search_log *steps = own ? own : published;

    return steps ? steps->count : 0;
}

const struct hs_search_step *hs_search_log_get(unsigned index)
{
    const struct hs_search_log *steps = own ? own : published;

    return steps && index < steps->count ? &steps->list[index] : NULL;
}

const char *hs_search_log_source_text(hipshim_search_source_t part)
{
    switch (part) {
    case HIPSHIM_SEARCH_SOURCE_NONE:
        break;
    case HIPSHIM_SEARCH_SOURCE_PIN:
        return "HIPSHIM_LIBRARY";
    case HIPSHIM_SEARCH_SOURCE_LOADED:
        return "already mapped";
    case HIPSHIM_SEARCH_SOURCE_CONFIGURED:
        return "configured prefix";
    case HIPSHIM_SEARCH_SOURCE_ENVIRONMENT:
        return "environment";
    case HIPSHIM_SEARCH_SOURCE_LINKER:
        return "dynamic linker";
    case HIPSHIM_SEARCH_SOURCE_DIRECTORY:
        return "well-known directory";
    }
    return "nothing";
}

const char *hs_search_log_outcome_text(hipshim_outcome_t outcome)
{
    switch (outcome) {
    case HIPSHIM_OUTCOME_USED:
        return "used";
    case HIPSHIM_OUTCOME_ABSENT:
        return "absent";
    case HIPSHIM_OUTCOME_REJECTED:
        return "rejected";
    case HIPSHIM_OUTCOME_SKIPPED:
        return "skipped";
    }
    return "unknown";
}

void hs_search_log_trace(const char *format, ...)
{
    const char *wanted = secure_getenv("HIPSHIM_TRACE");
    char line[2 * HS_SEARCH_LOG_TEXT + 128] = "hipshim: ";
    size_t start = strlen(line);
    va_list arguments;
    int length;

    if (!wanted || !*wanted || strcmp(wanted, "0") == 0) {
        return;
    }
    va_start(arguments, format);
    length = vsnprintf(line + start, sizeof line - start - 1, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return;
    }
    /* One write, so that lines of several threads or processes stay whole. */
    start = strlen(line);
    line[start++] = '\n';
    if (write(STDERR_FILENO, line, start) < 0) {
        return; /* nobody is there to be told */
    }
}
