/* SPDX-License-Identifier: MIT */
/* Ways to ask the tables whose data is in bindings/. */
#include "engine/tables.h"

#include <string.h>

unsigned hs_tables_plan(unsigned api_set, unsigned function)
{
    return hs_plans[api_set * hs_function_count + function];
}

hipshim_kind_t hs_tables_kind(unsigned api_set, unsigned function)
{
    unsigned plan = hs_tables_plan(api_set, function);
    if (plan == HS_PLAN_MISSING) {
        return HIPSHIM_KIND_MISSING;
    }
    if (plan == HS_PLAN_DIRECT || !hs_adapters[plan].entry) {
        return HIPSHIM_KIND_DIRECT;
    }
    return hs_adapters[plan].kind == HS_ADAPTER_CONVERT ? HIPSHIM_KIND_CONVERTED
                                                        : HIPSHIM_KIND_EMULATED;
}

const char *hs_tables_name(unsigned function)
{
    return hs_names + hs_function_entries[function].name;
}

hipshim_release_t hs_tables_api_set(unsigned api_set)
{
    if (api_set >= hs_api_set_count) {
        return (hipshim_release_t){0, 0, 0};
    }
    const struct hs_api_set *found = &hs_api_sets[api_set];
    return (hipshim_release_t){found->major, found->minor, found->patch};
}

int hs_tables_find(const char *name)
{
    int low = 0, high = (int)hs_function_count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        int order = strcmp(name, hs_tables_name((unsigned)middle));
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            high = middle - 1;
        } else {
            low = middle + 1;
        }
    }
    return -1;
}
