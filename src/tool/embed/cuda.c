/* SPDX-License-Identifier: MIT */
/*
 * Replaces CUDA's names in a .cu file by HIP's, by hipify-perl where it is
 * installed.  Otherwise a rule is enough for most names: HIP has CUDA's names with
 * "hip" for "cuda", and hipshim knows the names that HIP has.
 */
#include "tool/embed/embed.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/c_lexer.h"
#include "base/program.h"
#include "base/read.h"
#include "base/spawn.h"
#include "tool/words.h"

struct mapping {
    const char *path;
    const char *original; /* the text as it is in the file */
    const struct hs_c_source *source;
    FILE *out;
    int line;
};

/* What a table has for a name; NULL if it is not there. */
static const char *find_name(const struct tool_translation *table, const char *name, size_t length)
{
    while (table->from &&
           (strlen(table->from) != length || memcmp(table->from, name, length) != 0)) {
        table++;
    }
    return table->to;
}

static int compare_name(const void *word, const void *known)
{
    return strcmp(word, *(const char *const *)known);
}

static bool is_hip_name(const char *name)
{
    return bsearch(name, tool_api_names, tool_api_name_count, sizeof tool_api_names[0],
                   compare_name) != NULL;
}

/* Whether a word has the form of CUDA's names: cudaMalloc, cuMemAlloc, CUarray, CU_MEMORY. */
static bool looks_cuda(const char *word)
{
    if (strncmp(word, "CU", 2) == 0) {
        return word[2] == '_' || islower((unsigned char)word[2]);
    }
    return (strncmp(word, "cuda", 4) == 0 && isupper((unsigned char)word[4])) ||
           (strncmp(word, "cu", 2) == 0 && isupper((unsigned char)word[2]));
}

/* HIP's name, "" if it has none. */
static const char *hip_name(const char *word, char name[256])
{
    const char *known = find_name(tool_api_translations, word, strlen(word));

    if (known || !looks_cuda(word)) {
        return known ? known : word;
    }
    snprintf(name, 256, "hip%s", word + (strncmp(word, "cuda", 4) == 0 ? 4 : 2));
    return is_hip_name(name) ? name : "";
}

static void map_word(struct mapping *mapping, const char *word)
{
    char room[256];
    const char *name = hip_name(word, room);

    if (!*name) {
        tool_complain(EMBED_COMMAND,
                      "warning: %s:%d: %s: no HIP name is known for it, left as it is",
                      mapping->path, mapping->line, word);
        name = word;
    }
    fputs(name, mapping->out);
}

/* The name with its quotes or angle brackets. */
static void map_header(struct mapping *mapping, const char *quoted, size_t length)
{
    const char *name = quoted + 1;

    const char *known = find_name(tool_api_headers, name, length - 2);

    if (known) {
        fprintf(mapping->out, "%c%s%c", quoted[0], known, quoted[length - 1]);
        return;
    }
    if (strncmp(name, "cu", 2) == 0) {
        tool_complain(EMBED_COMMAND,
                      "warning: %s:%d: <%.*s>: no HIP header is known for it, left as it is",
                      mapping->path, mapping->line, (int)length - 2, name);
    }
    fwrite(quoted, 1, length, mapping->out);
}

/* A comparison of a word with a number other than 0, which means the same for HIP's macro. */
#define NUMBER     "([1-9]|0[0-9A-Za-z_])"
#define COMPARISON "([<>=!]=|[<>])"
#define AFTER      "^[ \t)]*" COMPARISON "[ \t(]*" NUMBER
#define BEFORE     "(^|[^0-9A-Za-z_])" NUMBER "[0-9A-Za-z_]*[ \t)]*" COMPARISON "[ \t(]*$"

static bool matches(const char *pattern, const char *text, size_t from, size_t to)
{
    regmatch_t part = {.rm_so = (regoff_t)from, .rm_eo = (regoff_t)to};
    regex_t regex;
    bool found = regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE) == 0;

    if (found) {
        found = regexec(&regex, text, 1, &part, REG_STARTEND) == 0;
        regfree(&regex);
    }
    return found;
}

/* True if the word at that place is compared with a number in its line. */
static bool is_compared(const char *text, const struct hs_c_token *token)
{
    const char *line = memrchr(text, '\n', token->start);
    size_t start = line ? (size_t)(line - text) : 0;

    return matches(BEFORE, text, start, token->start) ||
           matches(AFTER, text + token->end, 0, strcspn(text + token->end, "\n"));
}

