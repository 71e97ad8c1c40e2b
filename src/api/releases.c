/* SPDX-License-Identifier: MIT */
/* The part of hipshim.h that answers from tables alone, without a runtime. */
#include <hipshim/hipshim.h>

#include "base/error.h"
#include "base/structure.h"
#include "tables/tables.h"

/* The number of a function by its name; -1 with the error text set. */
static int find_function(const char *name)
{
    int function = name ? hs_tables_find(name) : -1;
    if (function < 0) {
        hs_error_set("%s: the stable interface has no such function", name ? name : "NULL");
    }
    return function;
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
        .rocm = release->rocm,
    };
    if (!hs_structure_give(info, &answer, sizeof answer)) {
        hs_error_set("hipshim_release_info: `info` is NULL or its size is not set");
        return HIPSHIM_ERROR_INVALID;
    }
    return HIPSHIM_OK;
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
    int function = find_function(name);
    if (function < 0) {
        return HIPSHIM_ERROR_UNKNOWN_FUNCTION;
    }
    *kind = hs_tables_kind(hs_releases[release].api_set, (unsigned)function);
    return HIPSHIM_OK;
}

hipshim_status_t hipshim_function_availability(const char *name, hipshim_release_t *since,
                                               hipshim_release_t *removed)
{
    if (!since || !removed) {
        hs_error_set("hipshim_function_availability: `since` or `removed` is NULL");
        return HIPSHIM_ERROR_INVALID;
    }
    int function = find_function(name);
    if (function < 0) {
        return HIPSHIM_ERROR_UNKNOWN_FUNCTION;
    }
    *since = hs_tables_api_set(hs_function_entries[function].first);
    *removed = hs_tables_api_set(hs_function_entries[function].last + 1u);
    return HIPSHIM_OK;
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
    const hipshim_change_t answer = {
        .api_set = hs_tables_api_set(found->api_set),
        .function = hs_tables_name(found->function),
        .text = found->text,
    };
    if (!hs_structure_give(change, &answer, sizeof answer)) {
        hs_error_set("hipshim_change_info: `change` is NULL or its size is not set");
        return HIPSHIM_ERROR_INVALID;
    }
    return HIPSHIM_OK;
}
