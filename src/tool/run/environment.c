/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/run/run.h"
#include "tool/tool.h"

bool tool_run_extend(const char *variable, const char *text, bool before)
{
    const char *old = getenv(variable);
    bool is_first = !old || !*old;
    char *list = NULL;

    if (strpbrk(text, strcmp(variable, "LD_PRELOAD") == 0 ? " :;$" : ":;$")) {
        return tool_fail("%s: %s cannot hold this name", text, variable);
    }
    bool done = asprintf(&list, "%s%s%s", is_first || before ? text : old, is_first ? "" : ":",
                         is_first ? ""
                         : before ? old
                                  : text) >= 0 &&
                setenv(variable, list, 1) == 0;

    free(list);
    return done || tool_fail("%s: %s", variable, strerror(errno));
}
