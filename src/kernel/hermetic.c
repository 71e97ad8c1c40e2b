/* SPDX-License-Identifier: MIT */
/*
 * Determines from the texts of a compilation whether its result depends on more
 * than these texts: on files that they do not name, or on the time.
 *
 * A hit implies that the source passed these checks, so a hit does not repeat them.  Making the
 * checks stricter requires a new HS_CACHE_FORMAT.
 */
#include "kernel/kernel.h"

#include <string.h>

#include "base/c_lexer.h"
#include "base/compiler_inputs.h"

/*
 * Words that matter.  The operator ## may join them from parts, so the parts that the
 * texts have are noted, as the ranges of the word that they are equal to.
 */
enum word { DATE, TIME, TIMESTAMP, HAS_INCLUDE, HAS_INCLUDE_NEXT, HAS_EMBED, ASM, WORDS };
enum { LONGEST_WORD = 20 };

struct findings {
    bool has_part[WORDS][LONGEST_WORD][LONGEST_WORD + 1]; /* by first character, and length */
    bool has_operators;                                   /* # or ## in a macro */
    bool may_have_directive; /* of an assembler, if the texts have assembly */
    bool reads_hip;          /* includes a header of HIP's own */
    const char *refusal;     /* NULL, or why files may be read */
};

static const char *const word_texts[WORDS] = {
    [DATE] = "__DATE__",
    [TIME] = "__TIME__",
    [TIMESTAMP] = "__TIMESTAMP__",
    [HAS_INCLUDE] = "__has_include",
    [HAS_INCLUDE_NEXT] = "__has_include_next",
    [HAS_EMBED] = "__has_embed",
    [ASM] = "asm",
};

static void note_word(struct findings *findings, const char *text, size_t length)
{
    /* Most words are part of none of those above, which one search finds out. */
    static const char all[] = "__DATE__ __TIME__ __TIMESTAMP__ __has_include_next __has_embed asm";

    if (!memmem(all, sizeof all - 1, text, length)) {
        return;
    }
    for (int word = 0; word < WORDS; word++) {
        const char *whole = word_texts[word];
        size_t size = strlen(whole);

        for (size_t at = 0; at + length <= size; at++) {
            findings->has_part[word][at][length] |= memcmp(whole + at, text, length) == 0;
        }
    }
}

/* Whether the texts have the word, or the parts of it and an operator that could join them. */
static bool has_word(const struct findings *findings, enum word word)
{
    size_t size = strlen(word_texts[word]);
    bool reaches[LONGEST_WORD + 1] = {[0] = true};

    if (!findings->has_operators) {
        return findings->has_part[word][0][size];
    }
    for (size_t at = 0; at < size; at++) {
        for (size_t length = 1; reaches[at] && at + length <= size; length++) {
            reaches[at + length] |= findings->has_part[word][at][length];
        }
    }
    return reaches[size];
}

static bool is_hip_header(const char *name, size_t length)
{
    return length > 4 && strncmp(name, "hip/", 4) == 0 && !memmem(name, length, "..", 2);
}

/* Behind the name of an #include or the like. */
static void note_include(struct findings *findings, const hipshim_kernel_options_t *options,
                         struct hs_c_lexer *lexer, const struct hs_c_token *directive)
{
    const struct hs_c_source *source = lexer->source;

    if (!hs_c_token_is(source, directive, "include")) {
        findings->refusal = "it reads files by #include_next, #import or #embed";
        return;
    }
    struct hs_c_token token = hs_c_lexer_next_solid(lexer);
    const char *name = source->text + token.start + 1;
    size_t length = token.end - token.start - 2;

    if (token.kind == HS_C_HEADER_NAME && hs_kernel_options_give(options, name, length)) {
        return;
    }
    if (token.kind == HS_C_HEADER_NAME && is_hip_header(name, length)) {
        findings->reads_hip |= strncmp(name, HS_KERNEL_BUILT_IN, length) != 0;
    } else {
        findings->refusal = "its source includes headers that are not among `headers`";
    }
}

/*
 * Directives of an assembler, such as .incbin, begin with a point.  A number may have
 * one, but not in front of anything else.  A number as an escape may be any character.
 */
static bool may_have_directive(const char *literal, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++) {
        bool is_digit = literal[i + 1] >= '0' && literal[i + 1] <= '9';

        if ((literal[i] == '.' && !is_digit) ||
            (literal[i] == '\\' && literal[i + 1] && strchr("01234567xuNo", literal[i + 1]))) {
            return true;
        }
    }
    return false;
}

