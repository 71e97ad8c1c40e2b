/* SPDX-License-Identifier: MIT */
/* Known releases and majors, as the commands name them. */
#ifndef HIPSHIM_SRC_TOOL_RELEASE_TEXT_H
#define HIPSHIM_SRC_TOOL_RELEASE_TEXT_H

#include <hipshim/hipshim.h>

#include <stdbool.h>
#include <stddef.h>

/* Room for any three unsigned numbers. */
enum { TOOL_RELEASE_TEXT = 40 };

/* Writes "6.4.43484" and returns it; NULL for no release. */
const char *tool_release_text(char text[TOOL_RELEASE_TEXT], hipshim_release_t release);

/* The known release of that index, from 0, oldest first. */
hipshim_release_info_t tool_release_at(unsigned index);

/* The index of a known release, or -1. */
int tool_release_index(hipshim_release_t release);

/* The index of the newest known release of a major, or -1. */
int tool_release_newest(unsigned major);

/* The lowest known major above `major`; 0 if there is none. */
unsigned tool_release_next_major(unsigned major);

/* Writes the known majors as "5, 6, 7" and returns the text. */
const char *tool_release_majors(char *text, size_t size);

#endif
