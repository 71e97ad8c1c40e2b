/* SPDX-License-Identifier: MIT */
/* The resolvers, which resolvers.S has for each library: one for each function, of one size. */
#ifndef HIPSHIM_SRC_ENGINE_RESOLVERS_H
#define HIPSHIM_SRC_ENGINE_RESOLVERS_H

#define HS_RESOLVER_SIZE 16 /* bytes */
#ifndef __ASSEMBLER__
#include "engine/tables.h"

extern __attribute__((visibility("hidden"))) const char hs_resolvers[][HS_RESOLVER_SIZE];

static inline hs_function hs_resolver(unsigned function)
{
    return (hs_function)hs_resolvers[function];
}
#endif

#endif
