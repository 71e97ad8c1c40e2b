/* SPDX-License-Identifier: MIT */
/* The part of hipshim.h that answers from tables alone, without a runtime. */
#include <hipshim/hipshim.h>

#include <string.h>

#include "base/error.h"
#include "functions.h"
#include "tables/tables.h"

unsigned hipshim_release_count(void)
{
    return hs_release_count;
}

hipshim_status_t hipshim_release_info(unsigned index, hipshim_release_info_t *info)
{
    if (!info || info->size < sizeof *info || index >= hs_release_count) {
        hs_error_set("hipshim_release_info: no such release, or a size that is too small");
        return HIPSHIM_ERROR_INVALID;
    }
    const struct hs_release *release = &hs_releases[index];
    info->size = sizeof *info;
    info->release = (hipshim_release_t){release->major, release->minor, release->patch};
    info->api_set = hs_tables_api_set(release->api_set);
    info->rocm = release->rocm;
    return HIPSHIM_OK;
}

hipshim_status_t hipshim_function_kind_on_release(const char *name, unsigned release, hipshim_kind_t *kind)
{
    int function = name ? hs_tables_find(name) : -1;
    if (!kind || release >= hs_release_count) {
        hs_error_set("hipshim_function_kind_on_release: no such release, or no place for the answer");
        return HIPSHIM_ERROR_INVALID;
    }
    if (function < 0) {
        hs_error_set("%s: the stable interface has no such function", name ? name : "NULL");
        return HIPSHIM_ERROR_UNKNOWN_FUNCTION;
    }
    unsigned action = hs_tables_plan(hs_releases[release].api_set, (unsigned)function);
    if (action == HS_PLAN_MISSING) {
        *kind = HIPSHIM_KIND_MISSING;
    } else if (action == HS_PLAN_DIRECT) {
        *kind = HIPSHIM_KIND_DIRECT;
    } else {
        *kind = hs_adapters[action].kind == HS_ADAPTER_CONVERT ? HIPSHIM_KIND_CONVERTED
                                                               : HIPSHIM_KIND_EMULATED;
    }
    return HIPSHIM_OK;
}

hipshim_status_t hipshim_function_availability(const char *name, hipshim_release_t *since,
                                       hipshim_release_t *removed)
{
    int function = name ? hs_tables_find(name) : -1;
    if (!since || !removed) {
        hs_error_set("hipshim_function_availability: no place for the answer");
        return HIPSHIM_ERROR_INVALID;
    }
    if (function < 0) {
        hs_error_set("%s: the stable interface has no such function", name ? name : "NULL");
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
    if (!change || change->size < sizeof *change || index >= hs_change_count) {
        hs_error_set("hipshim_change_info: no such change, or a size that is too small");
        return HIPSHIM_ERROR_INVALID;
    }
    const struct hs_change *found = &hs_changes[index];
    change->size = sizeof *change;
    change->api_set = hs_tables_api_set(found->api_set);
    change->function = hs_tables_name(found->function);
    change->text = found->text;
    return HIPSHIM_OK;
}
