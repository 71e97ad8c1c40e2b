/* SPDX-License-Identifier: MIT */
#include <hipshim/hipshim.h>

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

/* A new command is one row here, a line of --help below, one file, and a man page. */
static const struct tool_command {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"abi", tool_abi_run},     {"cache", tool_cache_run}, {"doctor", tool_doctor_run},
    {"embed", tool_embed_run}, {"info", tool_info_run},   {"run", tool_run_run},
    {"scan", tool_scan_run},   {"which", tool_which_run},
};
static const size_t command_count = sizeof commands / sizeof commands[0];

struct invocation {
    const struct tool_command *command;
    int argc;
    char **argv;
    bool wants_json; /* --json before the command */
    bool wants_help; /* "help" before the command */
};

static const struct tool_command *find_command(const char *name)
{
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
    fprintf(stream, "hipshim %s\n", hipshim_version());
}

/* Two words that many programs have as commands. */
static bool parse_common_word(const char *word, struct argp_state *state)
{
    struct invocation *invocation = state->input;

    if (strcmp(word, "version") == 0) {
        print_version(stdout, state);
        exit(TOOL_OK);
    }
    if (strcmp(word, "help") != 0) {
        return false;
    }
    if (state->next == state->argc) {
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    }
    invocation->wants_help = true;
    return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct invocation *invocation = state->input;

    switch (key) {
    case 'j':
        invocation->wants_json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!invocation->wants_help && parse_common_word(argument, state)) {
            return 0;
        }
        invocation->command = find_command(argument);
        if (!invocation->command) {
            argp_error(state, "there is no command \"%s\"", argument);
        }
        /* The other arguments are the command's; argp must not read them. */
        invocation->argc = state->argc - state->next + 1;
        invocation->argv = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a command is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* argp knows --help and -?; -h is what most people type. */
static void accept_h(int argc, char **argv)
{
    static char help[] = "--help";
    if (argc > 1 && strcmp(argv[1], "-h") == 0) {
        argv[1] = help;
    }
}

/*
 * Options before the command become the first ones after it.  Each came from a word before the
 * command, whose place in the list it takes.
 */
static int run(const struct invocation *invocation)
{
    static char json[] = "--json", help[] = "--help", name[64];
    char **words = invocation->argv;
    int count = invocation->argc;

    if (invocation->wants_json) {
        *words-- = json;
        count++;
    }
    if (invocation->wants_help) {
        *words-- = help;
        count++;
    }
    snprintf(name, sizeof name, "hipshim %s", invocation->command->name);
    words[0] = name;
    accept_h(count, words);
    return invocation->command->run(count, words);
}

/* A full disk must not look like success, also of --help, after which argp ends the process. */
static void check_output(void)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("hipshim: cannot write to standard output\n", stderr);
        _exit(TOOL_OUTPUT);
    }
}

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Write JSON, in commands that can; also understood after the command",
     0},
    {0},
};
static const struct argp main_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc = "Shows the HIP runtime of this machine, and helps programs to use it.\v"
           "Commands:\n"
           "  abi        Show how HIP's ABI changed, and how hipshim handles it\n"
           "  cache      Show, check, fill or empty the kernel cache\n"
           "  doctor     Find out why HIP does not work, and what helps\n"
           "  embed      Compile kernels for several GPUs into C sources\n"
           "  info       Show the HIP runtime in use, how it was found, and its functions\n"
           "  run        Run a program over another HIP release, or without a GPU\n"
           "  scan       Show the HIP that a program was built for, and where it runs\n"
           "  which      Print the file of the HIP runtime in use, for scripts\n"
           "\n`hipshim COMMAND --help` or `hipshim help COMMAND` describes a command, `man "
           "hipshim-COMMAND` in more detail.",
};

int main(int argc, char **argv)
{
    struct invocation invocation = {0};

    atexit(check_output);
    argp_program_version_hook = print_version;
    argp_err_exit_status = TOOL_USAGE;
    accept_h(argc, argv);
    argp_parse(&main_argp, argc, argv, ARGP_IN_ORDER, NULL, &invocation);
    if (!invocation.command) {
        return TOOL_USAGE;
    }
    return run(&invocation);
}
