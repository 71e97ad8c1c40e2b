/* SPDX-License-Identifier: MIT */
/*
 * Splits a text in C or C++ into preprocessing tokens, as far as is needed to
 * find directives, names of headers and identifiers, and to leave comments and
 * literals alone.  Nothing is expanded, and conditions are not evaluated.
 *
 * The parts of a text that do not compile still become tokens of some kind.
 */
#ifndef HIPSHIM_SRC_BASE_C_LEXER_H
#define HIPSHIM_SRC_BASE_C_LEXER_H

#include <stdbool.h>
#include <stddef.h>

/* A text whose lines that end in a backslash are joined with the next. */
struct hs_c_source {
    char *text;
    size_t size;
    size_t *at; /* the place of each character in the original; at[size] is its length */
};

/* With `trigraphs`, these are replaced first.  False without memory. */
bool hs_c_source_make(struct hs_c_source *source, const char *original, bool trigraphs);
void hs_c_source_free(struct hs_c_source *source);

enum hs_c_kind {
    HS_C_END,
    HS_C_BLANK,
    HS_C_NEWLINE,
    HS_C_COMMENT,
    HS_C_DIRECTIVE,   /* the name of a directive, without the # */
    HS_C_HEADER_NAME, /* <...> or "..." after an include, import or embed directive */
    HS_C_WORD,        /* an identifier or keyword */
    HS_C_NUMBER,
    HS_C_LITERAL,    /* a string or character constant, with its prefix */
    HS_C_PUNCTUATOR, /* any other character */
};

/* A range of source.text; the end is the first character after it. */
struct hs_c_token {
    enum hs_c_kind kind;
    size_t start, end;
};

struct hs_c_lexer {
    const struct hs_c_source *source;
    size_t next;
    enum { HS_C_IN_LINE, HS_C_AT_LINE_START, HS_C_BEHIND_HASH, HS_C_AFTER_INCLUDE } state;
};

void hs_c_lexer_begin(struct hs_c_lexer *lexer, const struct hs_c_source *source);

/* The next token; of the kind HS_C_END at the end. */
struct hs_c_token hs_c_lexer_next(struct hs_c_lexer *lexer);

/* The same, but without blanks and comments. */
struct hs_c_token hs_c_lexer_next_solid(struct hs_c_lexer *lexer);

bool hs_c_token_is(const struct hs_c_source *source, const struct hs_c_token *token,
                   const char *text);

/* Whether a character can be part of an identifier or number. */
bool hs_c_is_word(char c);

#endif
