/* SPDX-License-Identifier: MIT */
/*
 * Determines from the texts of a compilation whether it may read files.
 */
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/c_lexer.h"

static bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* True unless the option is known to name no file. */
static bool option_may_read(const char *option)
{
    static const char *const harmless[] = {"-D", "-U",     "-O",        "-std=",
                                           "-g", "--std=", "-pedantic", "--gpu-max-threads",
                                           "-w", "-ansi",  "-nogpuinc", "--cuda-device-only"};
    static const char *const file_words[] = {"plugin", "profile", "module", "list", "file",
                                             "path",   "dir",     "llvm",   "link", "/"};

    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
        if (starts_with(option, harmless[i])) {
            return false;
        }
    }
    /* -f..., -m... and -W... are harmless, unless a word in them names files. */
    if (option[0] != '-' || !option[1] || !strchr("fmW", option[1]) || strchr(option, ',')) {
        return true;
    }
    for (size_t i = 0; i < sizeof file_words / sizeof file_words[0]; i++) {
        if (strstr(option, file_words[i])) {
            return true;
        }
    }
    return false;
}

/* Whether a header is among those given, or HIP's own, which belongs to the release. */
static bool is_known_header(const hipshim_kernel_options_t *options, const char *name,
                            size_t length)
{
    for (size_t i = 0; i < options->header_count; i++) {
        const char *given = options->headers[i].name;

        if (strlen(given) == length && memcmp(given, name, length) == 0) {
            return true;
        }
    }
    return length > 4 && starts_with(name, "hip/") && !memmem(name, length, "..", 2);
}

static const char *directives_refusal(const hipshim_kernel_options_t *options,
                                      const struct hs_c_source *source)
{
    struct hs_c_lexer lexer;
    struct hs_c_token token;

    hs_c_lexer_begin(&lexer, source);
    while ((token = hs_c_lexer_next(&lexer)).kind != HS_C_END) {
        if (token.kind != HS_C_DIRECTIVE || lexer.state != HS_C_BEHIND_INCLUDE) {
            continue;
        }
        if (!hs_c_token_is(source, &token, "include")) {
            return "it reads files by #include_next, #import or #embed";
        }
        token = hs_c_lexer_next_solid(&lexer);
        if (token.kind != HS_C_HEADER_NAME ||
            !is_known_header(options, source->text + token.start + 1,
                             token.end - token.start - 2)) {
            return "its source includes headers that are not among `headers`";
        }
    }
    return NULL;
}

/*
 * The options decide whether trigraphs are replaced, and a text with trigraphs has
 * different meanings with and without that.  It must be harmless in both.
 */
static const char *text_refusal(const hipshim_kernel_options_t *options, const char *text)
{
    const char *reason = NULL;

    for (int trigraphs = 0; trigraphs < 2 && !reason; trigraphs++) {
        struct hs_c_source source;

        if (!hs_c_source_make(&source, text, trigraphs)) {
            return "out of memory";
        }
        reason = directives_refusal(options, &source);
        if (strstr(source.text, "__has_include") || strstr(source.text, "__has_embed") ||
            strstr(source.text, "incbin")) {
            reason = "its source may read files";
        }
        hs_c_source_free(&source);
    }
    return reason;
}

static const char *options_refusal(const hipshim_kernel_options_t *options)
{
    for (size_t i = 0; i < options->option_count; i++) {
        const char *option = options->options[i];

        if (strcmp(option, "-D") == 0 || strcmp(option, "-U") == 0) {
            i++; /* the next option is the macro */
        } else if (option_may_read(option)) {
            return "its options may name files";
        }
    }
    return NULL;
}

static const char *environment_refusal(void)
{
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                            "CCC_OVERRIDE_OPTIONS"};

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);

        if (value && *value) {
            return "a variable such as CPATH names directories";
        }
    }
    return NULL;
}

const char *hs_hermetic_refusal(const hipshim_kernel_options_t *options)
{
    if (options->file_count > 0) {
        return NULL; /* the caller vouches for the list of files */
    }
    const char *reason = text_refusal(options, options->source);

    for (size_t i = 0; !reason && i < options->header_count; i++) {
        reason = text_refusal(options, options->headers[i].text);
    }
    reason = reason ? reason : options_refusal(options);
    return reason ? reason : environment_refusal();
}
