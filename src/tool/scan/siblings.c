/* SPDX-License-Identifier: MIT */
#include "tool/scan/siblings.h"

#include <stddef.h>
#include <string.h>

const unsigned tool_siblings_majors[TOOL_SIBLINGS_MAJORS] = {5, 6, 7};

/*
 * The ABI is that of the C functions which ordinary clients call.  Removed functions do not count:
 * a client that needs one does not start, and so learns it.
 */
static const struct tool_sibling siblings[] = {
    {"libMIOpen", {"1", "1", "1"}, {false, false, false}},
    {"libamd_comgr", {"2", "2 3", "3"}, {false, false, true}},
    {"libamd_smi", {"1", "23 24 25", "26 27"}, {false, true, true}},
    {"libhipblas", {"0 1", "2", "3"}, {false, true, true}},
    {"libhipblaslt", {"0", "0", "1"}, {false, true, false}},
    {"libhipfft", {"- 0", "0", "0"}, {false, false, false}},
    {"libhiprand", {"1", "1", "1"}, {false, false, false}},
    {"libhipsolver", {"0", "0", "1"}, {false, false, false}},
    {"libhipsparse", {"0", "1", "4"}, {false, true, false}},
    {"libhsa-runtime64", {"1", "1", "1"}, {false, false, false}},
    {"librccl", {"1", "1", "1"}, {false, false, false}},
    {"librocblas", {"0 3", "4", "5"}, {false, true, false}},
    {"librocfft", {"0", "0", "0"}, {false, false, false}},
    {"librocm_smi64", {"1 5", "1 7", "1 7"}, {false, true, false}},
    {"librocrand", {"1", "1", "1"}, {false, false, false}},
    {"librocsolver", {"0", "0", "0"}, {false, false, false}},
    {"librocsparse", {"0", "1", "1"}, {false, true, false}},
    {"libroctx64", {"1 4", "4", "4"}, {false, false, false}},
};

const struct tool_sibling *tool_siblings_find(const char *library)
{
    for (size_t i = 0; i < sizeof siblings / sizeof siblings[0]; i++) {
        size_t length = strlen(siblings[i].stem);

        if (strncmp(library, siblings[i].stem, length) == 0 &&
            strncmp(library + length, ".so", 3) == 0) {
            return &siblings[i];
        }
    }
    return NULL;
}

bool tool_siblings_has(const struct tool_sibling *sibling, unsigned index, const char *library)
{
    const char *number = library + strlen(sibling->stem) + 3;
    const char *at = sibling->numbers[index];

    number = *number == '.' ? number + 1 : "-";
    for (size_t length = strlen(number); at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, number, length) == 0 && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}
