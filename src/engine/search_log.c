/* SPDX-License-Identifier: MIT */
#include "engine/search_log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/api.h"

/*
 * The room is fixed, because a log that can fail would need a log of its own.  An ordinary search
 * takes about ten steps of 60 bytes; pages that are not reached cost nothing.
 */
enum { STEP_ROOM = 64, TEXT_ROOM = 16 * 1024 };

struct hs_search_log {
    struct hs_search_step steps[STEP_ROOM];
    unsigned count;
    size_t used; /* bytes of `texts` */
    char texts[TEXT_ROOM];
};

static _Thread_local struct hs_search_log *own;
static struct hs_search_log *_Atomic published;

struct hs_search_log *hs_search_log_begin(void)
{
    own = calloc(1, sizeof *own);
    return own;
}

void hs_search_log_publish(struct hs_search_log *log)
{
    if (own == log) {
        own = NULL;
    }
    published = log;
}

void hs_search_log_drop(struct hs_search_log *log)
{
    own = NULL;
    free(log);
}

static const char *copy_text(const char *text)
{
    size_t length = strlen(text);
    size_t room = sizeof own->texts - own->used - 1;
    char *copy = own->texts + own->used;

    if (length > room) {
        length = room;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    /* The last byte stays free: in a full log `copy` is the empty text there. */
    own->used += length + 1 < sizeof own->texts - own->used ? length + 1 : length;
    return copy;
}

void hs_search_log_add(hipshim_search_source_t source, hipshim_outcome_t outcome,
                       const char *subject, const char *format, ...)
{
    char reason[HS_SEARCH_LOG_TEXT];
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(reason, sizeof reason, format, arguments) < 0) {
        reason[0] = '\0';
    }
    va_end(arguments);
    if (!own) {
        return;
    }
    unsigned at = own->count < STEP_ROOM ? own->count++ : STEP_ROOM - 1;
    own->steps[at] =
        (struct hs_search_step){source, outcome, copy_text(subject), copy_text(reason)};
    hs_search_log_trace("%s: %s: %s%s%s", hs_search_log_source_text(source), subject,
                        hs_search_log_outcome_text(outcome), reason[0] ? ": " : "", reason);
}

unsigned hs_search_log_count(void)
{
    const struct hs_search_log *log = own ? own : published;
    return log ? log->count : 0;
}

const struct hs_search_step *hs_search_log_get(unsigned index)
{
    const struct hs_search_log *log = own ? own : published;
    return log && index < log->count ? &log->steps[index] : NULL;
}

const char *hs_search_log_source_text(hipshim_search_source_t source)
{
    static const char *const texts[] = {
        [HIPSHIM_SEARCH_SOURCE_NONE] = "nothing",
        [HIPSHIM_SEARCH_SOURCE_LOADED] = "already loaded",
        [HIPSHIM_SEARCH_SOURCE_CONFIGURED] = "configured prefix",
        [HIPSHIM_SEARCH_SOURCE_ENVIRONMENT] = "environment",
        [HIPSHIM_SEARCH_SOURCE_LINKER] = "dynamic linker",
        [HIPSHIM_SEARCH_SOURCE_DIRECTORY] = "well-known directory",
    };
    return source == HIPSHIM_SEARCH_SOURCE_PIN ? hs_api.pin : texts[source];
}

const char *hs_search_log_outcome_text(hipshim_outcome_t outcome)
{
    static const char *const texts[] = {
        [HIPSHIM_OUTCOME_USED] = "used",
        [HIPSHIM_OUTCOME_ABSENT] = "absent",
        [HIPSHIM_OUTCOME_REJECTED] = "rejected",
        [HIPSHIM_OUTCOME_SKIPPED] = "skipped",
    };
    return texts[outcome];
}

static void print_line(const char *format, va_list arguments)
{
    char line[2 * HS_SEARCH_LOG_TEXT + 128] = "hipshim: ";
    size_t start = strlen(line);
    if (vsnprintf(line + start, sizeof line - start - 1, format, arguments) < 0) {
        return;
    }
    /* One write, so that lines of several threads or processes stay whole. */
    size_t end = strlen(line);
    line[end++] = '\n';
    if (write(STDERR_FILENO, line, end) < 0) {
        return; /* a closed stderr is not an error of the search */
    }
}

void hs_search_log_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

void hs_search_log_trace(const char *format, ...)
{
    const char *wanted = secure_getenv("HIPSHIM_TRACE");
    if (wanted && *wanted && strcmp(wanted, "0") != 0) {
        va_list arguments;
        va_start(arguments, format);
        print_line(format, arguments);
        va_end(arguments);
    }
}
