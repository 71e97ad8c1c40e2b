/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "tool/run/run.h"

bool tool_run_extend(const char *variable, const char *text, bool before)
{
    const char *old = getenv(variable);
    if (!old || !*old) {
        return setenv(variable, text, 1) == 0;
    }
    char *list = NULL;
    if (asprintf(&list, "%s:%s", before ? text : old, before ? old : text) < 0) {
        return false;
    }
    bool done = setenv(variable, list, 1) == 0;
    free(list);
    return done;
}
