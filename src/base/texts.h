/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_BASE_TEXTS_H
#define HIPSHIM_SRC_BASE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static inline bool hs_text_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static inline bool hs_text_ends(const char *text, const char *with)
{
    size_t length = strlen(text), tail = strlen(with);

    return length >= tail && strcmp(text + length - tail, with) == 0;
}

/* Whether a list that a program gives has `count` texts and no NULL among them. */
static inline bool hs_texts_are_set(const char *const *list, size_t count)
{
    for (size_t i = 0; list && i < count; i++) {
        if (!list[i]) {
            return false;
        }
    }
    return list || count == 0;
}

/* Appends to a list in a message, which has `room` bytes, or "..." once there is no more room. */
static inline void hs_texts_list(char *list, size_t room, const char *text)
{
    size_t length = strlen(list);

    if (length + strlen(text) + 8 < room) {
        snprintf(list + length, room - length, "%s%s", length ? ", " : "", text);
    } else if (length < 3 || strcmp(list + length - 3, "...") != 0) {
        snprintf(list + length, room - length, ", ...");
    }
}

#endif
