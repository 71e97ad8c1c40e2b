/* SPDX-License-Identifier: MIT */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <hipshim/hipshim.h>

#include "dispatch/dispatch.h"
#include "base/error.h"
#include "loader/loader.h"
#include "loader/search_log.h"
#include "tables/tables.h"

#include <hip/hip_version.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* The public numbers are frozen, the dispatcher's are its own. */
_Static_assert((int)HS_KIND_DIRECT == HIPSHIM_KIND_DIRECT &&
                   (int)HS_KIND_CONVERTED == HIPSHIM_KIND_CONVERTED &&
                   (int)HS_KIND_EMULATED == HIPSHIM_KIND_EMULATED &&
                   (int)HS_KIND_MISSING == HIPSHIM_KIND_MISSING,
               "enum hs_kind and hipshim_kind_t have the same values");

const char *hipshim_version(void)
{
    return PACKAGE_VERSION;
}

int hipshim_abi_version(void)
{
    return HIPSHIM_ABI_VERSION;
}

hipshim_status_t hipshim_init(void)
{
    const struct hs_runtime *runtime = hs_dispatch_runtime();

    if (!runtime->handle) {
        hs_error_set("%s", runtime->reason);
        return HIPSHIM_ERROR_NO_RUNTIME;
    }
    return HIPSHIM_OK;
}

const char *hipshim_status_text(hipshim_status_t status)
{
    switch (status) {
    case HIPSHIM_OK:
        return "no error";
    case HIPSHIM_ERROR_NO_RUNTIME:
        return "no usable HIP runtime was found";
    case HIPSHIM_ERROR_INVALID:
        return "invalid argument";
    case HIPSHIM_ERROR_UNKNOWN_FUNCTION:
        return "no known HIP release has this function";
    case HIPSHIM_ERROR_COMPILATION:
        return "the compiler refused the kernel";
    case HIPSHIM_ERROR_NO_COMPILER:
        return "there is neither hiprtc nor hipcc";
    case HIPSHIM_ERROR_NO_ARCH:
        return "no GPU architecture was given, and none was found";
    case HIPSHIM_ERROR_NO_MEMORY:
        return "out of memory";
    case HIPSHIM_ERROR_SYSTEM:
        return "the operating system refused something";
    case HIPSHIM_ERROR_NO_CODE:
        return "nothing that is embedded fits the device";
    }
    return "unknown status";
}

const char *hipshim_error_text(void)
{
    return hs_error_get();
}

/*
 * Copies what the caller has room for and clears what the library does not
 * know; `size` is the caller's, the structure's first member, and stays.
 */
static void hand_out(void *destination, const void *source, size_t known)
{
    size_t size;

    memcpy(&size, destination, sizeof size);
    memcpy((char *)destination + sizeof size, (const char *)source + sizeof size,
           (size < known ? size : known) - sizeof size);
    if (size > known) {
        memset((char *)destination + known, 0, size - known);
    }
}

/* API sets are named after their first release; say the one matched. */
static hipshim_release_t matched_release(const struct hs_runtime *runtime)
{
    const struct hs_release *known = &hs_releases[runtime->nearest];
    hipshim_release_t release = {known->major, known->minor, known->patch};

    return release;
}

hipshim_status_t hipshim_runtime_info(hipshim_runtime_t *info)
{
    const struct hs_runtime *runtime;
    const struct hs_hiprtc *hiprtc;
    hipshim_runtime_t answer = {0};
    unsigned i;

    if (!info || info->size < sizeof info->size) {
        hs_error_set("hipshim_runtime_info needs a structure with its size set");
        return HIPSHIM_ERROR_INVALID;
    }
    runtime = hs_dispatch_runtime();
    answer.stable.major = HIP_VERSION_MAJOR;
    answer.stable.minor = HIP_VERSION_MINOR;
    answer.stable.patch = HIP_VERSION_PATCH;
    for (i = 0; i < HS_FUNCTION_COUNT; i++) {
        answer.kinds[hs_dispatch_kind(i)]++;
    }
    hiprtc = hs_loader_hiprtc(runtime); /* open by now, if it can be */
    answer.match = runtime->match;
    answer.match_text = runtime->match_text;
    answer.found_by = runtime->found_by;
    answer.path = runtime->path;
    answer.soname = runtime->soname;
    answer.hiprtc_path = hiprtc->path;
    answer.hiprtc_text = hiprtc->reason;
    answer.no_runtime_text = runtime->reason;
    if (runtime->handle) {
        answer.release.major = (unsigned)runtime->major;
        answer.release.minor = (unsigned)runtime->minor;
        answer.release.patch = runtime->patch;
        answer.api_set = hs_tables_api_set((unsigned)runtime->api_set);
        answer.used_as = matched_release(runtime);
    }
    hand_out(info, &answer, sizeof answer);
    return hipshim_init();
}

unsigned hipshim_step_count(void)
{
    hs_dispatch_runtime();
    return hs_search_log_count();
}

hipshim_status_t hipshim_step_info(unsigned index, hipshim_step_t *info)
{
    hipshim_step_t answer = {0};
    const struct hs_search_step *step;

    if (!info || info->size < sizeof info->size) {
        hs_error_set("hipshim_step_info needs a structure with its size set");
        return HIPSHIM_ERROR_INVALID;
    }
    hs_dispatch_runtime();
    step = hs_search_log_get(index);
    if (!step) {
        hs_error_set("hipshim_step_info: there are %u steps, and no number %u", hs_search_log_count(),
                     index);
        return HIPSHIM_ERROR_INVALID;
    }
    answer.part = step->part;
    answer.outcome = step->outcome;
    answer.subject = step->subject;
    answer.reason = step->reason;
    hand_out(info, &answer, sizeof answer);
    return HIPSHIM_OK;
}

hipshim_status_t hipshim_function_info(const char *name, hipshim_function_t *info)
{
    hipshim_function_t answer = {0};
    const struct hs_function_entry *entry;
    int function;

    if (!name || !info || info->size < sizeof info->size) {
        hs_error_set("hipshim_function_info needs a name and a structure with its size set");
        return HIPSHIM_ERROR_INVALID;
    }
    function = hs_tables_find(name);
    if (function < 0) {
        hs_error_set("no HIP release known to hipshim %s has a function %s", PACKAGE_VERSION, name);
        return HIPSHIM_ERROR_UNKNOWN_FUNCTION;
    }
    hs_dispatch_runtime();
    entry = &hs_function_entries[function];
    answer.kind = (hipshim_kind_t)hs_dispatch_kind((unsigned)function);
    answer.since = hs_tables_api_set(entry->first);
    answer.removed = hs_tables_api_set(entry->last + 1u);
    answer.name = hs_tables_name((unsigned)function);
    hand_out(info, &answer, sizeof answer);
    return HIPSHIM_OK;
}

hipshim_address_t hipshim_function_address(const char *name)
{
    int function = name ? hs_tables_find(name) : -1;
    if (function < 0) {
        hs_error_set("%s: the stable interface has no such function", name ? name : "NULL");
        return NULL;
    }
    return hs_dispatch_address((unsigned)function);
}

unsigned hipshim_function_count(void)
{
    return HS_FUNCTION_COUNT;
}

const char *hipshim_function_name(unsigned index)
{
    return index < HS_FUNCTION_COUNT ? hs_tables_name(index) : NULL;
}
