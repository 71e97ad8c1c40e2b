/* SPDX-License-Identifier: MIT */
/* Shared by the commands of the program `hipshim`. */
#ifndef HIPSHIM_SRC_TOOL_TOOL_H
#define HIPSHIM_SRC_TOOL_TOOL_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit statuses, the same for every command but `run`. */
enum {
    TOOL_OK = 0,
    TOOL_NO = 1,    /* the command worked and the answer is no: no runtime, ... */
    TOOL_USAGE = 2, /* the command line is wrong */
    TOOL_OUTPUT = 3 /* standard output cannot be written */
};

/* Prints the command's name and a message to stderr; returns -1. */
__attribute__((format(printf, 2, 3))) int tool_complain(const char *command, const char *format,
                                                        ...);

/*
 * Sets the error text of the thread; returns false.  A function deep in a command fails by this,
 * and its command prints the text once.
 */
__attribute__((format(printf, 1, 2))) bool tool_fail(const char *format, ...);

/* Room for a path. */
enum { TOOL_PATH_ROOM = 4096 };

/*
 * The command line of most commands: `tool_words_option` reads --json and the words into a struct
 * tool_words, and notes each option.  The input of a parser that calls it begins with one, and the
 * keys of its options are below 128.  If it is closed, argp refuses words.
 */
enum { TOOL_WORDS_KEYS = 128 };
struct tool_words {
    char **words;
    int count;
    bool json, is_closed;
    bool given[TOOL_WORDS_KEYS]; /* by key */
};

/* An action of a command: a word, then a fixed number of arguments. */
struct tool_action {
    const char *name;
    const char *arguments;                             /* as in the usage line, or "" */
    int argument_count;                                /* -1: at least one */
    const char *options;                               /* the keys of those that it takes */
    int (*run)(const void *request, char **arguments); /* the request begins with the words */
};

/*
 * Runs the action that the words begin with.  Without a word, with an unknown one, with an option
 * that the action does not take, or with a wrong number of arguments, it says so on stderr and
 * returns TOOL_USAGE; no action is a default.
 */
int tool_action_run(const char *command, const struct argp *argp, const struct tool_action *actions,
                    size_t count, const struct tool_words *words);

#define TOOL_JSON_OPTION                                                                           \
    {                                                                                              \
        .name = "json", .key = 'j', .doc = "Write JSON, for programs"                              \
    }
error_t tool_words_option(int key, char *argument, struct argp_state *state);
/* Ends the program unless the name, given to `option`, may be one of a GPU, or is "". */
void tool_check_architecture(const char *option, const char *name, const struct argp_state *state);

/*
 * The commands.  Each gets its own arguments; argv[0] is "hipshim <name>", for messages.  It
 * returns the exit status and leaves flushing to main.
 */
int tool_abi_run(int argc, char **argv);
int tool_cache_run(int argc, char **argv);
int tool_doctor_run(int argc, char **argv); /* 2 also for warnings */
int tool_embed_run(int argc, char **argv);
int tool_info_run(int argc, char **argv);
int tool_run_run(int argc, char **argv); /* exit statuses as env(1) */
int tool_scan_run(int argc, char **argv);
int tool_which_run(int argc, char **argv);

#endif
