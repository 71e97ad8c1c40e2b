/* SPDX-License-Identifier: MIT */
#include "tool/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "tool/tool.h"

void tool_make_plain(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t') ||
            text[i] == '\177') {
            text[i] = '?';
        }
    }
}

static ssize_t write_plain(void *unused, const char *text, size_t size)
{
    char part[BUFSIZ];
    size_t done = 0;

    (void)unused;
    while (done < size) {
        size_t count = size - done < sizeof part ? size - done : sizeof part;

        memcpy(part, text + done, count);
        tool_make_plain(part, count);
        ssize_t written = write(STDOUT_FILENO, part, count);
        if (written <= 0) {
            break;
        }
        done += (size_t)written;
    }
    return (ssize_t)done; /* fewer bytes are an error of the stream */
}

void tool_print_plainly(void)
{
    FILE *plain = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_plain});

    if (plain) {
        stdout = plain;
    }
}

static long last; /* milliseconds of a clock when the line was written; 0: there is none */

void tool_progress(const char *format, ...)
{
    struct timespec now;
    char line[80]; /* a longer one would wrap, and only its last row would be erased */
    va_list arguments;

    clock_gettime(CLOCK_MONOTONIC, &now);
    long milliseconds = (long)now.tv_sec * 1000 + now.tv_nsec / 1000000 + 1;

    if ((last && milliseconds < last + 100) || !isatty(STDERR_FILENO)) {
        return;
    }
    last = milliseconds;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    tool_make_plain(line, strlen(line));
    fprintf(stderr, "\r\033[K%s", line);
}

void tool_progress_end(void)
{
    if (last) {
        fputs("\r\033[K", stderr);
    }
    last = 0;
}

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
