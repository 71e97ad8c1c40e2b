/* SPDX-License-Identifier: MIT */
/*
 * hipshim_kernels_embed() runs the command `hipshim embed`, so that both do the
 * same, and compilers do not run in the caller's process.
 *
 * This is the static library libhipshim-embed.a: a shared library that starts its
 * own command-line tool would surprise the programs that link with it.
 */
#include <hipshim/embed_build.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/program.h"
#include "base/spawn.h"
#include "base/structure.h"
#include "base/texts.h"
#include "base/words.h"

/* The path that make install gives the command; the Makefile defines it. */
#ifndef HIPSHIM_TOOL_PATH
#define HIPSHIM_TOOL_PATH "/usr/local/bin/hipshim"
#endif

#define ERROR_PREFIX   "hipshim embed: "
#define WARNING_PREFIX ERROR_PREFIX "warning: "

static void add_if_set(struct hs_words *arguments, const char *option, const char *value)
{
    if (value) {
        hs_words_add(arguments, "%s%s", option, value);
    }
}

static void add_all(struct hs_words *arguments, const char *option, const char *const *values,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hs_words_add(arguments, "%s%s", option, values[i]);
    }
}

static void add_flags(struct hs_words *arguments, const hipshim_embed_options_t *options)
{
    static const struct {
        unsigned flag;
        const char *option;
    } flags[] = {
        {HIPSHIM_EMBED_SOURCE, "--source"}, {HIPSHIM_EMBED_COMPRESS, "--compress"},
        {HIPSHIM_EMBED_ASSEMBLER, "--asm"}, {HIPSHIM_EMBED_FORCE, "--force"},
        {HIPSHIM_EMBED_RUST, "--rust"},
    };

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (options->flags & flags[i].flag) {
            hs_words_add(arguments, "%s", flags[i].option);
        }
    }
    if ((options->flags & HIPSHIM_EMBED_HIPCC) || options->hipcc) {
        hs_words_add(arguments, "--with=hipcc%s%s", options->hipcc ? "=" : "",
                     options->hipcc ? options->hipcc : "");
    }
}

static void make_arguments(struct hs_words *arguments, const hipshim_embed_options_t *options)
{
    hs_words_add(arguments, "hipshim");
    hs_words_add(arguments, "embed");
    add_if_set(arguments, "--output=", options->output);
    add_if_set(arguments, "--rocm=", options->rocm);
    add_if_set(arguments, "--hipify=", options->hipify);
    add_if_set(arguments, "--name=", options->name);
    add_if_set(arguments, "--depfile=", options->depfile);
    if (options->jobs) {
        hs_words_add(arguments, "--jobs=%u", options->jobs);
    }
    add_flags(arguments, options);
    add_all(arguments, "--arch=", options->archs, options->arch_count);
    add_all(arguments, "--option=", options->options, options->option_count);
    add_all(arguments, "--include=", options->directories, options->directory_count);
    hs_words_add(arguments, "--");
    add_all(arguments, "", options->sources, options->source_count);
}

static hipshim_status_t invalid(const char *reason)
{
    hs_error_set("hipshim_kernels_embed: %s", reason);
    return HIPSHIM_ERROR_INVALID;
}

static hipshim_status_t read_options(hipshim_embed_options_t *options,
                                     const hipshim_embed_options_t *given)
{
    static const unsigned known = HIPSHIM_EMBED_SOURCE | HIPSHIM_EMBED_COMPRESS |
                                  HIPSHIM_EMBED_ASSEMBLER | HIPSHIM_EMBED_HIPCC |
                                  HIPSHIM_EMBED_FORCE | HIPSHIM_EMBED_RUST;

    const char *why = hs_structure_take(options, sizeof *options, given);
    if (why) {
        return invalid(why);
    }
    if (!options->output || !*options->output) {
        return invalid("`output` is NULL or empty");
    }
    if (options->source_count == 0) {
        return invalid("`source_count` is 0");
    }
    if (!hs_texts_are_set(options->sources, options->source_count) ||
        !hs_texts_are_set(options->archs, options->arch_count) ||
        !hs_texts_are_set(options->options, options->option_count) ||
        !hs_texts_are_set(options->directories, options->directory_count)) {
        return invalid("NULL among the sources, archs, options or directories");
    }
    return options->flags & ~known ? invalid("`flags` has an unknown bit") : HIPSHIM_OK;
}