static void map_word_at(struct mapping *mapping, const struct hs_c_token *token)
{
    const char *text = mapping->source->text;
    size_t length = token->end - token->start;
    char word[200];

    if (length >= sizeof word) {
        fwrite(text + token->start, 1, length, mapping->out);
        return;
    }
    snprintf(word, sizeof word, "%.*s", (int)length, text + token->start);
    if (strcmp(word, "__CUDA_ARCH__") == 0 && is_compared(text, token)) {
        tool_complain(EMBED_COMMAND,
                      "warning: %s:%d: __CUDA_ARCH__ is compared with a number: HIP's macro is 1",
                      mapping->path, mapping->line);
    }
    map_word(mapping, word);
}

static void map_text(struct mapping *mapping)
{
    const struct hs_c_source *source = mapping->source;
    struct hs_c_lexer lexer;
    struct hs_c_token token;

    fwrite(mapping->original, 1, source->at[0], mapping->out); /* a byte order mark */
    hs_c_lexer_begin(&lexer, source);
    while ((token = hs_c_lexer_next(&lexer)).kind != HS_C_END) {
        size_t start = source->at[token.start], end = source->at[token.end];

        if (token.kind == HS_C_HEADER_NAME) {
            map_header(mapping, source->text + token.start, token.end - token.start);
        } else if (token.kind == HS_C_WORD) {
            map_word_at(mapping, &token);
        } else {
            fwrite(mapping->original + start, 1, end - start, mapping->out);
        }
        for (; start < end; start++) {
            mapping->line += mapping->original[start] == '\n';
        }
    }
}

static char *map_names(const char *path, const char *cuda)
{
    char *text = NULL;
    size_t size;
    struct hs_c_source source = {0};
    struct mapping mapping = {.path = path,
                              .original = cuda,
                              .source = &source,
                              .out = open_memstream(&text, &size),
                              .line = 1};
    bool is_mapped = mapping.out && hs_c_source_make(&source, cuda, false);

    if (is_mapped) {
        map_text(&mapping);
        is_mapped = !ferror(mapping.out);
    }
    if (mapping.out) {
        is_mapped = fclose(mapping.out) == 0 && is_mapped;
    }
    hs_c_source_free(&source);
    if (!is_mapped) {
        tool_fail("out of memory");
        free(text);
        text = NULL;
    }
    return text;
}

/* The path of hipify-perl, in --rocm or in PATH; NULL to use the table here. */
static const char *find_hipify(const struct embed_request *request, char path[PATH_MAX])
{
    if (request->hipify) {
        return strcmp(request->hipify, "none") == 0 ? NULL : request->hipify;
    }
    if (request->rocm && snprintf(path, PATH_MAX, "%s/bin/hipify-perl", request->rocm) < PATH_MAX &&
        hs_program_is_executable(path)) {
        return path;
    }
    return hs_program_find("hipify-perl", path) ? path : NULL;
}

/* The standard output of hipify-perl; NULL with the error text. */
static char *run_hipify(const char *path, const char *program)
{
    const char *const arguments[] = {program, path, NULL};
    const struct hs_spawn spawn = {.program = program,
                                   .arguments = arguments,
                                   .output = hs_memory_file("hipify"),
                                   .error = STDERR_FILENO};
    int status = -1, error = spawn.output < 0 ? errno : 0;
    char *text = NULL;
    size_t size;
    pid_t child;

    error = error ? error : hs_spawn_start(&spawn, &child);
    if (!error && !hs_spawn_wait(child, &status)) {
        error = errno;
    }
    if (error) {
        tool_fail("%s cannot be run for %s: %s", program, path, strerror(error));
    } else if (status != 0) {
        tool_fail("%s fails on %s", program, path);
    } else if (lseek(spawn.output, 0, SEEK_SET) != 0 ||
               (text = hs_read_descriptor(spawn.output, &size)) == NULL) {
        tool_fail("%s: the output of %s cannot be read: %s", path, program, strerror(errno));
    }
    if (spawn.output >= 0) {
        close(spawn.output);
    }
    return text;
}

bool embed_from_cuda(struct embed_request *request, const char *path, char **text)
{
    char room[PATH_MAX];
    const char *program = find_hipify(request, room);
    char *hip;

    /* A header that several sources include is mapped once, so that it is warned about once. */
    for (size_t i = 0; i < request->mapped_paths.count; i++) {
        if (strcmp(request->mapped_paths.items[i], path) == 0) {
            hip = strdup(request->mapped_texts.items[i]);
            free(*text);
            *text = hip;
            return hip || tool_fail("out of memory");
        }
    }
    hip = program ? run_hipify(path, program) : map_names(path, *text);
    if (!hip) {
        return false;
    }
    free(*text);
    *text = hip;
    return tool_list_add(&request->mapped_paths, path) &&
           tool_list_add(&request->mapped_texts, hip);
}
