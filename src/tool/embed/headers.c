/* SPDX-License-Identifier: MIT */
/*
 * hipshim embed: the headers that sources include.
 *
 * Conditions are not evaluated: what a source may include counts.  That may
 * compile something once too often, never once too rarely.
 *
 * Where headers travel with their source, each has a name of its own, and the
 * includes say that: two directories may have a "detail.h" each, and a name with
 * ".." would be a file outside the compiler's own directory.
 */
#include "tool/embed/embed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    struct embed_request *request;
    struct embed_source *source;
};

static int scan_text(const struct scan *scan, const char *path, const char *text, char **lent);

/* In the directory of the file `from' (if not NULL) and then in those of -I. */
static char *locate(const struct scan *scan, const char *from, const char *name, char **text)
{
    const char *slash = from ? strrchr(from, '/') : NULL;
    char *path = NULL;
    size_t size;

    for (size_t i = 0; i <= scan->request->directories.count; i++) {
        int written;

        if (*name == '/' && i == 0) {
            written = asprintf(&path, "%s", name);
        } else if (i > 0) {
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

static size_t find_file(const struct embed_source *source, const char *file)
{
    size_t i = 0;

    while (i < source->header_files.count && strcmp(source->header_files.items[i], file) != 0) {
        i++;
    }
    return i;
}

/* With its path for messages, unless that would need escapes. */
static char *with_line(const char *path, const char *text)
{
    char *whole = NULL;

    if (strpbrk(path, "\"\\\n")) {
        return strdup(text);
    }
    return asprintf(&whole, "#line 1 \"%s\"\n%s", path, text) < 0 ? NULL : whole;
}

/* A header that was not met before; its text is settled once its own includes are. */
static int add_header(const struct scan *scan, const char *path, const char *file, char **text)
{
    struct embed_source *source = scan->source;
    size_t number = source->header_files.count;
    const char *slash = strrchr(file, '/');
    char *name = NULL, *lent = NULL;
    int result = 0;

    if (source->was_cuda && embed_from_cuda(scan->request, path, text) != 0) {
        return -1;
    }
    if (asprintf(&name, "hipshim-%zu/%s", number, slash ? slash + 1 : file) < 0 ||
        embed_list_add(&source->header_names, name) != 0 ||
        embed_list_add(&source->header_paths, path) != 0 ||
        embed_list_add(&source->header_files, file) != 0 ||
        embed_list_add(&source->header_texts, "") != 0) {
        result = embed_complain(scan->request, "out of memory");
    } else {
        result = scan_text(scan, path, *text, &lent);
    }
    if (result == 0) {
        free(source->header_texts.items[number]);
        source->header_texts.items[number] = lent ? with_line(path, lent) : NULL;
        result =
            source->header_texts.items[number] ? 0 : embed_complain(scan->request, "out of memory");
    }
    free(name);
    free(lent);
    return result;
}

/* Writes the name to include instead, or nothing where it is not found. */
static int include(const struct scan *scan, const char *from, const char *name, FILE *out,
                   int *is_lent)
{
    struct embed_source *source = scan->source;
    char *text = NULL, *path, *file;
    size_t number;
    int result = 0;

    *is_lent = 0;
    if (strncmp(name, "hip/", 4) == 0) {
        return 0; /* is the compiler's own, of its release */
    }
    path = locate(scan, from, name, &text);
    file = path ? realpath(path, NULL) : NULL;
    if (!file) {
        source->unknown_headers = 1;
    } else {
        number = find_file(source, file);
        result = number < source->header_files.count ? 0 : add_header(scan, path, file, &text);
        if (result == 0) {
            fprintf(out, "\"%s\"", source->header_names.items[number]);
            *is_lent = 1;
        }
    }
    free(file);
    free(path);
    free(text);
    return result;
}

static int scan_directives(const struct scan *scan, const char *path, const char *text,
                           const struct embed_plain *plain, FILE *out)
{
    struct embed_include found;
    size_t from = 0, done = 0;
    enum embed_found what;
    int result = 0, is_lent;

    while (result == 0 && (what = embed_plain_next(plain, &from, &found)) != EMBED_END) {
        size_t open = plain->at[found.open], close = plain->at[found.close];
        char *name;

        if (what == EMBED_UNKNOWN) {
            scan->source->unknown_headers = scan->request->unsure = 1;
            continue;
        }
        name = strndup(plain->text + found.open + 1, found.close - found.open - 1);
        if (!name) {
            return embed_complain(scan->request, "out of memory");
        }
        fwrite(text + done, 1, open - done, out);
        result = include(scan, plain->text[found.open] == '"' ? path : NULL, name, out, &is_lent);
        done = is_lent ? close + 1 : open;
        free(name);
    }
    fputs(text + done, out);
    return result;
}

/* Sets `lent' to the text with the headers' new names, from malloc. */
static int scan_text(const struct scan *scan, const char *path, const char *text, char **lent)
{
    struct embed_plain plain;
    size_t size;
    FILE *out = open_memstream(lent, &size);
    int result;

    if (!out || embed_plain_make(&plain, text) != 0) {
        if (out) {
            fclose(out);
        }
        return embed_complain(scan->request, "out of memory");
    }
    result = scan_directives(scan, path, text, &plain, out);
    embed_plain_free(&plain);
    if (fclose(out) != 0 && result == 0) {
        result = embed_complain(scan->request, "out of memory");
    }
    return result;
}

int embed_headers(struct embed_request *request, struct embed_source *source)
{
    const struct scan scan = {request, source};

    return scan_text(&scan, source->path, source->text, &source->lent_text);
}
