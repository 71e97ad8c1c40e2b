/* SPDX-License-Identifier: MIT */
/*
 * For LD_PRELOAD: lets an allocation of hipshim's own code fail, number SHORT_AT (from 1), and with
 * SHORT_ALL=1 all behind it.  At its end the process says how many there were, by SHORT_COUNT=1.
 * An allocation belongs to hipshim if the caller is in an object with "hipshim" in its name.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static atomic_long asked;
static long first = -1;
static bool has_all, is_ready;
static _Thread_local bool is_busy;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("SHORT_AT");

    first = at ? atol(at) : -1;
    has_all = getenv("SHORT_ALL") != NULL;
    is_ready = true;
}

__attribute__((destructor)) static void end(void)
{
    char line[40];

    if (getenv("SHORT_COUNT")) {
        int length = snprintf(line, sizeof line, "allocations %ld\n", (long)asked);
        (void)!write(2, line, (size_t)length);
    }
}

static bool is_short(const void *caller)
{
    Dl_info info;
    bool is_ours = false;

    if (is_ready && !is_busy) {
        is_busy = true;
        is_ours = dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "hipshim");
        is_busy = false;
    }
    if (!is_ours) {
        return false;
    }
    long number = atomic_fetch_add(&asked, 1) + 1;

    if (number == first || (has_all && first > 0 && number > first)) {
        errno = ENOMEM;
        return true;
    }
    return false;
}

#define SHORT is_short(__builtin_return_address(0))

void *malloc(size_t size)
{
    return SHORT ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return SHORT ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return SHORT ? NULL : __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    return SHORT ? NULL : __libc_realloc(memory, count * size);
}

static char *copy(const char *text, size_t length)
{
    char *result = __libc_malloc(length + 1);

    if (result) {
        memcpy(result, text, length);
        result[length] = '\0';
    }
    return result;
}

char *strdup(const char *text)
{
    return SHORT ? NULL : copy(text, strlen(text));
}

char *strndup(const char *text, size_t size)
{
    return SHORT ? NULL : copy(text, strnlen(text, size));
}

static int print(char **text, const char *format, va_list values)
{
    char room[8192];
    int length = vsnprintf(room, sizeof room, format, values);

    *text = copy(room, strlen(room));
    return length;
}

int vasprintf(char **text, const char *format, va_list values)
{
    return SHORT ? -1 : print(text, format, values);
}

int asprintf(char **text, const char *format, ...)
{
    va_list values;

    if (SHORT) {
        return -1;
    }
    va_start(values, format);
    int length = print(text, format, values);
    va_end(values);
    return length;
}
