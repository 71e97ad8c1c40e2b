/* SPDX-License-Identifier: MIT */
/*
 * hipshim embed: the headers that sources include.
 *
 * Conditions are not evaluated: what a source may include counts.  That may
 * compile something once too often, never once too rarely.
 */
#include "tool_embed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    struct embed_request *request;
    struct embed_source *source;
};

static int scan_text(const struct scan *scan, const char *path, const char *text);

/* In the directory of the file `from' (if not NULL) and then in those of -I. */
static char *locate(const struct scan *scan, const char *from, const char *name, char **text)
{
    const char *slash = from ? strrchr(from, '/') : NULL;
    char *path = NULL;
    size_t size;

    for (size_t i = 0; i <= scan->request->directories.count; i++) {
        int written;

        if (i > 0) {
            written = asprintf(&path, "%s/%s", scan->request->directories.items[i - 1], name);
        } else if (from) {
            written = asprintf(&path, "%.*s%s", slash ? (int)(slash - from) + 1 : 0, from, name);
        } else {
            continue;
        }
        if (written < 0) {
            return NULL;
        }
        *text = embed_read(path, &size);
        if (*text) {
            return path;
        }
        free(path);
    }
    return NULL;
}

/* Whether the file is there already: by any name, or by this one. */
static int seen(const struct embed_source *source, const char *name, const char *file)
{
    for (size_t i = 0; i < source->header_files.count; i++) {
        if (strcmp(source->header_files.items[i], file) == 0 &&
            (!name || strcmp(source->header_names.items[i], name) == 0)) {
            return 1;
        }
    }
    return 0;
}

static int include(const struct scan *scan, const char *from, const char *name)
{
    struct embed_source *source = scan->source;
    char *text = NULL, *path = locate(scan, from, name, &text);
    char *file = path ? realpath(path, NULL) : NULL; /* headers that include each other by ".." */
    int result = 0, is_new;

    if (!file) {
        free(path);
        free(text);
        source->unknown_headers |= strncmp(name, "hip/", 4) != 0;
        return 0;
    }
    if (!seen(source, name, file)) {
        is_new = !seen(source, NULL, file);
        if (source->was_cuda && embed_from_cuda(scan->request, path, &text) != 0) {
            result = -1;
        } else if (embed_list_add(&source->header_names, name) != 0 ||
                   embed_list_add(&source->header_paths, path) != 0 ||
                   embed_list_add(&source->header_files, file) != 0 ||
                   embed_list_add(&source->header_texts, text) != 0) {
            result = embed_complain(scan->request, "out of memory");
        } else if (is_new) {
            result = scan_text(scan, path, text);
        }
    }
    free(file);
    free(path);
    free(text);
    return result;
}

static int scan_text(const struct scan *scan, const char *path, const char *text)
{
    int result = 0;

    for (const char *at = text; result == 0 && *at; at += *at == '\n') {
        at += strspn(at, " \t");
        if (*at == '#') {
            at += 1 + strspn(at + 1, " \t");
            if (strncmp(at, "include", 7) == 0) {
                size_t length;
                char *name;

                at += 7 + strspn(at + 7, " \t");
                length = strcspn(at + (*at != '\0'), "\">\n");
                name = strchr("\"<", *at) && *at ? strndup(at + 1, length) : NULL;
                if (name) {
                    result = include(scan, *at == '"' ? path : NULL, name);
                } else {
                    scan->source->unknown_headers = 1; /* by a macro */
                }
                free(name);
            }
        }
        at += strcspn(at, "\n");
    }
    return result;
}

int embed_headers(struct embed_request *request, struct embed_source *source)
{
    const struct scan scan = {request, source};

    return scan_text(&scan, source->path, source->text);
}
