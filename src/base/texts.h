/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_BASE_TEXTS_H
#define HIPSHIM_SRC_BASE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
