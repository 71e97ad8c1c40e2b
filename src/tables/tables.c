/* SPDX-License-Identifier: MIT */
/* tables.c in bindings/ holds the data; these are the ways to ask it. */
#include "tables/tables.h"

#include <string.h>

unsigned hs_tables_plan(unsigned api_set, unsigned function)
{
    return hs_plans[api_set * hs_function_count + function];
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

int hs_tables_is_hiprtc(unsigned function)
{
    return strncmp(hs_tables_name(function), "hiprtc", 6) == 0;
}
