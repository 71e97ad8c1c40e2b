/* SPDX-License-Identifier: MIT */
#include "engine/candidate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/search_log.h"

void hs_candidate_reject(const struct hs_candidate *candidate, const char *path, const char *reason)
{
    hs_search_log_add(candidate->source, HIPSHIM_OUTCOME_REJECTED, path, "%s%s%s%s", reason,
                      candidate->origin ? " (from " : "",
                      candidate->origin ? candidate->origin : "", candidate->origin ? ")" : "");
}

/*
 * The message of dlerror begins with the file that could not be opened.  If that is not the
 * candidate, the candidate needs it.  A library in a prefix of its own often has such a file
 * beside it, where the dynamic linker does not look.
 */
static void add_hint(const struct hs_candidate *candidate, const char *message, char *text,
                     size_t size)
{
    const char *slash = strrchr(candidate->path, '/');
    size_t name = strcspn(message, ":");

    snprintf(text, size, "%s", message);
    bool is_absent = strstr(message, "cannot open shared object file: No such file") != NULL;
    if (is_absent && slash && name < NAME_MAX && !memchr(message, '/', name)) {
        int directory = (int)(slash - candidate->path);
        char *beside = NULL;
        if (asprintf(&beside, "%.*s/%.*s", directory, candidate->path, (int)name, message) >= 0 &&
            access(beside, R_OK) == 0) {
            snprintf(text, size, "%.700s; it is in the same directory: add %.*s to LD_LIBRARY_PATH",
                     message, directory, candidate->path);
        }
        free(beside);
    }
}

void hs_candidate_reject_dlopen(const struct hs_candidate *candidate, const char *message)
{
    size_t length = strlen(candidate->path);
    if (candidate->by_name && strncmp(message, candidate->path, length) == 0 &&
        message[length] == ':' && !candidate->origin) {
        hs_search_log_add(candidate->source, HIPSHIM_OUTCOME_ABSENT, candidate->path,
                          "not known to the dynamic linker");
        return;
    }
    char text[HS_SEARCH_LOG_TEXT];
    add_hint(candidate, message, text, sizeof text);
    hs_candidate_reject(candidate, candidate->path, text);
}
