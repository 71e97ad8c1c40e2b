/* SPDX-License-Identifier: MIT */
#include "tool/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

bool tool_list_add(struct hs_words *list, const char *text)
{
    return hs_words_add(list, "%s", text) || tool_fail("out of memory");
}

bool tool_list_has(const struct hs_words *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], text) == 0) {
            return true;
        }
    }
    return false;
}

bool tool_list_all(const struct hs_words *list, bool (*holds)(const char *text))
{
    size_t i = 0;

    while (i < list->count && holds(list->items[i])) {
        i++;
    }
    return i == list->count;
}

void tool_list_take(struct hs_words *list, const char *text, const struct argp_state *state)
{
    if (!tool_list_add(list, text)) {
        argp_failure(state, TOOL_NO, ENOMEM, "%s", text);
    }
}

void tool_list_take_architectures(struct hs_words *list, char *names,
                                  const struct argp_state *state)
{
    char *name;

    if (!*names) {
        argp_error(state, "--arch is empty; without it the machine's architecture is used");
    }
    while ((name = strsep(&names, ",")) != NULL) {
        if (*name && strcmp(name, "none") != 0) {
            tool_check_architecture("--arch", name, state);
        }
        if (*name && !tool_list_has(list, name)) {
            tool_list_take(list, name, state);
        }
    }
}
