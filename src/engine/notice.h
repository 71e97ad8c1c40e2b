/* SPDX-License-Identifier: MIT */
/* A line on stderr that a process prints once, whatever copies of hipshim it holds. */
#ifndef HIPSHIM_SRC_ENGINE_NOTICE_H
#define HIPSHIM_SRC_ENGINE_NOTICE_H

/*
 * Prints "hipshim: PATH: TEXT; HIPSHIM_STRICT=1 refuses it", unless this copy of hipshim or
 * another one in the process has printed such a line.  libhipshim and each drop-in is a copy with
 * a loader of its own, and all of them use one runtime.  Any thread; holds no lock of hipshim.
 */
void hs_notice_unknown_release(const char *path, const char *text);

#endif
