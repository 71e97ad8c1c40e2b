/* SPDX-License-Identifier: MIT */
/*
 * hipshim run: starts a program with settings of its own, in its environment.
 *
 * What a setting is made of stands in one function each, called by prepare();
 * the program then takes the place of this one, so that signals, the process
 * id and the exit status are its own.
 */
#include "tool/run.h"
#include "tool/tool.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Where make install puts the loopback; said by make. */
#ifndef HIPSHIM_LOOPBACK_DIR
#define HIPSHIM_LOOPBACK_DIR "/usr/local/lib/hipshim/loopback"
#endif

#define LOOPBACK_LIBRARY "libhsa-runtime64.so.1"

/* As env(1) has them; this command's own, for want of a better one. */
enum { RUN_FAILED = 125, RUN_NOT_RUNNABLE = 126, RUN_NOT_FOUND = 127 };

enum { OPTION_HIP = 256 };
enum { GPUS_MAX = 8, ISA_ROOM = 48, PATH_ROOM = 4096 };

struct request {
    const char *name; /* of this command, for messages */
    int loopback;
    unsigned gpus;
    const char *isa; /* NULL: the loopback's own choice */
    const char *abi; /* 5, 6, 7, auto; NULL: no drop-ins */
    const char *hip; /* the runtime behind hipshim, NULL: its own choice */
    char **program;  /* with its arguments, NULL-terminated */
};

/* --- the command line --- */

static void check_abi(const char *text, struct argp_state *state)
{
    if (strcmp(text, "auto") != 0 && (strlen(text) != 1 || !strchr("567", text[0]))) {
        argp_error(state, "--abi=%s: not 5, 6, 7 or auto", text);
    }
}

static unsigned read_gpus(const char *text, struct argp_state *state)
{
    if (!text) {
        return 1;
    }
    if (text[0] < '1' || text[0] > '0' + GPUS_MAX || text[1] != '\0') {
        argp_error(state, "--loopback=%s: the number of GPUs is 1 to %d", text, GPUS_MAX);
    }
    return (unsigned)(text[0] - '0');
}

