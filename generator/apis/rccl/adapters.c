/* SPDX-License-Identifier: MIT */
/*
 * A configuration tells its size, and so a library takes one of a newer program: it reads the
 * members that it knows.  5.5 and 5.6 know `blocking` alone and refuse a value that is not defined,
 * which means 1 to every later release.  Environment variables win in all of them.
 */
#include "adapters.h"

#include "engine/dispatch.h"
#include "functions.h"

#define CONFIGURED(name)                                                                           \
    ncclResult_t rccl_bridge_##name(ncclComm_t *comm, int nranks, ncclUniqueId commId, int rank,   \
                                    ncclConfig_t *config)                                          \
    {                                                                                              \
        __typeof__(&name) init = (__typeof__(&name))hs_runtime_functions[HS_FN_##name];            \
        ncclConfig_t defined;                                                                      \
                                                                                                   \
        if (!config || config->blocking != INT_MIN || config->size < sizeof(defined))              \
            return init(comm, nranks, commId, rank, config);                                       \
        defined = *config;                                                                         \
        defined.blocking = 1;                                                                      \
        return init(comm, nranks, commId, rank, &defined);                                         \
    }

CONFIGURED(ncclCommInitRankConfig)
CONFIGURED(pncclCommInitRankConfig)
