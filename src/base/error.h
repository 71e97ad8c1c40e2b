/* SPDX-License-Identifier: MIT */
/*
 * The last error text of each thread, behind hipshim_error_text().
 *
 * Setting it neither allocates nor locks, so it may be used on any failure
 * path, in a child after fork, and from several threads at once.
 */
#ifndef HIPSHIM_SRC_BASE_ERROR_H
#define HIPSHIM_SRC_BASE_ERROR_H

/* Longer texts are cut, ending in "..." so that the cut shows. */
enum { HS_ERROR_SIZE = 512 };

/* Arguments may point into the text itself: it is built aside first. */
__attribute__((format(printf, 1, 2))) void hs_error_set(const char *format, ...);

/* Never NULL; valid until the thread's next hs_error_set or its end. */
const char *hs_error_get(void);

#endif
