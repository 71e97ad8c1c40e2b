/* SPDX-License-Identifier: MIT */
/*
 * hipshim run: starts a program with changed settings in its environment.
 *
 * prepare() calls one function for each setting.  The program then replaces this process, so that
 * signals, the process id and the exit status are the program's own.
 */
#include "tool/run/run.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/error.h"
#include "base/program.h"
#include "tool/dropins.h"
#include "tool/release_text.h"
#include "tool/tool.h"

/* The directory of `make install`; the build defines it. */
#ifndef HIPSHIM_LOOPBACK_DIR
#define HIPSHIM_LOOPBACK_DIR "/usr/local/lib/hipshim/loopback"
#endif

#define LOOPBACK_LIBRARY "libhsa-runtime64.so.1"

/* The exit statuses of env(1), if the program was not started. */
enum { RUN_FAILED = 125, RUN_NOT_RUNNABLE = 126, RUN_NOT_FOUND = 127 };

enum { OPTION_HIP = 256, OPTION_WITH };
enum { GPUS_MAX = 8, ISA_ROOM = 48 };

/* --- the command line --- */

static void read_abi(const char *text, struct tool_run *run, const struct argp_state *state)
{
    run->abi = true;
    run->major = 0;
    if (strcmp(text, "auto") == 0) {
        return;
    }
    char known[64], *end;
    unsigned long major = strtoul(text, &end, 10);
    if (*end || end == text || tool_release_newest((unsigned)major) < 0) {
        argp_error(state, "--abi=%s: not auto and not one of %s", text,
                   tool_release_majors(known, sizeof known));
    }
    run->major = (unsigned)major;
}

static const char *read_gpus(const char *text, const struct argp_state *state)
{
    if (text && (text[0] < '0' || text[0] > '0' + GPUS_MAX || text[1] != '\0')) {
        argp_error(state, "--loopback=%s: the number of GPUs is 0 to %d", text, GPUS_MAX);
    }
    return text;
}

static const char *read_isa(const char *text, const struct argp_state *state)
{
    if (!*text || strlen(text) > ISA_ROOM) {
        argp_error(state, "--arch=%s: not a processor such as gfx90a or gfx90a:xnack-", text);
    }
    tool_check_architecture("--arch", text, state);
    return text;
}

