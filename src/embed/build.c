/* SPDX-License-Identifier: MIT */
/*
 * hipshim/embed.h: `hipshim embed' for build scripts in C.  The program does the
 * work, so that there is one way to do it, and so that neither the compilers nor
 * the processes they run in are those of the caller.
 */
#include <hipshim/embed.h>

#include "base/error.h"
#include "kernel/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Where make install puts the program; said by make. */
#ifndef HIPSHIM_TOOL_PATH
#define HIPSHIM_TOOL_PATH "/usr/local/bin/hipshim"
#endif

#define OURS    "hipshim embed: " /* what its errors begin with */
#define WARNING OURS "warning: "

enum { FIXED_ARGUMENTS = 24 };

/* Arguments from malloc; a failure is remembered. */
struct arguments {
    char **list;
    size_t count;
    int failed;
};

static void add(struct arguments *arguments, const char *option, const char *value)
{
    char *argument = NULL;

    if (asprintf(&argument, "%s%s", option, value) < 0) {
        arguments->failed = 1;
        return;
    }
    arguments->list[arguments->count++] = argument;
}

static void add_some(struct arguments *arguments, const char *option, const char *value)
{
    if (value) {
        add(arguments, option, value);
    }
}

static void add_all(struct arguments *arguments, const char *option, const char *const *values,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add(arguments, option, values[i]);
    }
}

static void add_flags(struct arguments *arguments, const hipshim_embed_options_t *options)
{
    static const struct {
        unsigned flag;
        const char *option;
    } flags[] = {
        {HIPSHIM_EMBED_SOURCE, "--source"},
        {HIPSHIM_EMBED_COMPRESS, "--compress"},
        {HIPSHIM_EMBED_ASSEMBLER, "--asm"},
        {HIPSHIM_EMBED_FORCE, "--force"},
    };

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (options->flags & flags[i].flag) {
            add(arguments, flags[i].option, "");
        }
    }
    if ((options->flags & HIPSHIM_EMBED_HIPCC) || options->hipcc) {
        add(arguments, options->hipcc ? "--with=hipcc=" : "--with=hipcc",
            options->hipcc ? options->hipcc : "");
    }
}

static void make_arguments(struct arguments *arguments, const hipshim_embed_options_t *options)
{
    char jobs[16];

    arguments->list = calloc(FIXED_ARGUMENTS + options->source_count + options->arch_count +
                                 options->option_count + options->directory_count,
                             sizeof *arguments->list);
    if (!arguments->list) {
        arguments->failed = 1;
        return;
    }
    add(arguments, "hipshim", "");
    add(arguments, "embed", "");
    add(arguments, "--output=", options->output);
    add_some(arguments, "--rocm=", options->rocm);
    add_some(arguments, "--hipify=", options->hipify);
    add_some(arguments, "--name=", options->name);
    add_some(arguments, "--depfile=", options->depfile);
    if (options->jobs) {
        snprintf(jobs, sizeof jobs, "%u", options->jobs);
        add(arguments, "--jobs=", jobs);
    }
    add_flags(arguments, options);
    add_all(arguments, "--arch=", options->archs, options->arch_count);
    add_all(arguments, "--option=", options->options, options->option_count);
    add_all(arguments, "--include=", options->directories, options->directory_count);
    add(arguments, "--", "");
    add_all(arguments, "", options->sources, options->source_count);
}

static hipshim_status_t invalid(const char *what)
{
    hs_error_set("hipshim_kernels_embed: %s", what);
    return HIPSHIM_ERROR_INVALID;
}

/* Copies what the caller's structure has, and checks it. */
static hipshim_status_t check(const hipshim_embed_options_t *given,
                              hipshim_embed_options_t *options)
{
    static const unsigned known = HIPSHIM_EMBED_SOURCE | HIPSHIM_EMBED_COMPRESS |
                                  HIPSHIM_EMBED_ASSEMBLER | HIPSHIM_EMBED_HIPCC |
                                  HIPSHIM_EMBED_FORCE;

    memset(options, 0, sizeof *options);
    if (!given || given->size < offsetof(hipshim_embed_options_t, output) + sizeof given->output) {
        return invalid("options with their size set are needed");
    }
    memcpy(options, given, given->size < sizeof *options ? given->size : sizeof *options);
    if (!options->output || !*options->output) {
        return invalid("there is no output");
    }
    if (options->source_count == 0) {
        return invalid("there is no source");
    }
    if (hs_kernel_has_null(options->sources, options->source_count) ||
        hs_kernel_has_null(options->archs, options->arch_count) ||
        hs_kernel_has_null(options->options, options->option_count) ||
        hs_kernel_has_null(options->directories, options->directory_count)) {
        return invalid("NULL among the sources, archs, options or directories");
    }
    if (options->flags & ~known) {
        return invalid("an unknown flag");
    }
    return HIPSHIM_OK;
}

