/* SPDX-License-Identifier: MIT */
#include "base/c_lexer.h"

#include <stdlib.h>
#include <string.h>

/* The standard allows 16 characters between the quote and the parenthesis of R"x(. */
enum { RAW_DELIMITER = 16 };

/* The character at `text`, and how many characters of the original it takes. */
static char read_character(const char *text, bool trigraphs, size_t *length)
{
    static const char codes[] = "=/'()!<>-", meanings[] = "#\\^[]|{}~";
    const char *code =
        trigraphs && text[0] == '?' && text[1] == '?' && text[2] ? strchr(codes, text[2]) : NULL;

    *length = code ? 3 : 1;
    return *(code ? &meanings[code - codes] : text);
}

/* The length of a backslash with the end of its line; compilers allow blanks between them. */
static size_t splice_length(const char *text, bool trigraphs)
{
    size_t length;

    if (read_character(text, trigraphs, &length) != '\\') {
        return 0;
    }
    length += strspn(text + length, " \t\v\f");
    length += text[length] == '\r';
    return text[length] == '\n' ? length + 1 : text[length - 1] == '\r' ? length : 0;
}

bool hs_c_source_make(struct hs_c_source *source, const char *original, bool trigraphs)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    size_t room = strlen(original) + 1, length;

    source->size = 0;
    source->text = malloc(room);
    source->at = malloc(room * sizeof *source->at);
    if (!source->text || !source->at) {
        hs_c_source_free(source);
        return false;
    }
    size_t i = strncmp(original, byte_order_mark, 3) == 0 ? 3 : 0;

    for (; original[i]; i += length) {
        length = splice_length(original + i, trigraphs);
        if (length == 0) {
            source->at[source->size] = i;
            source->text[source->size++] = read_character(original + i, trigraphs, &length);
        }
    }
    source->text[source->size] = '\0';
    source->at[source->size] = i;
    return true;
}

void hs_c_source_free(struct hs_c_source *source)
{
    free(source->text);
    free(source->at);
    source->text = NULL;
    source->at = NULL;
}

bool hs_c_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The lengths of tokens are measured from their first character. */

static size_t comment_length(const char *at)
{
    if (strncmp(at, "//", 2) == 0) {
        return strcspn(at, "\r\n");
    }
    const char *end = strstr(at + 2, "*/");

    return end ? (size_t)(end - at) + 2 : strlen(at);
}

/* The digit separator of 1'000 is part of the number. */
static size_t number_length(const char *at)
{
    size_t length = 1;

    while (hs_c_is_word(at[length]) || at[length] == '.' ||
           (at[length] == '\'' && hs_c_is_word(at[length + 1])) ||
           (strchr("+-", at[length]) && at[length] && strchr("eEpP", at[length - 1]))) {
        length++;
    }
    return length;
}

/* To the closing quote; without one, to the end of the line. */
static size_t quoted_length(const char *at)
{
    size_t length = 1;

    while (at[length] && at[length] != *at && !strchr("\r\n", at[length])) {
        length += at[length] == '\\' && at[length + 1] && !strchr("\r\n", at[length + 1]) ? 2 : 1;
    }
    return length + (at[length] == *at);
}

/* The length of a raw string from its quote on; 0 if it is not a raw string. */
static size_t raw_length(const char *quote)
{
    char close[RAW_DELIMITER + 3];
    size_t delimiter = strcspn(quote + 1, "( )\\\t\r\n");

    if (quote[1 + delimiter] != '(' || delimiter > RAW_DELIMITER) {
        return 0;
    }
    close[0] = ')';
    memcpy(close + 1, quote + 1, delimiter);
    memcpy(close + 1 + delimiter, "\"", 2);
    const char *end = strstr(quote + 2 + delimiter, close);

    return end ? (size_t)(end - quote) + delimiter + 2 : strlen(quote);
}

/* The length of a literal with the prefix of that length; 0 if it is no literal. */
static size_t literal_length(const char *at, size_t prefix)
{
    static const char *const prefixes[] = {"", "L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"};
    size_t i = 0;

    if (at[prefix] != '"' && at[prefix] != '\'') {
        return 0;
    }
    while (i < sizeof prefixes / sizeof prefixes[0] &&
           (strlen(prefixes[i]) != prefix || strncmp(prefixes[i], at, prefix) != 0)) {
        i++;
    }
    if (i == sizeof prefixes / sizeof prefixes[0]) {
        return 0;
    }
    bool is_raw = prefix > 0 && at[prefix - 1] == 'R' && at[prefix] == '"';
    size_t raw = is_raw ? raw_length(at + prefix) : 0;

    return prefix + (raw ? raw : quoted_length(at + prefix));
}

