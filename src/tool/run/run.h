/* SPDX-License-Identifier: MIT */
/* Shared by the files of `hipshim run`. */
#ifndef HIPSHIM_SRC_TOOL_RUN_H
#define HIPSHIM_SRC_TOOL_RUN_H

#include <stdbool.h>

#define RUN_COMMAND "hipshim run"

struct tool_run {
    bool loopback;
    const char *gpus; /* a digit; NULL: that of the environment, or one GPU */
    const char *isa;  /* NULL: the loopback's own choice */
    bool abi;         /* with drop-ins */
    unsigned major;   /* the major of --abi; 0: the one that the program needs */
    const char *with; /* a directory of libraries of the program's own ROCm, or NULL */
    const char *hip;  /* the runtime that hipshim opens; NULL: the one that is found */
    char **program;   /* with its arguments, NULL-terminated */
};

/* Functions that return a bool return false with the error text of the thread, see tool_fail. */

/*
 * Puts the name of a file before or after the list that a variable of the environment has, with a
 * colon between.
 */
bool tool_run_extend(const char *variable, const char *text, bool before);

/* The settings of --abi and --hip for the program at `path`. */
bool tool_run_set_abi(const struct tool_run *run, const char *path);

/*
 * Prints a warning if a setting of the loopback is of no use, if --hip names no HIP runtime, or if
 * --loopback is for a program at `path` that uses libhipshim and there is no runtime or no device.
 * `loopback` is the loopback's library, or NULL.
 */
void tool_run_check_runtime(const struct tool_run *run, const char *path, const char *loopback);

#endif
