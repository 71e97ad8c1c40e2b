/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What comgr has below its temporary directory, "/tmp/comgr-1e9a33/input/axpy.hip":
 * how many bytes of the path are comgr's, 0 if it is another path.
 */
static size_t comgrs_part(const char *path)
{
    static const char *const below[] = {"/input/", "/include/"};
    size_t all = strcspn(path, " \t\n:\"'");
    const char *own = memmem(path, all, "/comgr-", 7);
    const char *rest = own ? memchr(own + 1, '/', (size_t)(path + all - own - 1)) : NULL;

    for (size_t i = 0; rest && i < sizeof below / sizeof below[0]; i++) {
        size_t length = strlen(below[i]);

        if ((size_t)(path + all - rest) > length && memcmp(rest, below[i], length) == 0) {
            return (size_t)(rest - path) + length;
        }
    }
    return 0;
}

/* The source's own name there, "CompileSource" on HIP 5.2; its length, or 0. */
static size_t source_name(const char *path, const char *inner)
{
    static const char fixed[] = "CompileSource";
    size_t length = strlen(inner);

    if (length > 0 && strncmp(path, inner, length) == 0) {
        return length;
    }
    return strncmp(path, fixed, sizeof fixed - 1) == 0 ? sizeof fixed - 1 : 0;
}

char *hs_log_paths_rename(const char *log, const char *inner, const char *name)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    int failed;

    if (!stream) {
        return NULL;
    }
    for (const char *at = log; *at; at++) {
        size_t skipped =
            *at == '/' && (at == log || strchr(" \t\n\"'(", at[-1])) ? comgrs_part(at) : 0;
        if (skipped == 0) {
            putc(*at, stream);
            continue;
        }
        at += skipped;
        skipped = source_name(at, inner);
        fputs(skipped ? name : "", stream);
        at += skipped;
        at--;
    }
    failed = ferror(stream);
    if (fclose(stream) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