static void check_request(const struct tool_run *run, const struct argp_state *state)
{
    if (!run->loopback && run->isa) {
        argp_error(state, "--arch needs --loopback");
    }
    if (run->with && !run->abi) {
        argp_error(state, "--with needs --abi");
    }
    if (!run->loopback && !run->abi && !run->hip) {
        argp_error(state, "nothing to set: --abi, --hip or --loopback is needed");
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct tool_run *run = state->input;

    switch (key) {
    case 'l':
        run->loopback = true;
        run->gpus = read_gpus(argument, state);
        return 0;
    case 'i':
        run->isa = read_isa(argument, state);
        return 0;
    case 'a':
        read_abi(argument, run, state);
        return 0;
    case OPTION_HIP:
        run->hip = argument;
        return 0;
    case OPTION_WITH:
        run->with = argument;
        return 0;
    case ARGP_KEY_ARG:
        /* The other arguments are the program's; argp must not read them. */
        run->program = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a program is needed");
        return 0;
    case ARGP_KEY_SUCCESS:
        check_request(run, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- the program's file --- */

/* 0, or the errno of execvp. */
static int check_runnable(const char *path)
{
    return hs_program_is_executable(path) ? 0 : access(path, F_OK) == 0 ? EACCES : errno;
}

/* Writes the file that execvp will find; returns 0, or the errno of execvp. */
static int find_program(const char *name, char path[TOOL_PATH_ROOM])
{
    const char *variable = getenv("PATH");
    char *list = strdup(variable ? variable : "/bin:/usr/bin"), *rest = list;
    int error = ENOENT;

    if (strchr(name, '/')) {
        snprintf(path, TOOL_PATH_ROOM, "%s", name);
        error = check_runnable(name);
        rest = NULL;
    }
    for (char *place; *name && error && (place = strsep(&rest, ":")) != NULL;) {
        snprintf(path, TOOL_PATH_ROOM, "%s/%s", *place ? place : ".", name);
        int failure = check_runnable(path);

        error = failure == 0 || failure == EACCES ? failure : error;
    }
    free(list);
    return error;
}

/*
 * The privilege for which the dynamic linker ignores the settings (AT_SECURE), or NULL.  A bit
 * that changes nothing, such as setuid root for root, does not count.
 */
static const char *privilege(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0) {
        return NULL;
    }
    if ((status.st_mode & S_ISUID) && status.st_uid != getuid()) {
        return "setuid";
    }
    if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getgid()) {
        return "setgid";
    }
    if (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0) {
        return "privileged by its capabilities";
    }
    return NULL;
}

/* --- settings --- */

static bool find_loopback(char directory[TOOL_PATH_ROOM], char library[TOOL_PATH_ROOM])
{
    tool_dropins_place("HIPSHIM_LOOPBACK", "src/loopback/.libs", HIPSHIM_LOOPBACK_DIR,
                       LOOPBACK_LIBRARY, directory);
    int written = snprintf(library, TOOL_PATH_ROOM, "%s/%s", directory, LOOPBACK_LIBRARY);
    if (written < 0 || written >= TOOL_PATH_ROOM) {
        return tool_fail("%s: the name is too long", directory);
    }
    if (access(library, R_OK) != 0) {
        return tool_fail("%s: %s; HIPSHIM_LOOPBACK can name another directory", library,
                         strerror(errno));
    }
    return library[0] == '/' || tool_fail("%s: LD_PRELOAD cannot hold this name", library);
}

/*
 * Sets two variables.  A preloaded library has the name that the HIP runtime needs, so the dynamic
 * linker looks for no other one; that works even against a DT_RPATH, which LD_LIBRARY_PATH does
 * not.  The directory is for runtimes that need the name without the number.
 */
static bool set_loopback(const struct tool_run *run, char library[TOOL_PATH_ROOM])
{
    char directory[TOOL_PATH_ROOM];

    return find_loopback(directory, library) && tool_run_extend("LD_PRELOAD", library, false) &&
           tool_run_extend("LD_LIBRARY_PATH", directory, true) &&
           /* AddressSanitizer need not come first: the loopback defines none of its functions. */
           tool_run_extend("ASAN_OPTIONS", "verify_asan_link_order=0", false) &&
           ((setenv("LOOPBACK_GPUS", run->gpus ? run->gpus : "1", run->gpus != NULL) == 0 &&
             (!run->isa || setenv("LOOPBACK_ISA", run->isa, 1) == 0)) ||
            tool_fail("--loopback: %s", strerror(errno)));
}

static bool prepare(const struct tool_run *run, const char *path)
{
    char loopback[TOOL_PATH_ROOM];

    if (!tool_run_set_abi(run, path) || (run->loopback && !set_loopback(run, loopback))) {
        return false;
    }
    tool_run_check_runtime(run, path, run->loopback ? loopback : NULL);
    return true;
}

/* For a script, ENOENT is about its interpreter. */
static void fail_to_start(const char *path, int error)
{
    char interpreter[256] = "";
    FILE *script = fopen(path, "re");

    if (error == ENOENT && script && fscanf(script, "#! %255[^ \t\n]", interpreter) == 1) {
        tool_fail("%s: its interpreter %s is not there", path, interpreter);
    } else {
        tool_fail("%s: %s", path, strerror(error));
    }
    if (script) {
        fclose(script);
    }
}

/* Returns the exit status, with the error text of the thread. */
static int start(const struct tool_run *run)
{
    const char *name = run->program[0];
    char path[TOOL_PATH_ROOM];
    int error = find_program(name, path);

    if (error != 0) {
        tool_fail("%s: %s", name, strerror(error));
        return error == ENOENT || error == ENOTDIR ? RUN_NOT_FOUND : RUN_NOT_RUNNABLE;
    }
    const char *raised = privilege(path);
    if (raised) {
        tool_fail("%s: is %s; such programs ignore these settings", path, raised);
        return RUN_FAILED;
    }
    if (!prepare(run, path)) {
        return RUN_FAILED;
    }
    execvp(name, run->program);
    error = errno;
    fail_to_start(path, error);
    return error == ENOENT ? RUN_NOT_FOUND : RUN_NOT_RUNNABLE;
}

static const char documentation[] =
    "Run a program over another HIP release, or without a GPU.\v"
    "--abi is for programs that were built for another ROCm release than the installed one; "
    "`hipshim scan` shows the release. An interpreter such as python needs no HIP library itself, "
    "so auto cannot know the major that its modules open: name it.\n\n"
    "--loopback is for tests of HIP programs on a machine without a GPU, with the installed HIP "
    "runtime, and carries out kernels for gfx90a, gfx942 and gfx1100.\n"
    "It says nothing about races, hardware or speed.\n\n"
    "The settings also reach the programs that PROGRAM starts. Setuid and setgid programs are "
    "refused, because they ignore the settings.\n\n"
    "Exit status: that of PROGRAM; 125 if this command fails, 126 if PROGRAM cannot be "
    "executed, 127 if it is not found.";

static const struct argp_option options[] = {
    {"abi", 'a', "MAJOR", 0,
     "Use hipshim's drop-ins for the libraries of this HIP major, or of the major that the program "
     "needs (auto)",
     0},
    {"hip", OPTION_HIP, "PATH", 0,
     "Use this HIP runtime for hipshim: a library, or a prefix of an installation", 0},
    {"with", OPTION_WITH, "DIR", 0,
     "After the drop-ins, let the program find the other libraries of its own ROCm here, such as "
     "hipBLAS",
     0},
    {"loopback", 'l', "GPUS", OPTION_ARG_OPTIONAL,
     "Use 0 to 8 GPUs made of host memory (LOOPBACK_GPUS, or 1)", 0},
    {"arch", 'i', "PROCESSOR", 0, "The processor of these GPUs (gfx90a, gfx942, gfx1100)", 0},
    {"isa", 0, NULL, OPTION_ALIAS, NULL, 0},
    {0},
};
static const struct argp parser = {
    .options = options,
    .parser = parse,
    .args_doc = "[--] PROGRAM [ARGUMENT...]",
    .doc = documentation,
};

int tool_run_run(int argc, char **argv)
{
    struct tool_run run = {0};

    argp_err_exit_status = RUN_FAILED;
    argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &run);
    int status = start(&run);

    tool_complain(RUN_COMMAND, "%s", hs_error_get());
    return status;
}
