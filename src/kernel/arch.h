/* SPDX-License-Identifier: MIT */
/*
 * GPU architectures by name.
 */
#ifndef HIPSHIM_SRC_KERNEL_ARCH_H
#define HIPSHIM_SRC_KERNEL_ARCH_H

#include <stddef.h>

/* Room for every name, "gfx90a:sramecc+:xnack-" being among the longest. */
enum { HS_ARCH_ROOM = 64 };

/*
 * Whether it looks like an architecture: "gfx" with what may follow it, and
 * features, or "amdgcnspirv".  It becomes part of an option and of a file name.
 */
int hs_arch_is_name(const char *text);

/* The first GPU's in the directory .../topology/nodes; -1 if there is none. */
int hs_arch_of_topology(const char *nodes, char arch[HS_ARCH_ROOM]);

#endif
