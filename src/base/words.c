/* SPDX-License-Identifier: MIT */
#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool hs_words_add(struct hs_words *words, const char *format, ...)
{
    char **items = realloc(words->items, (words->count + 2) * sizeof *items);
    char *word;
    va_list values;

    va_start(values, format);
    if (items) {
        words->items = items;
    }
    bool is_added = items && vasprintf(&word, format, values) >= 0;
    if (is_added) {
        items[words->count++] = word;
        items[words->count] = NULL;
    } else {
        words->is_incomplete = true;
    }
    va_end(values);
    return is_added;
}

void hs_words_free(struct hs_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        free(words->items[i]);
    }
    free(words->items);
}
