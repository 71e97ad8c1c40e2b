/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tool/embed/embed.h"

bool embed_list_add(struct embed_list *list, const char *text)
{
    char **items = realloc(list->items, (list->count + 1) * sizeof *items);

    if (!items) {
        return tool_fail("out of memory");
    }
    list->items = items;
    items[list->count] = strdup(text);
    if (!items[list->count]) {
        return tool_fail("out of memory");
    }
    list->count++;
    return true;
}

void embed_list_free(struct embed_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i]);
    }
    free(list->items);
    memset(list, 0, sizeof *list);
}