/* Sets *child; 0 or an error number.  By name: looked up in PATH. */
static int start(const char *tool, int by_name, char *const *arguments, int out, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    int error = posix_spawn_file_actions_init(&actions);

    if (error) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        /* A caller that ignores or blocks it must not make the program do so. */
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes, &signals);
        sigaddset(&signals, SIGCHLD);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        error = error ? error : posix_spawn_file_actions_adddup2(&actions, out, 1);
        error = error ? error : posix_spawn_file_actions_adddup2(&actions, out, 2);
        if (!error) {
            error = (by_name ? posix_spawnp : posix_spawn)(child, tool, &actions, &attributes,
                                                           arguments, environ);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int start_found(const hipshim_embed_options_t *options, char *const *arguments, int out,
                       pid_t *child)
{
    const char *tool = options->tool ? options->tool : secure_getenv("HIPSHIM_TOOL");
    int error = start(tool ? tool : HIPSHIM_TOOL_PATH, 0, arguments, out, child);

    if (error == ENOENT && !tool && secure_getenv("PATH")) {
        tool = "hipshim";
        error = start(tool, 1, arguments, out, child);
    }
    if (error) {
        hs_error_set("%.200s cannot be run: %s; HIPSHIM_TOOL can name hipshim's program",
                     tool ? tool : HIPSHIM_TOOL_PATH, strerror(error));
    }
    return error;
}

/* Hands on what it says, line by line, and keeps the first error. */
static void hear(const hipshim_embed_options_t *options, FILE *said, char first[HS_ERROR_SIZE])
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    snprintf(first, HS_ERROR_SIZE, "hipshim embed did not say what was wrong");
    for (int found = 0; (length = getline(&line, &room, said)) > 0;) {
        if (line[length - 1] == '\n') {
            line[length - 1] = '\0';
        }
        if (!found && strncmp(line, OURS, strlen(OURS)) == 0 &&
            strncmp(line, WARNING, strlen(WARNING)) != 0) {
            snprintf(first, HS_ERROR_SIZE, "%s", line + strlen(OURS));
            found = 1;
        }
        if (options->message) {
            options->message(options->context, line);
        } else {
            fprintf(stderr, "%s\n", line);
        }
    }
    free(line);
}

static hipshim_status_t wait_for(pid_t child, const char *first)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            hs_error_set("how hipshim embed ended is not known: %s; is SIGCHLD ignored?",
                         strerror(errno));
            return HIPSHIM_ERROR_SYSTEM;
        }
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
    FILE *said;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        hs_error_set("no pipe for what hipshim embed says: %s", strerror(errno));
        return HIPSHIM_ERROR_SYSTEM;
    }
    said = fdopen(ends[0], "r");
    if (!said || start_found(options, arguments, ends[1], &child) != 0) {
        if (said) {
            fclose(said);
        } else {
            hs_error_set("no memory to read what hipshim embed says");
            close(ends[0]);
        }
        close(ends[1]);
        return HIPSHIM_ERROR_SYSTEM;
    }
    close(ends[1]);
    hear(options, said, first);
    fclose(said);
    return wait_for(child, first);
}

hipshim_status_t hipshim_kernels_embed(const hipshim_embed_options_t *given)
{
    struct arguments arguments = {NULL, 0, 0};
    hipshim_embed_options_t options;
    hipshim_status_t status = check(given, &options);

    if (status != HIPSHIM_OK) {
        return status;
    }
    make_arguments(&arguments, &options);
    if (arguments.failed) {
        hs_error_set("no memory for the arguments of hipshim embed");
        status = HIPSHIM_ERROR_NO_MEMORY;
    } else {
        status = run(&options, arguments.list);
    }
    for (size_t i = 0; i < arguments.count; i++) {
        free(arguments.list[i]);
    }
    free(arguments.list);
    return status;
}
