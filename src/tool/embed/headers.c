/* SPDX-License-Identifier: MIT */
/*
 * Finds the headers that sources include.
 *
 * Conditions are not evaluated, so a header counts even in an #if that is false.
 * That may compile a source once too often, but never serves an outdated one.
 *
 * A header that travels with its source gets a name of its own, and the includes
 * are changed to that.  Two directories may have a "detail.h" each, and a name with
 * ".." would lead out of the compiler's temporary directory.
 */
#include "tool/embed/embed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_lexer.h"
#include "base/read.h"

struct scan {
    struct embed_request *request;
    struct embed_source *source;
};

static int scan_text(const struct scan *scan, const char *path, const char *text, char **lent);

/* Looks in the directory of the file `from`, unless that is NULL, and then in those of -I. */
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
        *text = hs_read_file(path, &size);
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

/* Adds the path for messages, unless it would need escapes. */
static char *with_line(const char *path, const char *text)
{
    char *whole = NULL;

    if (strpbrk(path, "\"\\\n")) {
        return strdup(text);
    }
    return asprintf(&whole, "#line 1 \"%s\"\n%s", path, text) < 0 ? NULL : whole;
}

/* Adds a new header.  Its text comes last, because it depends on the headers that it includes. */
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

/* Writes the new name of a header; nothing if the header is not found. */
static int include(const struct scan *scan, const char *from, const char *name, FILE *out,
                   int *is_lent)
{
    struct embed_source *source = scan->source;
    char *text = NULL, *path, *file;
    size_t number;
    int result = 0;

    *is_lent = 0;
    if (strncmp(name, "hip/", 4) == 0) {
        return 0; /* HIP's own headers belong to the release */
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

/*
 * Handles the #include or #import whose name has just been read.  `done` is the end
 * of the text that was written to `out`.
 */
static int scan_include(const struct scan *scan, const char *path, const char *text,
                        const struct hs_c_source *source, const struct hs_c_token *token,
                        size_t *done, FILE *out)
{
    size_t start = source->at[token->start], end = source->at[token->end - 1] + 1;
    const char *from = source->text[token->start] == '"' ? path : NULL;
    char *name = strndup(source->text + token->start + 1, token->end - token->start - 2);
    int is_lent;

    if (!name) {
        return embed_complain(scan->request, "out of memory");
    }
    fwrite(text + *done, 1, start - *done, out);
    int result = include(scan, from, name, out, &is_lent);

    *done = is_lent ? end : start;
    free(name);
    return result;
}

static int scan_directives(const struct scan *scan, const char *path, const char *text,
                           const struct hs_c_source *source, FILE *out)
{
    struct hs_c_lexer lexer;
    struct hs_c_token token;
    size_t done = 0;
    int result = 0;

    if (strstr(source->text, "__has_include") || strstr(source->text, "__has_embed") ||
        strcasestr(source->text, "incbin") || strcasestr(source->text, ".include")) {
        scan->source->unknown_headers = scan->request->unsure = 1;
    }
    hs_c_lexer_begin(&lexer, source);
    while (result == 0 && (token = hs_c_lexer_next(&lexer)).kind != HS_C_END) {
        if (token.kind != HS_C_DIRECTIVE || lexer.state != HS_C_BEHIND_INCLUDE) {
            continue;
        }
        bool is_next =
            hs_c_token_is(source, &token, "include_next") || hs_c_token_is(source, &token, "embed");

        token = hs_c_lexer_next_solid(&lexer);
        if (is_next || token.kind != HS_C_HEADER_NAME) {
            /* A macro names the header, the place depends on this file's own, or it is no header.
             */
            scan->source->unknown_headers = scan->request->unsure = 1;
        } else {
            result = scan_include(scan, path, text, source, &token, &done, out);
        }
    }
    fputs(text + done, out);
    return result;
}

/* Sets `lent` to the text with the new names of headers, from malloc. */
static int scan_text(const struct scan *scan, const char *path, const char *text, char **lent)
{
    struct hs_c_source source;
    size_t size;
    FILE *out = open_memstream(lent, &size);
    int result;

    if (!out || !hs_c_source_make(&source, text, false)) {
        if (out) {
            fclose(out);
        }
        return embed_complain(scan->request, "out of memory");
    }
    result = scan_directives(scan, path, text, &source, out);
    hs_c_source_free(&source);
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
