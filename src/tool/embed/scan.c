/* SPDX-License-Identifier: MIT */
/*
 * hipshim embed: the text of a source as the preprocessor reads it when it looks
 * for directives, and where each character of that stands in the file.
 */
#include "tool/embed/embed.h"

#include <stdlib.h>
#include <string.h>

/* A backslash at the end of a line joins it with the next. */
static void join_lines(struct embed_plain *plain, const char *text)
{
    for (size_t i = 0; text[i]; i++) {
        if (text[i] == '\\' && text[i + 1] == '\n') {
            i++;
        } else if (text[i] == '\\' && text[i + 1] == '\r' && text[i + 2] == '\n') {
            i += 2;
        } else {
            plain->at[plain->size] = i;
            plain->text[plain->size++] = text[i];
        }
    }
    plain->text[plain->size] = '\0';
}

int embed_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

size_t embed_raw_string(const char *quote)
{
    char close[20]; /* `)`, at most 16 bytes, and the quote */
    size_t length = strcspn(quote + 1, "( )\\\t\n");
    const char *end;

    if (quote[1 + length] != '(' || length > 16) {
        return 0;
    }
    snprintf(close, sizeof close, ")%.*s\"", (int)length, quote + 1);
    end = strstr(quote + 1 + length, close);
    return end ? (size_t)(end - quote) + length + 2 : strlen(quote);
}

/* At the quote: whether an R before it, of no longer name, makes the string a raw one. */
static int is_raw(const char *text, size_t at)
{
    return at > 0 && text[at - 1] == 'R' &&
           (at == 1 || !embed_is_word(text[at - 2]) || strchr("uUL8", text[at - 2]));
}

/* A string, character constant or header's name: to its end or that of the line. */
static size_t quoted(const char *text, size_t at)
{
    size_t raw = text[at] == '"' && is_raw(text, at) ? embed_raw_string(text + at) : 0, i;

    if (raw || (text[at] == '\'' && at > 0 && embed_is_word(text[at - 1]))) {
        return raw ? raw : 1; /* 1'000 */
    }
    for (i = at + 1; text[i] && text[i] != text[at] && text[i] != '\n'; i++) {
        i += text[i] == '\\' && text[i + 1] && text[i + 1] != '\n';
    }
    return i - at + (text[i] == text[at]);
}

/* Comments become one blank each, and %: a #. */
static void drop_comments(struct embed_plain *plain)
{
    const char *text = plain->text;
    size_t out = 0, length;

    for (size_t i = 0; i < plain->size; i += length) {
        const char *end;
        char put = text[i];

        length = 1;
        if (text[i] == '/' && text[i + 1] == '/') {
            length = strcspn(text + i, "\n");
            put = ' ';
        } else if (text[i] == '/' && text[i + 1] == '*') {
            end = strstr(text + i + 2, "*/");
            length = end ? (size_t)(end - text) + 2 - i : plain->size - i;
            put = ' ';
        } else if (text[i] == '%' && text[i + 1] == ':') {
            length = 2;
            put = '#';
        } else if (text[i] == '"' || text[i] == '\'') {
            length = quoted(text, i);
            memmove(plain->text + out, text + i, length);
            memmove(plain->at + out, plain->at + i, length * sizeof *plain->at);
            out += length;
            continue;
        }
        plain->at[out] = plain->at[i];
        plain->text[out++] = put;
    }
    plain->text[out] = '\0';
    plain->size = out;
}

int embed_plain_make(struct embed_plain *plain, const char *text)
{
    plain->size = 0;
    plain->text = malloc(strlen(text) + 1);
    plain->at = malloc((strlen(text) + 1) * sizeof *plain->at);
    if (!plain->text || !plain->at) {
        embed_plain_free(plain);
        return -1;
    }
    join_lines(plain, text);
    drop_comments(plain);
    return 0;
}

void embed_plain_free(struct embed_plain *plain)
{
    free(plain->text);
    free(plain->at);
    plain->text = NULL;
    plain->at = NULL;
}

static size_t blanks(const char *text)
{
    return strspn(text, " \t\v\f\r");
}

/* A directive's operand, a name in quotes or <>; 0 if it is something else. */
static int read_name(const char *text, size_t at, struct embed_include *include)
{
    char close = text[at] == '"' ? '"' : '>';
    size_t length;

    if (text[at] != '"' && text[at] != '<') {
        return 0;
    }
    length = strcspn(text + at + 1, close == '"' ? "\"\n" : ">\n");
    if (text[at + 1 + length] != close) {
        return 0;
    }
    include->open = at;
    include->close = at + 1 + length;
    return 1;
}

enum embed_found embed_plain_next(const struct embed_plain *plain, size_t *from,
                                  struct embed_include *include)
{
    const char *text = plain->text;

    while (text[*from]) {
        size_t at = *from + blanks(text + *from), length;

        *from += strcspn(text + *from, "\n");
        *from += text[*from] == '\n';
        if (text[at] != '#') {
            continue;
        }
        at += 1 + blanks(text + at + 1);
        for (length = 0; embed_is_word(text[at + length]); length++) {
        }
        if ((length == 7 && memcmp(text + at, "include", 7) == 0) ||
            (length == 6 && memcmp(text + at, "import", 6) == 0)) {
            at += length;
            at += blanks(text + at);
            return read_name(text, at, include) ? EMBED_INCLUDE : EMBED_UNKNOWN;
        }
        if (length == 12 && memcmp(text + at, "include_next", 12) == 0) {
            return EMBED_UNKNOWN;
        }
    }
    return EMBED_END;
}
