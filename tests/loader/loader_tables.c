/* SPDX-License-Identifier: MIT */
/*
 * A small set of releases for the tests of the loader, so that they say the
 * same whatever releases hipshim comes to know.
 */
#include "engine/tables.h"

const unsigned hs_dropin_major = 0;

const struct hs_release hs_releases[] = {
    {5, 2, 21153, 0, "5.2.3"},        {5, 7, 31921, 1, "5.7.0, 5.7.1"},   {6, 1, 40091, 2, "6.1.0"},
    {6, 1, 40093, 2, "6.1.2"},        {6, 2, 41134, 3, "6.2.1 to 6.2.4"}, {6, 4, 43482, 4, "6.4.0"},
    {6, 4, 43484, 5, "6.4.2, 6.4.3"}, {7, 2, 53211, 6, "7.2.4"},
};
const unsigned hs_release_count = sizeof hs_releases / sizeof hs_releases[0];

enum { API_SETS = 7, FUNCTIONS = 7 };
const struct hs_api_set hs_api_sets[] = {
    {5, 2, 21153}, {5, 7, 31921}, {6, 1, 40091}, {6, 2, 41134},
    {6, 4, 43482}, {6, 4, 43484}, {7, 2, 53211},
};
const unsigned hs_api_set_count = sizeof hs_api_sets / sizeof hs_api_sets[0];

/* A name says which releases have the function; hipMaybe62 is one that libraries may lack. */
const char hs_names[] = "hipAlways\0hipMaybe62\0hipOnly61\0hipSince57\0hipSince62\0hipSince64\0"
                        "hiprtcSince62";
const struct hs_function_entry hs_function_entries[] = {
    {0, 0, 6}, {10, 3, 6}, {21, 2, 2}, {31, 1, 6}, {42, 3, 6}, {53, 4, 6}, {64, 3, 6},
};
const unsigned hs_function_count = FUNCTIONS;
const uint16_t hs_unreliable_exports[] = {1, FUNCTIONS};

#define NO HS_PLAN_MISSING
/* clang-format off */
const uint16_t hs_plans[] = {
    0, NO, NO, NO, NO, NO, NO,
    0, NO, NO,  0, NO, NO, NO,
    0, NO,  0,  0, NO, NO, NO,
    0,  0, NO,  0,  0, NO,  0,
    0,  0, NO,  0,  0,  0,  0,
    0,  0, NO,  0,  0,  0,  0,
    0,  0, NO,  0,  0,  0,  0,
};
/* clang-format on */
_Static_assert(sizeof hs_plans / sizeof hs_plans[0] == API_SETS * FUNCTIONS, "one row a set");

const struct hs_adapter hs_adapters[1];
