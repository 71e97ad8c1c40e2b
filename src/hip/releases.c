/* SPDX-License-Identifier: MIT */
/* The part of hipshim.h that answers from tables alone, without a runtime. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <hipshim/hipshim.h>

#include <string.h>

#include "base/error.h"
#include "base/structure.h"
#include "engine/tables.h"
#include "hip/find.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

const char *hipshim_version(void)
{
    return PACKAGE_VERSION;
}

int hipshim_abi_version(void)
{
    return HIPSHIM_ABI_VERSION;
}

hipshim_status_t hs_api_find(const char *call, const char *name, unsigned *function)
{
    if (!name) {
        hs_error_set("%s: `name` is NULL", call);
        return HIPSHIM_ERROR_INVALID;
    }
    int own = hs_tables_find(name), found = own >= 0 ? own : hs_names_alias(name);
    if (found < 0) {
        hs_error_set("%s: no HIP release known to hipshim %s has this function", name,
                     hipshim_version());
        return HIPSHIM_ERROR_UNKNOWN_FUNCTION;
    }
    *function = (unsigned)found;
    return HIPSHIM_OK;
}

hipshim_status_t hs_api_give(void *structure, const void *answer, size_t known, const char *call)
{
    if (!hs_structure_give(structure, answer, known)) {
        hs_error_set("%s: the structure is NULL or its size is not set", call);
        return HIPSHIM_ERROR_INVALID;
    }
    return HIPSHIM_OK;
}

unsigned hipshim_release_count(void)
{
    return hs_release_count;
}

hipshim_status_t hipshim_release_info(unsigned index, hipshim_release_info_t *info)
{
    if (index >= hs_release_count) {
        hs_error_set("hipshim_release_info: index %u is not below %u", index, hs_release_count);
        return HIPSHIM_ERROR_INVALID;
    }
    const struct hs_release *release = &hs_releases[index];
    const hipshim_release_info_t answer = {
        .release = {release->major, release->minor, release->patch},
        .api_set = hs_tables_api_set(release->api_set),
        .rocm = release->carriers,
    };
    return hs_api_give(info, &answer, sizeof answer, "hipshim_release_info");
}

hipshim_status_t hipshim_function_kind_on_release(const char *name, unsigned release,
                                                  hipshim_kind_t *kind)
{
    if (!kind || release >= hs_release_count) {
        hs_error_set("hipshim_function_kind_on_release: `kind` is NULL, or release index %u is "
                     "not below %u",
                     release, hs_release_count);
        return HIPSHIM_ERROR_INVALID;
    }
    unsigned function;
    hipshim_status_t status = hs_api_find("hipshim_function_kind_on_release", name, &function);
    if (status == HIPSHIM_OK) {
        *kind = hs_tables_kind(hs_releases[release].api_set, function);
    }
    return status;
}

hipshim_status_t hipshim_function_availability(const char *name, hipshim_release_t *since,
                                               hipshim_release_t *removed)
{
    if (!since || !removed) {
        hs_error_set("hipshim_function_availability: `since` or `removed` is NULL");
        return HIPSHIM_ERROR_INVALID;
    }
    unsigned function;
    hipshim_status_t status = hs_api_find("hipshim_function_availability", name, &function);
    if (status == HIPSHIM_OK) {
        *since = hs_tables_api_set(hs_function_entries[function].first);
        *removed = hs_tables_api_set(hs_function_entries[function].last + 1u);
    }
    return status;
}

unsigned hipshim_change_count(void)
{
    return hs_change_count;
}

hipshim_status_t hipshim_change_info(unsigned index, hipshim_change_t *change)
{
    if (index >= hs_change_count) {
        hs_error_set("hipshim_change_info: index %u is not below %u", index, hs_change_count);
        return HIPSHIM_ERROR_INVALID;
    }
    const struct hs_change *found = &hs_changes[index];
    hipshim_change_t answer;
    memset(&answer, 0, sizeof answer); /* also the padding, which an initializer leaves as it is */
    answer.api_set = hs_tables_api_set(found->api_set);
    answer.function = hs_tables_name(found->function);
    answer.text = found->text;
    return hs_api_give(change, &answer, sizeof answer, "hipshim_change_info");
}
