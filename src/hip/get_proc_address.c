/* SPDX-License-Identifier: MIT */
/* Functions that return functions: their answers are hipshim's own entry points. */
#include "hip/emulate.h"

#ifdef HS_OFFERS_hipGetProcAddress

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/api.h"
#include "engine/dispatch.h"
#include "hip/last_error.h"

/* HIP's version argument is 100 * major + 10 * minor. */
enum { FIRST_RENAMED = HS_SINCE_OTHER_LAYOUTS, NO_VERSION = -1 };
_Static_assert(FIRST_RENAMED % 100 == 0, "the two forms of the number agree");

/* hipEnableLegacyStream and hipEnablePerThreadDefaultStream, plain numbers in 6.x. */
enum { LEGACY_STREAM = 1, PER_THREAD_STREAM = 2 };

/*
 * hipGetProcAddress reads its flags since 7.14; before, it ignored them.  A drop-in that converts
 * nothing answers as the runtime does.
 */
static bool reads_flags(void)
{
#ifdef HS_OFFERS_hipGetProcAddress_spt
    return !hs_dispatch_is_native(hs_dispatch_runtime()) ||
           hs_dispatch_runtime_symbol("hipGetProcAddress_spt");
#else
    return false;
#endif
}

/*
 * The number of the function behind a name, or -1; `per_thread` prefers its _spt twin.  From
 * version 6.0 on, a name that got another layout in 6.0 stands for the newer function.  Without a
 * version it stands for the symbol of that name, which drop-ins have.
 */
static int find_function(const char *symbol, int version, bool per_thread)
{
    char twin[96];
    if (per_thread && snprintf(twin, sizeof twin, "%s_spt", symbol) < (int)sizeof twin) {
        int found = hs_tables_find(twin);
        if (found >= 0) {
            return found;
        }
    }
    int newer = version >= FIRST_RENAMED ? hs_names_alias(symbol) : -1;
    int found = newer >= 0 ? newer : hs_tables_find(symbol);
    return found >= 0 ? found : hs_names_alias(symbol);
}

/* A drop-in finds hiprtc's functions only if the real libamdhip64 has them. */
static bool is_offered(int function)
{
    unsigned library = function < 0 ? 0 : hs_function_entries[function].library;
    return function >= 0 &&
           (library == 0 || hs_dropin_number <= hs_api.libraries[library].inside_until);
}

enum lookup { LOOKUP_FOUND, LOOKUP_ABSENT, LOOKUP_VERSION, LOOKUP_INVALID };

static enum lookup look_up(const char *symbol, void **address, int version, bool per_thread)
{
    if (!symbol || !*symbol || !address) {
        hs_error_set("hipGetProcAddress: `symbol` or `pfn` is NULL, or `symbol` is empty");
        return LOOKUP_INVALID;
    }
    *address = NULL;
    int function = find_function(symbol, version, per_thread);
    if (!is_offered(function) || hs_dispatch_kind((unsigned)function) == HIPSHIM_KIND_MISSING) {
        hs_error_set("%s: not in this HIP runtime", symbol);
        return LOOKUP_ABSENT;
    }
    /* Below 6.0 such a name has a layout that callers of hipshim do not have. */
    bool renamed = hs_tables_find(symbol) < 0;
    if (renamed && version != NO_VERSION && version < FIRST_RENAMED) {
        hs_error_set("%s: hipshim has the layout of HIP 6.0 and later only", symbol);
        return LOOKUP_VERSION;
    }
    hs_function entry = hs_entries[function];
    memcpy(address, &entry, sizeof entry);
    return LOOKUP_FOUND;
}

static hipError_t proc_address(const char *symbol, void **address, int version, bool per_thread,
                               hipDriverProcAddressQueryResult *status)
{
    enum lookup found = look_up(symbol, address, version, per_thread);
    if (status && found != LOOKUP_INVALID) {
        *status = found == LOOKUP_FOUND     ? HIP_GET_PROC_ADDRESS_SUCCESS
                  : found == LOOKUP_VERSION ? HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                            : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return hs_last_error_result(found == LOOKUP_FOUND ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hs_emulate_hipGetProcAddress(const char *symbol, void **pfn, int hipVersion,
                                        uint64_t flags,
                                        hipDriverProcAddressQueryResult *symbolStatus)
{
    bool per_thread = (flags & PER_THREAD_STREAM) != 0 && reads_flags();
    return proc_address(symbol, pfn, hipVersion, per_thread, symbolStatus);
}

#ifdef HS_OFFERS_hipGetProcAddress_spt
_Static_assert(HIP_GET_PROC_ADDRESS_LEGACY_STREAM == LEGACY_STREAM, "the number above is HIP's");

hipError_t hs_emulate_hipGetProcAddress_spt(const char *symbol, void **pfn, int hipVersion,
                                            uint64_t flags,
                                            hipDriverProcAddressQueryResult *symbolStatus)
{
    bool per_thread = (flags & LEGACY_STREAM) == 0;
    return proc_address(symbol, pfn, hipVersion, per_thread, symbolStatus);
}
#endif

#ifdef HS_OFFERS_hipGetDriverEntryPoint
_Static_assert((int)hipEnableLegacyStream == LEGACY_STREAM, "the numbers above are HIP's");
_Static_assert((int)hipEnablePerThreadDefaultStream == PER_THREAD_STREAM,
               "the numbers above are HIP's");

static hipError_t entry_point(const char *symbol, void **address, unsigned long long flags,
                              bool per_thread, hipDriverEntryPointQueryResult *status)
{
    if (flags > PER_THREAD_STREAM) {
        hs_error_set("hipGetDriverEntryPoint: `flags` is %llu, which is none of its flags", flags);
        return hs_last_error_set(hipErrorInvalidValue);
    }
    enum lookup found = look_up(symbol, address, NO_VERSION, per_thread);
    if (status && found != LOOKUP_INVALID) {
        *status =
            found == LOOKUP_FOUND ? hipDriverEntryPointSuccess : hipDriverEntryPointSymbolNotFound;
    }
    return hs_last_error_result(found == LOOKUP_FOUND ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hs_emulate_hipGetDriverEntryPoint(const char *symbol, void **funcPtr,
                                             unsigned long long flags,
                                             hipDriverEntryPointQueryResult *driverStatus)
{
    bool per_thread = flags == PER_THREAD_STREAM;
    return entry_point(symbol, funcPtr, flags, per_thread, driverStatus);
}

hipError_t hs_emulate_hipGetDriverEntryPoint_spt(const char *symbol, void **funcPtr,
                                                 unsigned long long flags,
                                                 hipDriverEntryPointQueryResult *status)
{
    bool per_thread = flags != LEGACY_STREAM;
    return entry_point(symbol, funcPtr, flags, per_thread, status);
}
#endif

#endif