/* Behind the keyword.  Assembly that is not a literal may be computed by the compiler. */
static void note_assembly(struct findings *findings, const struct hs_c_lexer *lexer)
{
    struct hs_c_lexer ahead = *lexer;
    struct hs_c_token token;

    note_word(findings, "asm", 3);
    do {
        token = hs_c_lexer_next_solid(&ahead);
    } while (token.kind == HS_C_WORD || token.kind == HS_C_NEWLINE);
    if (hs_c_token_is(lexer->source, &token, "(")) {
        do {
            token = hs_c_lexer_next_solid(&ahead);
        } while (token.kind == HS_C_NEWLINE);
    }
    findings->may_have_directive |= token.kind != HS_C_LITERAL;
}

static bool is_assembly_keyword(const struct hs_c_source *source, const struct hs_c_token *token)
{
    return hs_c_token_is(source, token, "asm") || hs_c_token_is(source, token, "__asm") ||
           hs_c_token_is(source, token, "__asm__");
}

static void note_token(struct findings *findings, const hipshim_kernel_options_t *options,
                       struct hs_c_lexer *lexer, const struct hs_c_token *token, bool is_line_start)
{
    const char *text = lexer->source->text + token->start;
    size_t length = token->end - token->start;

    if (token->kind == HS_C_WORD) {
        note_word(findings, text, length);
        if (is_assembly_keyword(lexer->source, token)) {
            note_assembly(findings, lexer);
        }
    } else if (token->kind == HS_C_LITERAL) {
        findings->may_have_directive |= may_have_directive(text, length);
    } else if (token->kind == HS_C_PUNCTUATOR) {
        findings->has_operators |=
            !is_line_start && (*text == '#' || (text[0] == '%' && text[1] == ':'));
    } else if (token->kind == HS_C_DIRECTIVE && lexer->state == HS_C_AFTER_INCLUDE) {
        note_include(findings, options, lexer, token);
    }
}

static void inspect_form(struct findings *findings, const hipshim_kernel_options_t *options,
                         const char *text, bool trigraphs)
{
    struct hs_c_source source;
    struct hs_c_lexer lexer;
    struct hs_c_token token;

    if (!hs_c_source_make(&source, text, trigraphs)) {
        findings->refusal = "out of memory";
        return;
    }
    hs_c_lexer_begin(&lexer, &source);
    do {
        bool is_line_start = lexer.state == HS_C_AT_LINE_START;

        token = hs_c_lexer_next(&lexer);
        note_token(findings, options, &lexer, &token, is_line_start);
    } while (token.kind != HS_C_END);
    hs_c_source_free(&source);
}

/*
 * The options decide whether trigraphs are replaced, and a text with trigraphs has
 * different meanings with and without that.  It must be harmless in both.
 */
static void inspect_text(struct findings *findings, const hipshim_kernel_options_t *options,
                         const char *text)
{
    inspect_form(findings, options, text, false);
    if (strstr(text, "??")) {
        inspect_form(findings, options, text, true);
    }
}

/* Options and name expressions are texts, too: they may define or use macros. */
static void inspect(struct findings *findings, const hipshim_kernel_options_t *options)
{
    const char *text;

    inspect_text(findings, options, options->source);
    for (size_t i = 0; i < options->header_count; i++) {
        inspect_text(findings, options, options->headers[i].text);
    }
    for (size_t i = 0; i < options->option_count; i++) {
        inspect_text(findings, options, options->options[i]);
    }
    for (size_t i = 0; i < options->expression_count; i++) {
        inspect_text(findings, options, options->expressions[i]);
    }
    for (size_t i = 0; (text = hs_compiler_environment_options(i)) != NULL; i++) {
        inspect_text(findings, options, text);
    }
}

/* The reasons that a list of files removes. */
static const char *files_refusal(const struct findings *findings,
                                 const hipshim_kernel_options_t *options)
{
    if (findings->refusal) {
        return findings->refusal;
    }
    if (has_word(findings, HAS_INCLUDE) || has_word(findings, HAS_INCLUDE_NEXT) ||
        has_word(findings, HAS_EMBED)) {
        return "its source asks whether files exist";
    }
    if (has_word(findings, ASM) && (findings->may_have_directive || findings->has_operators)) {
        return "its assembly may read files";
    }
    return hs_compiler_options_may_read(options->options, options->option_count)
               ? "its options may name files"
               : NULL;
}

const char *hs_hermetic_refusal(const hipshim_kernel_options_t *options, bool *reads_hip)
{
    struct findings findings = {0};

    inspect(&findings, options);
    *reads_hip = findings.reads_hip;
    if (has_word(&findings, DATE) || has_word(&findings, TIME) || has_word(&findings, TIMESTAMP)) {
        return "its source has __DATE__, __TIME__ or __TIMESTAMP__";
    }
    return options->file_count > 0 ? NULL : files_refusal(&findings, options);
}
