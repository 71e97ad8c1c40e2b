/* SPDX-License-Identifier: MIT */
/* The libraries of ROCm besides HIP, and the sonames that they have in each major. */
#ifndef HIPSHIM_SRC_TOOL_SIBLINGS_H
#define HIPSHIM_SRC_TOOL_SIBLINGS_H

#include <stdbool.h>

enum { TOOL_SIBLINGS_MAJORS = 3 };

struct tool_sibling {
    const char *stem;
    const char *numbers[TOOL_SIBLINGS_MAJORS]; /* after ".so.", with blanks; "-": none */
    bool has_other_abi[TOOL_SIBLINGS_MAJORS];  /* than in the major before */
};

/* Generated, with a NULL at the end. */
extern const unsigned tool_siblings_majors[TOOL_SIBLINGS_MAJORS];
extern const struct tool_sibling tool_siblings[];

#endif
