/* SPDX-License-Identifier: MIT */
/*
 * The last error text of each thread, which hipshim_error_text() returns.
 *
 * Setting it neither allocates nor locks, so it may be used on every failure path, in a child
 * after fork, and from several threads at once.
 */
#ifndef HIPSHIM_SRC_BASE_ERROR_H
#define HIPSHIM_SRC_BASE_ERROR_H

#include <stdbool.h>

/* Longer texts are cut and end in "...". */
enum { HS_ERROR_SIZE = 1024 };

/*
 * libhipshim exports both functions in the version node HIPSHIM_PRIVATE.  libhipshim-kernel uses
 * them, so that hipshim_error_text() has the errors of both libraries.
 */
#define HS_ERROR_EXPORT __attribute__((visibility("default")))

/* Keeps errno.  Arguments may point into the current text, because the new one is built aside. */
HS_ERROR_EXPORT __attribute__((format(printf, 1, 2))) void hs_error_set(const char *format, ...);

/*
 * True for a text of dlerror or strerror which says that the process has no memory or no file
 * descriptor now.  dlopen restores errno, so only its text tells; in another language than English
 * that of a mapping which failed is not recognised.
 */
bool hs_error_is_lack(const char *text);

/* Never NULL; valid until the thread's next hs_error_set or the thread's end. */
HS_ERROR_EXPORT const char *hs_error_get(void);

#endif
