/* SPDX-License-Identifier: MIT */
/*
 * A small set of releases for the tests of the loader, so that they say the
 * same whatever releases hipshim comes to know.
 */
#include "engine/api.h"
#include "engine/tables.h"

#include <stddef.h>

const int hs_dropin_number = -1;

const struct hs_release hs_releases[] = {
    {5, 2, 21153, 0, 5, "5.2.3"},          {5, 7, 31921, 1, 5, "5.7.0, 5.7.1"},
    {6, 1, 40091, 2, 6, "6.1.0"},          {6, 1, 40093, 2, 6, "6.1.2"},
    {6, 2, 41134, 3, 6, "6.2.1 to 6.2.4"}, {6, 4, 43482, 4, 6, "6.4.0"},
    {6, 4, 43484, 5, 6, "6.4.2, 6.4.3"},   {7, 2, 53211, 6, 7, "7.2.4"},
};
const unsigned hs_release_count = sizeof hs_releases / sizeof hs_releases[0];

enum { API_SETS = 7, FUNCTIONS = 7 };
const struct hs_api_set hs_api_sets[] = {
    {5, 2, 21153, 5}, {5, 7, 31921, 5}, {6, 1, 40091, 6}, {6, 2, 41134, 6},
    {6, 4, 43482, 6}, {6, 4, 43484, 6}, {7, 2, 53211, 7},
};
const unsigned hs_api_set_count = sizeof hs_api_sets / sizeof hs_api_sets[0];

/* A name says which releases have the function; hipMaybe62 is one that libraries may lack. */
const char hs_names[] = "hipAlways\0hipMaybe62\0hipOnly61\0hipSince57\0hipSince62\0hipSince64\0"
                        "hiprtcSince62";
const struct hs_function_entry hs_function_entries[] = {
    {0, 0, 6, 0, 0, 6},  {10, 3, 6, 0, 3, 6}, {21, 2, 2, 0, 2, 2}, {31, 1, 6, 0, 1, 6},
    {42, 3, 6, 0, 3, 6}, {53, 4, 6, 0, 4, 6}, {64, 3, 6, 1, 3, 6},
};
const unsigned hs_function_count = FUNCTIONS;
const unsigned hs_sign_count = 0;
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

/* As in bindings, but with directories below the working directory. */
#define NO_RUNTIME(text)                                                                           \
    {                                                                                              \
        .release = -1, .nearest = -1, .api_set = -1, .match_text = "", .used_as = "",              \
        .reason = text                                                                             \
    }

static const struct hs_library libraries[] = {
    {.stem = "libamdhip64", .probe = "hipRuntimeGetVersion", .second_probe = "hipMalloc"},
    {
        .stem = "libhiprtc",
        .probe = "hiprtcCreateProgram",
        .name = "hiprtc",
        .inside_first_until = 5,
        .inside_until = 6,
        .no_runtime = {.reason = "there is no HIP runtime, and so no hiprtc"},
        .lacking = {.reason = "no memory"},
        .absent = "no libhiprtc beside the runtime",
    },
};
static const char *const prefix_places[] = {"lib", "lib64", "lib/multi-arch", "hip/lib", NULL};
static const char *const packages[] = {"torch", "triton/backends/amd", NULL};
static const struct hs_variable variables[] = {
    {"HIP_PATH", true, false},    {"ROCM_PATH", true, false},   {"ROCM_HOME", true, false},
    {"VIRTUAL_ENV", false, true}, {"CONDA_PREFIX", true, true}, {"GUIX_ENVIRONMENT", true, false},
    {"SNAP", true, false},        {NULL, false, false},
};
static const struct hs_place places[] = {
    {.path = "opt/rocm/core", .may_be_missing = true},
    {.path = "opt/rocm", .newest = "core-"},
    {.path = "opt/rocm"},
    {.path = "opt", .newest = "rocm-"},
    {.path = "compat", .newest = "rocm-"},
    {.path = "wsl", .is_directory = true},
    {.path = NULL},
};

const struct hs_api hs_api = {
    .name = "HIP",
    .noun = "HIP runtime",
    .pin = "HIPSHIM_LIBRARY",
    .install_hint = "install the HIP runtime of ROCm",
    .carrier = "ROCm",
    .libraries = libraries,
    .library_count = 2,
    .version_function = "hipRuntimeGetVersion",
    .per_major = 10000000,
    .per_minor = 100000,
    .prefix_places = prefix_places,
    .package_stem = "_rocm_sdk_core",
    .packages = packages,
    .variables = variables,
    .places = places,
    .no_memory = NO_RUNTIME("no memory to look for a HIP runtime"),
};