static size_t header_name_length(const char *at)
{
    const char *close = *at == '<' ? ">\r\n" : "\"\r\n";
    size_t length = 1 + strcspn(at + 1, close);

    return (*at == '<' || *at == '"') && at[length] == *close ? length + 1 : 0;
}

static size_t word_length(const char *at)
{
    size_t length = 0;

    while (hs_c_is_word(at[length])) {
        length++;
    }
    return length;
}

/* The length of a token of a line that is neither blank nor a comment. */
static size_t solid_length(const char *at, enum hs_c_kind *kind)
{
    size_t word = is_digit(*at) || (*at == '.' && is_digit(at[1])) ? 0 : word_length(at);
    size_t literal = literal_length(at, word);

    if (literal) {
        *kind = HS_C_LITERAL;
        return literal;
    }
    if (word) {
        *kind = HS_C_WORD;
        return word;
    }
    if (is_digit(*at) || (*at == '.' && is_digit(at[1]))) {
        *kind = HS_C_NUMBER;
        return number_length(at);
    }
    *kind = HS_C_PUNCTUATOR;
    return 1;
}

void hs_c_lexer_begin(struct hs_c_lexer *lexer, const struct hs_c_source *source)
{
    *lexer = (struct hs_c_lexer){.source = source, .state = HS_C_AT_LINE_START};
}

/* Sets the kind of a token of a line, by the tokens before it; returns its length. */
static size_t directive_length(struct hs_c_lexer *lexer, const char *at, struct hs_c_token *token)
{
    size_t length = solid_length(at, &token->kind), name = header_name_length(at);

    if (lexer->state == HS_C_AT_LINE_START && (*at == '#' || strncmp(at, "%:", 2) == 0)) {
        lexer->state = HS_C_BEHIND_HASH;
        return *at == '#' ? 1 : 2;
    }
    if (lexer->state == HS_C_BEHIND_HASH && token->kind == HS_C_WORD) {
        token->kind = HS_C_DIRECTIVE;
        token->end = token->start + length;
        bool takes_name = hs_c_token_is(lexer->source, token, "include") ||
                          hs_c_token_is(lexer->source, token, "include_next") ||
                          hs_c_token_is(lexer->source, token, "import") ||
                          hs_c_token_is(lexer->source, token, "embed");

        lexer->state = takes_name ? HS_C_AFTER_INCLUDE : HS_C_IN_LINE;
        return length;
    }
    if (lexer->state == HS_C_AFTER_INCLUDE && name) {
        token->kind = HS_C_HEADER_NAME;
        length = name;
    }
    lexer->state = HS_C_IN_LINE;
    return length;
}

struct hs_c_token hs_c_lexer_next(struct hs_c_lexer *lexer)
{
    const char *at = lexer->source->text + lexer->next;
    struct hs_c_token token = {.start = lexer->next};
    size_t length = strspn(at, " \t\v\f");

    if (!*at) {
        token.kind = HS_C_END;
    } else if (length) {
        token.kind = HS_C_BLANK;
    } else if (*at == '\n' || *at == '\r') {
        token.kind = HS_C_NEWLINE;
        lexer->state = HS_C_AT_LINE_START;
        length = 1;
    } else if (*at == '/' && (at[1] == '/' || at[1] == '*')) {
        token.kind = HS_C_COMMENT;
        length = comment_length(at);
    } else {
        length = directive_length(lexer, at, &token);
    }
    lexer->next += length;
    token.end = lexer->next;
    return token;
}

struct hs_c_token hs_c_lexer_next_solid(struct hs_c_lexer *lexer)
{
    struct hs_c_token token;

    do {
        token = hs_c_lexer_next(lexer);
    } while (token.kind == HS_C_BLANK || token.kind == HS_C_COMMENT);
    return token;
}

bool hs_c_token_is(const struct hs_c_source *source, const struct hs_c_token *token,
                   const char *text)
{
    size_t length = strlen(text);

    return token->end - token->start == length &&
           memcmp(source->text + token->start, text, length) == 0;
}
