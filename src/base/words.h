/* SPDX-License-Identifier: MIT */
/* A list of texts that grows, such as the words of a command. */
#ifndef HIPSHIM_SRC_BASE_WORDS_H
#define HIPSHIM_SRC_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct hs_words {
    char **items; /* from malloc, with NULL after the last; NULL for none */
    size_t count;
    bool is_incomplete; /* there was no memory for one of them */
};

__attribute__((format(printf, 2, 3))) bool hs_words_add(struct hs_words *words, const char *format,
                                                        ...);
void hs_words_free(struct hs_words *words);

#endif
