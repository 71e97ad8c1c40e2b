/* SPDX-License-Identifier: MIT */
#include "emulate.h"

#include <stdio.h>
#include <string.h>

#include "dispatch.h"
#include "error.h"
#include "names.h"

/* HIP's version argument counts 100 for a major: 6.0 is 600. */
enum { FIRST_RENAMED = 600, NO_VERSION = -1 };

/* The function behind a name, where `per_thread` prefers its _spt twin; or -1. */
static int find_function(const char *symbol, bool per_thread)
{
    char twin[96];
    if (per_thread && snprintf(twin, sizeof twin, "%s_spt", symbol) < (int)sizeof twin) {
        int found = hs_tables_find(twin);
        if (found >= 0) {
            return found;
        }
    }
    int found = hs_tables_find(symbol);
    return found >= 0 ? found : hs_names_alias(symbol);
}

enum lookup { LOOKUP_FOUND, LOOKUP_ABSENT, LOOKUP_VERSION, LOOKUP_INVALID };

static enum lookup look_up(const char *symbol, void **address, int version, bool per_thread)
{
    if (!symbol || !*symbol || !address) {
        hs_error_set("hipGetProcAddress: a name and a place for the address are needed");
        return LOOKUP_INVALID;
    }
    *address = NULL;
    int function = find_function(symbol, per_thread);
    if (function < 0 || hs_dispatch_kind((unsigned)function) == HS_KIND_MISSING) {
        hs_error_set("%s: not in this HIP runtime", symbol);
        return LOOKUP_ABSENT;
    }
    /* Below 6.0 such a name means a layout that callers of hipshim do not have. */
    bool renamed = hs_tables_find(symbol) < 0;
    if (renamed && version != NO_VERSION && version < FIRST_RENAMED) {
        hs_error_set("%s: hipshim has the layout of HIP 6.0 and later only", symbol);
        return LOOKUP_VERSION;
    }
    hs_function entry = hs_entries[function];
    memcpy(address, &entry, sizeof entry);
    return LOOKUP_FOUND;
}

hipError_t hs_emulate_hipGetProcAddress(const char *symbol, void **pfn, int hipVersion,
                                        uint64_t flags,
                                        hipDriverProcAddressQueryResult *symbolStatus)
{
    bool per_thread = (flags & hipEnablePerThreadDefaultStream) != 0;
    enum lookup found = look_up(symbol, pfn, hipVersion, per_thread);
    if (symbolStatus && found != LOOKUP_INVALID) {
        *symbolStatus = found == LOOKUP_FOUND     ? HIP_GET_PROC_ADDRESS_SUCCESS
                        : found == LOOKUP_VERSION ? HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                                  : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return found == LOOKUP_FOUND ? hipSuccess : hipErrorInvalidValue;
}

static hipError_t entry_point(const char *symbol, void **address, bool per_thread,
                              hipDriverEntryPointQueryResult *status)
{
    enum lookup found = look_up(symbol, address, NO_VERSION, per_thread);
    if (status && found != LOOKUP_INVALID) {
        *status =
            found == LOOKUP_FOUND ? hipDriverEntryPointSuccess : hipDriverEntryPointSymbolNotFound;
    }
    return found == LOOKUP_FOUND ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hs_emulate_hipGetDriverEntryPoint(const char *symbol, void **funcPtr,
                                             unsigned long long flags,
                                             hipDriverEntryPointQueryResult *driverStatus)
{
    bool per_thread = (flags & hipEnablePerThreadDefaultStream) != 0;
    return entry_point(symbol, funcPtr, per_thread, driverStatus);
}

hipError_t hs_emulate_hipGetDriverEntryPoint_spt(const char *symbol, void **funcPtr,
                                                 unsigned long long flags,
                                                 hipDriverEntryPointQueryResult *status)
{
    bool per_thread = (flags & hipEnableLegacyStream) == 0;
    return entry_point(symbol, funcPtr, per_thread, status);
}

hipError_t hs_emulate_hipGetDeviceCount(int *count)
{
    if (!count) {
        return hipErrorInvalidValue;
    }
    *count = 0;
    hs_error_set("hipGetDeviceCount: %s", hs_dispatch_runtime()->reason);
    return hipErrorInsufficientDriver;
}

const char *hs_emulate_hipGetErrorName(hipError_t error)
{
    const char *name = hs_names_hipError_t((int)error);
    return name ? name : "hipErrorUnknown";
}

const char *hs_emulate_hipGetErrorString(hipError_t error)
{
    /* The code that every other call returns now: its text should tell why. */
    if (error == hipErrorInsufficientDriver) {
        return "no HIP runtime (libamdhip64) was found";
    }
    return hs_emulate_hipGetErrorName(error);
}

const char *hs_emulate_hiprtcGetErrorString(hiprtcResult result)
{
    const char *name = hs_names_hiprtcResult((int)result);
    return name ? name : "Invalid HIPRTC error code";
}