/* Sets `child`; 0, or an error number with the error text set. */
static int start(const hipshim_embed_options_t *options, char *const *arguments, int output,
                 pid_t *child)
{
    const char *variable = secure_getenv("HIPSHIM_TOOL");
    const char *chosen = options->tool ? options->tool : variable && *variable ? variable : NULL;
    char found[PATH_MAX];
    struct hs_spawn spawn = {.program = chosen ? chosen : HIPSHIM_TOOL_PATH,
                             .arguments = (const char *const *)arguments,
                             .output = output,
                             .error = output};
    int error = hs_spawn_start(&spawn, child);

    if (error == ENOENT && !chosen && hs_program_find("hipshim", found)) {
        spawn.program = found;
        error = hs_spawn_start(&spawn, child);
    }
    if (error) {
        hs_error_set("%.200s cannot be run: %s; HIPSHIM_TOOL can name the program of hipshim",
                     spawn.program, strerror(error));
    }
    return error;
}

/* Passes every line of the command on to the caller, and keeps the first error. */
static void pass_on(const hipshim_embed_options_t *options, FILE *lines, char first[HS_ERROR_SIZE])
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool has_error = false;

    snprintf(first, HS_ERROR_SIZE, "hipshim embed failed without an error text");
    while ((length = getline(&line, &room, lines)) > 0) {
        if (line[length - 1] == '\n') {
            line[length - 1] = '\0';
        }
        if (!has_error && strncmp(line, ERROR_PREFIX, strlen(ERROR_PREFIX)) == 0 &&
            strncmp(line, WARNING_PREFIX, strlen(WARNING_PREFIX)) != 0) {
            snprintf(first, HS_ERROR_SIZE, "%s", line + strlen(ERROR_PREFIX));
            has_error = true;
        }
        if (options->message) {
            options->message(options->context, line);
        } else {
            fprintf(stderr, "%s\n", line);
        }
    }
    free(line);
}

static hipshim_status_t finish(pid_t child, const char *first)
{
    int status = 0;

    if (!hs_spawn_wait(child, &status)) {
        hs_error_set("hipshim embed: the exit status is unknown (%s); is SIGCHLD ignored?",
                     strerror(errno));
        return HIPSHIM_ERROR_SYSTEM;
    }
    if (!WIFEXITED(status)) {
        hs_error_set("hipshim embed was ended by signal %d", WTERMSIG(status));
        return HIPSHIM_ERROR_SYSTEM;
    }
    if (WEXITSTATUS(status) != 0) {
        hs_error_set("%s", first);
    }
    switch (WEXITSTATUS(status)) {
    case 0:
        return HIPSHIM_OK;
    case 1:
        return HIPSHIM_ERROR_COMPILATION;
    case 2:
        return HIPSHIM_ERROR_INVALID;
    default:
        return HIPSHIM_ERROR_SYSTEM;
    }
}

static hipshim_status_t run(const hipshim_embed_options_t *options, char *const *arguments)
{
    char first[HS_ERROR_SIZE];
    int ends[2];
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        hs_error_set("hipshim embed: no pipe for its output: %s", strerror(errno));
        return HIPSHIM_ERROR_SYSTEM;
    }
    FILE *lines = fdopen(ends[0], "r");

    if (!lines) {
        hs_error_set("hipshim embed: no memory to read its output");
        close(ends[0]);
        close(ends[1]);
        return HIPSHIM_ERROR_SYSTEM;
    }
    int error = start(options, arguments, ends[1], &child);

    close(ends[1]);
    if (!error) {
        pass_on(options, lines, first);
    }
    fclose(lines);
    return error ? HIPSHIM_ERROR_SYSTEM : finish(child, first);
}

hipshim_status_t hipshim_kernels_embed(const hipshim_embed_options_t *given)
{
    struct hs_words arguments = {0};
    hipshim_embed_options_t options;
    hipshim_status_t status = read_options(&options, given);

    if (status != HIPSHIM_OK) {
        return status;
    }
    make_arguments(&arguments, &options);
    if (arguments.is_incomplete) {
        hs_error_set("hipshim_kernels_embed: no memory");
        status = HIPSHIM_ERROR_NO_MEMORY;
    } else {
        status = run(&options, arguments.items);
    }
    hs_words_free(&arguments);
    return status;
}
