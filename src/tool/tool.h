/* SPDX-License-Identifier: MIT */
/*
 * The commands of the program `hipshim`.
 */
#ifndef HIPSHIM_SRC_TOOL_TOOL_H
#define HIPSHIM_SRC_TOOL_TOOL_H

/* Exit statuses, the same for every command. */
enum {
    TOOL_OK = 0,
    TOOL_NO = 1,    /* it worked, and the answer is no: no runtime, ... */
    TOOL_USAGE = 2, /* the command line makes no sense */
    TOOL_OUTPUT = 3 /* standard output cannot be written */
};

/*
 * A command gets its own arguments only; argv[0] is "hipshim <name>", for
 * messages.  It returns the exit status and leaves flushing to main.
 */
struct tool_command {
    const char *name;
    const char *summary; /* for --help, without a full stop */
    int (*run)(int argc, char **argv);
};

/* tool.c: says on stderr what is wrong, behind a command's name; returns -1. */
__attribute__((format(printf, 2, 3))) int tool_complain(const char *command, const char *format,
                                                        ...);

/* tool_info.c: which runtime, how found, what works. */
int tool_info_run(int argc, char **argv);

/* tool_abi.c: what changed in HIP and what hipshim does about it. */
int tool_abi_run(int argc, char **argv);

/* tool_cache.c: the kernel cache, shown, checked, filled and emptied. */
int tool_cache_run(int argc, char **argv);

/* tool_embed.c: kernels compiled for several architectures, as C. */
int tool_embed_run(int argc, char **argv);

/* tool_run.c: a program with settings of its own; statuses as of env(1). */
int tool_run_run(int argc, char **argv);

/* tool_scan.c: which HIP a file was built for, and what it runs on. */
int tool_scan_run(int argc, char **argv);

#endif
