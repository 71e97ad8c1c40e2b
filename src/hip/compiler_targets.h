/* SPDX-License-Identifier: MIT */
/* The processors that the compiler of the runtime knows. */
#ifndef HIPSHIM_SRC_HIP_COMPILER_TARGETS_H
#define HIPSHIM_SRC_HIP_COMPILER_TARGETS_H

#include "engine/loader.h"

/*
 * False if comgr, the compiler of the runtime, does not know the processor of `arch`; `known` then
 * has those that it knows, cut at `size` bytes.  True also if comgr cannot be asked.  Any thread.
 */
bool hs_compiler_targets_know(const struct hs_runtime *runtime, const char *arch, char *known,
                              size_t size);

#endif
