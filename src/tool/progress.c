/* SPDX-License-Identifier: MIT */
#include "tool/progress.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static _Atomic long last; /* milliseconds of a clock when the line was written; 0: there is none */

void tool_progress(const char *format, ...)
{
    struct timespec now;
    char line[80]; /* a longer one would wrap, and only its last row would be erased */
    va_list arguments;
    long before = last;

    clock_gettime(CLOCK_MONOTONIC, &now);
    long milliseconds = (long)now.tv_sec * 1000 + now.tv_nsec / 1000000 + 1;

    if ((before && milliseconds < before + 100) || !isatty(STDERR_FILENO) ||
        !atomic_compare_exchange_strong(&last, &before, milliseconds)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    /* A name may have control characters of the terminal. */
    for (char *at = line; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == '\177') {
            *at = '?';
        }
    }
    fprintf(stderr, "\r\033[K%s", line);
}

void tool_progress_end(void)
{
    if (atomic_exchange(&last, 0)) {
        fputs("\r\033[K", stderr);
    }
}
