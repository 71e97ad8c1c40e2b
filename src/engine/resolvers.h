/* SPDX-License-Identifier: MIT */
/* The resolvers, which resolvers.S has for each library: one for each function, of one size. */
#ifndef HIPSHIM_SRC_ENGINE_RESOLVERS_H
#define HIPSHIM_SRC_ENGINE_RESOLVERS_H

#define HS_RESOLVER_SIZE 16 /* bytes */
#ifndef __ASSEMBLER__
#include "engine/tables.h"

extern __attribute__((visibility("hidden"))) const char hs_resolvers[];

static inline hs_function hs_resolver(unsigned function)
{
    return (hs_function)(uintptr_t)(hs_resolvers + (uintptr_t)HS_RESOLVER_SIZE * function);
}
#endif

#endif
