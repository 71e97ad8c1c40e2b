/* SPDX-License-Identifier: MIT */
#include "base/variable.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether this is the first call for the name. */
static bool is_first(const char *name)
{
    static _Atomic(const char *) said[16];

    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        const char *other = NULL;

        if (atomic_compare_exchange_strong(&said[i], &other, name)) {
            return true;
        }
        if (strcmp(other, name) == 0) {
            return false;
        }
    }
    return true;
}

void hs_variable_refuse(const char *name, const char *value, const char *wanted)
{
    int error = errno;
    char line[300];

    if (is_first(name)) {
        int length =
            snprintf(line, sizeof line, "hipshim: %s=%.100s is not used; it takes %.150s\n", name,
                     value, wanted);
        size_t written = (size_t)length < sizeof line ? (size_t)length : sizeof line - 1;

        if (write(STDERR_FILENO, line, written) < 0) {
            errno = error; /* a closed stderr is no error of the variable */
        }
    }
    errno = error;
}

bool hs_variable_is_on(const char *name, bool unset, bool odd)
{
    const char *value = secure_getenv(name);

    if (!value || !*value) {
        return unset;
    }
    if (strcmp(value, "0") == 0 || strcmp(value, "1") == 0) {
        return *value == '1';
    }
    hs_variable_refuse(name, value, odd ? "0 or 1, and counts as 1" : "0 or 1, and counts as 0");
    return odd;
}

const char *hs_variable_path(const char *name)
{
    const char *value = secure_getenv(name);

    if (!value || !*value || *value == '/') {
        return value && *value ? value : NULL;
    }
    hs_variable_refuse(name, value, "an absolute path");
    return NULL;
}
