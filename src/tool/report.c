/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "tool/terminal.h"
#include "tool/tool.h"

int tool_complain(const char *command, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    tool_progress_end();
    va_start(arguments, format);
    int size = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (size >= 0) {
        tool_make_plain(text, (size_t)size);
        fprintf(stderr, "%s: %s\n", command, text);
        free(text);
    } else {
        fprintf(stderr, "%s: out of memory\n", command);
    }
    return -1;
}

bool tool_fail(const char *format, ...)
{
    char text[HS_ERROR_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hs_error_set("%s", text);
    return false;
}