static void check_isa(const char *text, struct argp_state *state)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789:+-";

    if (strncmp(text, "gfx", 3) != 0 || text[strspn(text, allowed)] != '\0' ||
        strlen(text) > ISA_ROOM) {
        argp_error(state, "--isa=%s: not a processor such as gfx90a or gfx90a:xnack-", text);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;

    switch (key) {
    case 'l':
        request->loopback = 1;
        request->gpus = read_gpus(argument, state);
        return 0;
    case 'i':
        check_isa(argument, state);
        request->isa = argument;
        return 0;
    case 'a':
        check_abi(argument, state);
        request->abi = argument;
        return 0;
    case OPTION_HIP:
        request->hip = argument;
        return 0;
    case ARGP_KEY_ARG:
        /* The rest is the program's: argp must not look at it. */
        request->program = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a program is needed");
        return 0;
    case ARGP_KEY_SUCCESS:
        if (!request->loopback && request->isa) {
            argp_error(state, "--isa is a setting of --loopback");
        }
        if (!request->loopback && !request->abi && !request->hip) {
            argp_error(state, "nothing to set: --abi, --hip or --loopback is needed");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- the program's file --- */

static int is_runnable(const char *path, struct stat *status)
{
    if (stat(path, status) != 0) {
        return 0;
    }
    if (S_ISDIR(status->st_mode)) {
        errno = EISDIR;
        return 0;
    }
    return access(path, X_OK) == 0;
}

/* Whether one place of PATH, `length` bytes of `place`, has the program. */
static int try_place(const char *place, size_t length, const char *name, char path[PATH_ROOM])
{
    struct stat status;
    int written =
        snprintf(path, PATH_ROOM, "%.*s%s%s", (int)length, place, length ? "/" : "./", name);

    if (written < 0 || written >= PATH_ROOM) {
        errno = ENAMETOOLONG;
        return 0;
    }
    return is_runnable(path, &status);
}

/* Where execvp will find it: 0, or the errno that says why it will not. */
static int find_program(const char *name, char path[PATH_ROOM])
{
    const char *place = getenv("PATH");
    int error = ENOENT;

    if (strchr(name, '/')) {
        struct stat status;

        snprintf(path, PATH_ROOM, "%s", name);
        return is_runnable(name, &status) ? 0 : errno;
    }
    if (!place) {
        place = "/bin:/usr/bin";
    }
    while (*name) {
        size_t length = strcspn(place, ":");

        if (try_place(place, length, name, path)) {
            return 0;
        }
        if (errno == EACCES) {
            error = EACCES;
        }
        if (!place[length]) {
            break;
        }
        place += length + 1;
    }
    return error;
}

/*
 * What the dynamic linker would ignore our settings for (AT_SECURE).  A bit
 * that changes nothing, as root's programs for root, does not count.
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

int tool_run_extend(const char *variable, const char *text, int before)
{
    const char *old = getenv(variable);
    char *list = NULL;
    int failed;

    if (!old || !*old) {
        return setenv(variable, text, 1);
    }
    if (asprintf(&list, "%s:%s", before ? text : old, before ? old : text) < 0) {
        return -1;
    }
    failed = setenv(variable, list, 1);
    free(list);
    return failed;
}

/*
 * Two ways at once.  A preloaded library has the name that the HIP runtime asks
 * for, so that the linker looks for no other one: sure even against a DT_RPATH,
 * which LD_LIBRARY_PATH is not.  The directory is for runtimes that were made to
 * ask for the name without the number.
 */
static int set_loopback(const struct request *request)
{
    const char *directory = getenv("HIPSHIM_LOOPBACK");
    char library[PATH_ROOM], gpus[16];
    int written;

    if (!directory || !*directory) {
        directory = HIPSHIM_LOOPBACK_DIR;
    }
    written = snprintf(library, sizeof library, "%s/%s", directory, LOOPBACK_LIBRARY);
    if (written < 0 || written >= PATH_ROOM) {
        return tool_complain(request->name, "%s: the name is too long", directory);
    }
    if (access(library, R_OK) != 0) {
        return tool_complain(request->name, "%s: %s; HIPSHIM_LOOPBACK can name another directory",
                             library, strerror(errno));
    }
    if (library[0] != '/' || strpbrk(library, " :;$")) {
        return tool_complain(request->name, "%s: not a name that LD_PRELOAD can hold", library);
    }
    snprintf(gpus, sizeof gpus, "%u", request->gpus);
    if (tool_run_extend("LD_PRELOAD", library, 0) != 0 ||
        tool_run_extend("LD_LIBRARY_PATH", directory, 1) != 0 ||
        /* AddressSanitizer wants to be first, and is: the loopback defines nothing of its. */
        tool_run_extend("ASAN_OPTIONS", "verify_asan_link_order=0", 0) != 0 ||
        setenv("LOOPBACK_GPUS", gpus, 1) != 0 ||
        (request->isa && setenv("LOOPBACK_ISA", request->isa, 1) != 0)) {
        return tool_complain(request->name, "%s", strerror(errno));
    }
    return 0;
}

static int prepare(const struct request *request, const char *path)
{
    if (tool_run_set_abi(request->name, request->abi, request->hip, path) != 0) {
        return RUN_FAILED;
    }
    return request->loopback ? set_loopback(request) : 0;
}

static int start(const struct request *request)
{
    const char *name = request->program[0];
    char path[PATH_ROOM];
    const char *why;
    int error = find_program(name, path);

    if (error != 0) {
        tool_complain(request->name, "%s: %s", name, strerror(error));
        return error == ENOENT || error == ENOTDIR ? RUN_NOT_FOUND : RUN_NOT_RUNNABLE;
    }
    why = privilege(path);
    if (why) {
        tool_complain(request->name, "%s: is %s, and such programs ignore what is set for them",
                      path, why);
        return RUN_FAILED;
    }
    if (prepare(request, path) != 0) {
        return RUN_FAILED;
    }
    execvp(name, request->program);
    error = errno;
    tool_complain(request->name, "%s: %s", path, strerror(error));
    return error == ENOENT ? RUN_NOT_FOUND : RUN_NOT_RUNNABLE;
}

int tool_run_run(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {.name = "abi",
         .key = 'a',
         .arg = "MAJOR",
         .doc = "With hipshim's drop-ins for the libraries of HIP 5, 6 or 7, or what it needs "
                "(auto)"},
        {.name = "hip",
         .key = OPTION_HIP,
         .arg = "PATH",
         .doc = "With this HIP runtime behind hipshim: a library, or a prefix of an installation"},
        {.name = "loopback",
         .key = 'l',
         .arg = "GPUS",
         .flags = OPTION_ARG_OPTIONAL,
         .doc = "With 1 to 8 GPUs made of host memory (1)"},
        {.name = "isa", .key = 'i', .arg = "NAME", .doc = "What these GPUs are (gfx90a)"},
        {0},
    };
    static const struct argp parser = {
        .options = options,
        .parser = parse,
        .args_doc = "[--] PROGRAM [ARGUMENT...]",
        .doc =
            "Run a program with settings of its own.\v"
            "--abi is for programs that were built for another ROCm than is installed; hipshim "
            "scan says for which. It puts the directory of the drop-ins first into "
            "LD_LIBRARY_PATH, and preloads them for a program with a DT_RPATH, which would come "
            "before that. HIPSHIM_DROPIN names the directory of others.\n\n"
            "--loopback is for testing the host side of HIP programs on a machine without a GPU. "
            "It is not an emulator: no device code runs and no result of a kernel is computed. A "
            "launch only completes, unless the program exports a host function "
            "loopback_kernel_NAME that stands in for the kernel NAME. Everything else is the real "
            "HIP runtime at work: memory, copies, streams, events, graphs, modules, argument "
            "packing, errors. It says nothing about kernels, hardware or speed.\n\n"
            "The settings also reach the programs that PROGRAM starts. Setuid and setgid programs "
            "are refused, since they ignore them. LOOPBACK_LOG=1 shows what is refused and why; "
            "HIPSHIM_LOOPBACK names the directory of another loopback.\n\n"
            "Exit status: that of PROGRAM; 125 if this command fails, 126 if PROGRAM cannot be "
            "run, 127 if it is not found.",
    };
    struct request request = {.name = argv[0]};

    argp_err_exit_status = RUN_FAILED;
    argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &request);
    return start(&request);
}
