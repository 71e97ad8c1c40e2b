/* SPDX-License-Identifier: MIT */
/*
 * One line about long work, such as "hipshim embed: 2 of 9 compiled", on standard error if that is
 * a terminal, and never into a file or a pipe.
 */
#ifndef HIPSHIM_SRC_TOOL_PROGRESS_H
#define HIPSHIM_SRC_TOOL_PROGRESS_H

/* Writes the line anew, at most ten times a second.  Any thread. */
__attribute__((format(printf, 1, 2))) void tool_progress(const char *format, ...);

/* Erases the line, if there is one; called before anything else is printed. */
void tool_progress_end(void);

#endif
