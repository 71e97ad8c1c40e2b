/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The length of comgr's temporary directory in a path such as
 * "/tmp/comgr-1e9a33/input/axpy.hip"; 0 if it is another path.
 */
static size_t comgr_directory(const char *path)
{
    static const char *const below[] = {"/input/", "/include/"};
    size_t length_of_path = strcspn(path, " \t\n:\"'");
    const char *comgr = memmem(path, length_of_path, "/comgr-", 7);
    const char *end = path + length_of_path;
    const char *rest = comgr ? memchr(comgr + 1, '/', (size_t)(end - comgr - 1)) : NULL;

    for (size_t i = 0; rest && i < sizeof below / sizeof below[0]; i++) {
        size_t length = strlen(below[i]);

        if ((size_t)(end - rest) > length && memcmp(rest, below[i], length) == 0) {
            return (size_t)(rest - path) + length;
        }
    }
    return 0;
}

/* The length of the source's name there, "CompileSource" on HIP 5.2; 0 for another file. */
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

    if (!stream) {
        return NULL;
    }
    for (const char *at = log; *at; at++) {
        size_t skipped =
            *at == '/' && (at == log || strchr(" \t\n\"'(", at[-1])) ? comgr_directory(at) : 0;
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
    bool failed = ferror(stream) != 0;

    if (fclose(stream) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
