/* SPDX-License-Identifier: MIT */
/* What a terminal needs: a line about long work, and no control characters out of foreign files. */
#ifndef HIPSHIM_SRC_TOOL_TERMINAL_H
#define HIPSHIM_SRC_TOOL_TERMINAL_H

#include <stddef.h>

/*
 * A line such as "hipshim embed: 2 of 9 compiled", on standard error if that is a terminal, and
 * never into a file or a pipe.  Writes it anew, at most ten times a second.
 */
__attribute__((format(printf, 1, 2))) void tool_progress(const char *format, ...);

/* Erases the line, if there is one; called before anything else is printed. */
void tool_progress_end(void);

/* Replaces control characters by "?", except ends of lines and tabs. */
void tool_make_plain(char *text, size_t size);

/* Lets everything that is printed to standard output from now on go through tool_make_plain. */
void tool_print_plainly(void);

#endif
