/* SPDX-License-Identifier: MIT */
#include "tool/scan/siblings.h"

#include <string.h>

const struct tool_sibling *tool_siblings_find(const char *library)
{
    for (const struct tool_sibling *one = tool_siblings; one->stem; one++) {
        size_t length = strlen(one->stem);

        if (strncmp(library, one->stem, length) == 0 && strncmp(library + length, ".so", 3) == 0) {
            return one;
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
