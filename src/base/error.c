/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_error[HS_ERROR_SIZE];

void hs_error_set(const char *format, ...)
{
    static const char cut[] = "...";
    int saved = errno; /* programs do not expect a HIP call to change errno */
    char text[HS_ERROR_SIZE];
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text[0] = '\0';
    } else if ((size_t)length >= sizeof text) {
        memcpy(text + sizeof text - sizeof cut, cut, sizeof cut);
    }
    memcpy(last_error, text, strlen(text) + 1);
    errno = saved;
}

bool hs_error_is_lack(const char *text)
{
    static const int lacks[] = {ENOMEM, EMFILE, ENFILE};
    char buffer[128];

    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++) {
        if (strstr(text, strerror_r(lacks[i], buffer, sizeof buffer))) {
            return true;
        }
    }
    return strstr(text, "failed to map segment") != NULL;
}

const char *hs_error_get(void)
{
    return last_error;
}
