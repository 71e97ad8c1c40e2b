/* SPDX-License-Identifier: MIT */
#include "steps.h"

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

struct hs_steps {
    struct hs_step list[STEP_ROOM];
    unsigned count;
    size_t used; /* of texts */
    char texts[TEXT_ROOM];
};

static _Thread_local struct hs_steps *own;
static struct hs_steps *_Atomic published;

struct hs_steps *hs_steps_begin(void)
{
    own = calloc(1, sizeof *own);
    return own;
}

void hs_steps_publish(struct hs_steps *steps)
{
    if (own == steps) {
        own = NULL;
    }
    published = steps;
}

void hs_steps_drop(struct hs_steps *steps)
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

void hs_steps_add(hipshim_found_t part, hipshim_outcome_t outcome, const char *subject,
                  const char *format, ...)
{
    char reason[HS_STEPS_TEXT];
    struct hs_step *step;
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
    hs_steps_trace("%s: %s: %s%s%s", hs_steps_part_text(part), subject,
                   hs_steps_outcome_text(outcome), reason[0] ? ": " : "", reason);
}

unsigned hs_steps_count(void)
{
    const struct hs_steps *steps = own ? own : published;

    return steps ? steps->count : 0;
}

const struct hs_step *hs_steps_get(unsigned index)
{
    const struct hs_steps *steps = own ? own : published;

    return steps && index < steps->count ? &steps->list[index] : NULL;
}

const char *hs_steps_part_text(hipshim_found_t part)
{
    switch (part) {
    case HIPSHIM_FOUND_NOTHING:
        break;
    case HIPSHIM_FOUND_ENVIRONMENT_PIN:
        return "HIPSHIM_LIBRARY";
    case HIPSHIM_FOUND_MAPPED:
        return "already mapped";
    case HIPSHIM_FOUND_CONFIGURED:
        return "configured prefix";
    case HIPSHIM_FOUND_ENVIRONMENT:
        return "environment";
    case HIPSHIM_FOUND_LINKER:
        return "dynamic linker";
    case HIPSHIM_FOUND_DIRECTORY:
        return "well-known directory";
    }
    return "nothing";
}

const char *hs_steps_outcome_text(hipshim_outcome_t outcome)
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

void hs_steps_trace(const char *format, ...)
{
    const char *wanted = secure_getenv("HIPSHIM_TRACE");
    char line[2 * HS_STEPS_TEXT + 128] = "hipshim: ";
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
