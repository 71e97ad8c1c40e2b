/* SPDX-License-Identifier: MIT */
#include "tool/abi/abi.h"
#include "tool/release_text.h"

const char *const tool_abi_kind_words[TOOL_ABI_KINDS] = {
    [HIPSHIM_KIND_DIRECT] = "direct",
    [HIPSHIM_KIND_CONVERTED] = "converted",
    [HIPSHIM_KIND_EMULATED] = "emulated",
    [HIPSHIM_KIND_MISSING] = "missing",
};

hipshim_kind_t tool_abi_kind(const char *name, unsigned release)
{
    hipshim_kind_t kind = HIPSHIM_KIND_MISSING;
    hipshim_function_kind_on_release(name, release, &kind);
    return kind;
}

bool tool_abi_has(const char *name, int release)
{
    hipshim_release_t since, removed;
    hipshim_function_availability(name, &since, &removed);
    return release >= tool_release_index(since) &&
           (removed.major == 0 || release < tool_release_index(removed)) &&
           tool_abi_kind(name, (unsigned)release) != HIPSHIM_KIND_MISSING;
}

hipshim_change_t tool_abi_change(unsigned index)
{
    hipshim_change_t change = {.size = sizeof change};
    hipshim_change_info(index, &change);
    return change;
}
