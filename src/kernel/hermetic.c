/* SPDX-License-Identifier: MIT */
/*
 * Whether a compilation may read files, told from its texts alone.
 *
 * A compiler sees a directive after it joined lines and took comments away.  We
 * join lines too; a comment within a directive counts as a file.
 */
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Allowed are options that cannot name a file; the others may. */
static int option_reads(const char *option)
{
    static const char *const plain[] = {"-D", "-U",     "-O",        "-std=",
                                        "-g", "--std=", "-pedantic", "--gpu-max-threads",
                                        "-w", "-ansi",  "-nogpuinc", "--cuda-device-only",
                                        NULL};
    static const char *const telling[] = {"plugin", "profile", "module", "list", "file", "path",
                                          "dir",    "llvm",    "link",   "/",    NULL};

    for (unsigned i = 0; plain[i]; i++) {
        if (starts(option, plain[i])) {
            return 0;
        }
    }
    if (option[0] != '-' || !option[1] || !strchr("fmW", option[1]) || strchr(option, ',')) {
        return 1;
    }
    for (unsigned i = 0; telling[i]; i++) {
        if (strstr(option, telling[i])) {
            return 1;
        }
    }
    return 0;
}

static int given(const hipshim_kernel_options_t *options, const char *name, size_t length)
{
    for (size_t i = 0; i < options->header_count; i++) {
        const char *one = options->headers[i].name;

        if (strlen(one) == length && memcmp(one, name, length) == 0) {
            return 1;
        }
    }
    return length > 4 && starts(name, "hip/") && !memmem(name, length, "..", 2);
}

/* The text with its lines joined where a backslash, or its trigraph, ends one. */
static char *join_lines(const char *text)
{
    char *joined = malloc(strlen(text) + 1), *to = joined;

    while (joined && *text) {
        size_t mark = *text == '\\' ? 1 : starts(text, "?\?/") ? 3 : 0;
        size_t blank = mark ? strspn(text + mark, " \t\r\v\f") : 0;

        if (mark && text[mark + blank] == '\n') {
            text += mark + blank + 1;
        } else {
            *to++ = *text++;
        }
    }
    if (joined) {
        *to = '\0';
    }
    return joined;
}

/* Whether what ends before `at` may be a # that begins a directive, and then how. */
static enum { NO_DIRECTIVE, PLAIN, UNUSUAL } directive(const char *text, const char *at)
{
    while (at > text && (at[-1] == ' ' || at[-1] == '\t')) {
        at--;
    }
    if (at > text && at[-1] == '#') {
        return PLAIN;
    }
    if (at - text >= 2 && (memcmp(at - 2, "%:", 2) == 0 || memcmp(at - 2, "*/", 2) == 0)) {
        return UNUSUAL;
    }
    return at - text >= 3 && memcmp(at - 3, "?\?=", 3) == 0 ? UNUSUAL : NO_DIRECTIVE;
}

static const char *include_reads(const hipshim_kernel_options_t *options, const char *name)
{
    const char *end;

    name += strspn(name, " \t");
    end = *name == '"' ? strchr(name + 1, '"') : *name == '<' ? strchr(name + 1, '>') : NULL;
    return end && given(options, name + 1, (size_t)(end - name - 1))
               ? NULL
               : "it includes headers that were not given";
}

static const char *joined_reads(const hipshim_kernel_options_t *options, const char *text)
{
    static const char *const words[] = {"include", "import", "embed", NULL};

    if (strstr(text, "__has_include") || strstr(text, "__has_embed") || strstr(text, "incbin")) {
        return "it asks for files";
    }
    for (unsigned i = 0; words[i]; i++) {
        for (const char *at = text; (at = strstr(at, words[i])) != NULL; at++) {
            int how = directive(text, at);
            const char *reason = how == UNUSUAL ? "it has an unusual #include" : NULL;

            if (how == PLAIN) {
                reason = i == 0 ? include_reads(options, at + strlen(words[i]))
                                : "it reads files by #import or #embed";
            }
            if (reason) {
                return reason;
            }
        }
    }
    return NULL;
}

static const char *text_reads(const hipshim_kernel_options_t *options, const char *text)
{
    char *joined = join_lines(text);
    const char *reason = joined ? joined_reads(options, joined) : "there is no memory";

    free(joined);
    return reason;
}

const char *hs_hermetic_refusal(const hipshim_kernel_options_t *options)
{
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                            "CCC_OVERRIDE_OPTIONS", NULL};
    const char *reason;

    if (options->file_count > 0) {
        return NULL; /* the caller knows them */
    }
    reason = text_reads(options, options->source);
    for (size_t i = 0; !reason && i < options->header_count; i++) {
        reason = text_reads(options, options->headers[i].text);
    }
    for (size_t i = 0; !reason && i < options->option_count; i++) {
        const char *option = options->options[i];

        if (strcmp(option, "-D") == 0 || strcmp(option, "-U") == 0) {
            i++; /* the next one is what it defines */
        } else if (option_reads(option)) {
            reason = "its options may name files";
        }
    }
    for (unsigned i = 0; !reason && variables[i]; i++) {
        const char *value = getenv(variables[i]);

        reason = value && *value ? "a variable such as CPATH names directories" : NULL;
    }
    return reason;
}
