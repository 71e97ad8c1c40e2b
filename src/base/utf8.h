/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_BASE_UTF8_H
#define HIPSHIM_SRC_BASE_UTF8_H

#include <stddef.h>

/* The bytes of the UTF-8 character at `text`, 1 also for the end of it; 0 if there is none. */
static inline size_t hs_utf8_length(const unsigned char *text)
{
    if (text[0] < 0x80) {
        return 1;
    }
    size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* Overlong forms, surrogates, and characters beyond U+10FFFF. */
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f)) {
        return 0;
    }
    return length;
}

#endif
