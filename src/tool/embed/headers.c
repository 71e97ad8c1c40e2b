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
#include "base/program.h"
#include "base/read.h"

struct scan {
    struct embed_request *request;
    struct embed_source *source;
};

static bool scan_text(const struct scan *scan, const char *path, const char *text,
                      char **rewritten);

/* Looks in the directory of the file `from`, unless that is NULL, and then in those of -I. */
static char *locate(const struct scan *scan, const char *from, const char *name, char **text)
{
    const struct hs_words *directories = &scan->request->directories;
    char path[TOOL_PATH_ROOM];
    size_t size;

    for (size_t i = 0; i <= directories->count; i++) {
        if (*name == '/' && i == 0) {
            snprintf(path, sizeof path, "%s", name);
        } else if (i > 0) {
            snprintf(path, sizeof path, "%s/%s", directories->items[i - 1], name);
        } else if (from) {
            snprintf(path, sizeof path, "%.*s%s", (int)(hs_program_base(from) - from), from, name);
        } else {
            continue;
        }
        *text = hs_read_file(path, &size);
        if (*text) {
            return strdup(path);
        }
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
static bool add_header(const struct scan *scan, const char *path, const char *file, char **text)
{
    struct embed_source *source = scan->source;
    size_t number = source->header_files.count;
    char *name = NULL, *rewritten = NULL;

    if (source->was_cuda && !embed_from_cuda(scan->request, path, text)) {
        return false;
    }
    if (asprintf(&name, "hipshim-%zu/%s", number, hs_program_base(file)) < 0) {
        return tool_fail("out of memory");
    }
    bool done =
        tool_list_add(&source->header_names, name) && tool_list_add(&source->header_paths, path) &&
        (tool_list_has(&scan->request->inputs, path) ||
         tool_list_add(&scan->request->inputs, path)) &&
        tool_list_add(&source->header_files, file) && tool_list_add(&source->header_texts, "") &&
        scan_text(scan, path, *text, &rewritten);
    if (done) {
        free(source->header_texts.items[number]);
        source->header_texts.items[number] = with_line(path, rewritten);
        done = source->header_texts.items[number] || tool_fail("out of memory");
    }
    free(name);
    free(rewritten);
    return done;
}

/* Writes the new name of a header; nothing if the header is not found. */
static bool include(const struct scan *scan, const char *from, const char *name, FILE *out,
                    bool *is_renamed)
{
    struct embed_source *source = scan->source;
    char *text = NULL, *path, *file;
    size_t number;
    bool done = true;

    *is_renamed = false;
    if (strncmp(name, "hip/", 4) == 0) {
        return true; /* HIP's own headers belong to the release */
    }
    path = locate(scan, from, name, &text);
    file = path ? realpath(path, NULL) : NULL;
    if (!file) {
        source->may_read_other_files = true;
    } else {
        number = find_file(source, file);
        done = number < source->header_files.count || add_header(scan, path, file, &text);
        if (done) {
            fprintf(out, "\"%s\"", source->header_names.items[number]);
            *is_renamed = true;
        }
    }
    free(file);
    free(path);
    free(text);
    return done;
}

/*
 * Handles the #include or #import whose name has just been read.  `done` is the end
 * of the text that was written to `out`.
 */
static bool scan_include(const struct scan *scan, const char *path, const char *text,
                         const struct hs_c_source *source, const struct hs_c_token *token,
                         size_t *done, FILE *out)
{
    size_t start = source->at[token->start], end = source->at[token->end - 1] + 1;
    const char *from = source->text[token->start] == '"' ? path : NULL;
    char *name = strndup(source->text + token->start + 1, token->end - token->start - 2);
    bool is_renamed;

    if (!name) {
        return tool_fail("out of memory");
    }
    fwrite(text + *done, 1, start - *done, out);
    bool is_found = include(scan, from, name, out, &is_renamed);

    *done = is_renamed ? end : start;
    free(name);
    return is_found;
}

static bool scan_directives(const struct scan *scan, const char *path, const char *text,
                            const struct hs_c_source *source, FILE *out)
{
    struct hs_c_lexer lexer;
    struct hs_c_token token;
    size_t done = 0;
    bool is_good = true;

    if (strstr(source->text, "__has_include") || strstr(source->text, "__has_embed") ||
        strcasestr(source->text, "incbin") || strcasestr(source->text, ".include")) {
        scan->source->may_read_other_files = true;
    }
    hs_c_lexer_begin(&lexer, source);
    while (is_good && (token = hs_c_lexer_next(&lexer)).kind != HS_C_END) {
        if (token.kind != HS_C_DIRECTIVE || lexer.state != HS_C_AFTER_INCLUDE) {
            continue;
        }
        bool is_next =
            hs_c_token_is(source, &token, "include_next") || hs_c_token_is(source, &token, "embed");

        token = hs_c_lexer_next_solid(&lexer);
        if (is_next || token.kind != HS_C_HEADER_NAME) {
            /* A macro names the header, the place depends on this file's own, or it is no header.
             */
            scan->source->may_read_other_files = true;
        } else {
            is_good = scan_include(scan, path, text, source, &token, &done, out);
        }
    }
    fputs(text + done, out);
    return is_good;
}

/* Sets `rewritten` to the text with the new names of headers, from malloc. */
static bool scan_text(const struct scan *scan, const char *path, const char *text, char **rewritten)
{
    struct hs_c_source source;
    size_t size;
    FILE *out = open_memstream(rewritten, &size);

    if (!out || !hs_c_source_make(&source, text, false)) {
        if (out) {
            fclose(out);
        }
        return tool_fail("out of memory");
    }
    bool done = scan_directives(scan, path, text, &source, out);

    hs_c_source_free(&source);
    return (fclose(out) == 0 || tool_fail("out of memory")) && done;
}

bool embed_headers(struct embed_request *request, struct embed_source *source)
{
    const struct scan scan = {request, source};

    return scan_text(&scan, source->path, source->text, &source->rewritten_text);
}
