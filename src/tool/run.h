/* SPDX-License-Identifier: MIT */
/* What the files of `hipshim run` share. */
#ifndef HIPSHIM_SRC_TOOL_RUN_H
#define HIPSHIM_SRC_TOOL_RUN_H

/*
 * Puts `text` before, or behind, what a list in the environment has already,
 * with a colon between; 0, or -1 with errno set.
 */
int tool_run_extend(const char *variable, const char *text, int before);

/*
 * tool_run_abi.c: the settings of --abi and --hip, for the program that lies at
 * `path`.  `abi` is "5", "6", "7", "auto" or NULL, `hip` a path or NULL.
 * Returns 0, or -1 after saying why not.
 */
int tool_run_set_abi(const char *command, const char *abi, const char *hip, const char *path);

#endif
