/* SPDX-License-Identifier: MIT */
/*
 * Starts a program without a shell.  Its standard input is /dev/null.  It starts
 * with no signal blocked and none ignored, whatever the calling thread does: a
 * compiler driver that inherits an ignored SIGCHLD cannot wait for its compiler.
 */
#ifndef HIPSHIM_SRC_BASE_SPAWN_H
#define HIPSHIM_SRC_BASE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct hs_spawn {
    const char *program;            /* path; PATH is not searched */
    const char *const *arguments;   /* with the program's name first, NULL last */
    const char *const *environment; /* NULL: that of this process */
    int output;                     /* descriptor for standard output */
    int error;                      /* descriptor for standard error; 2 leaves it as it is */
};

/* 0, or an error number. */
int hs_spawn_start(const struct hs_spawn *spawn, pid_t *child);

/* Sets `status` as waitpid does; false with errno, ECHILD where SIGCHLD is ignored. */
bool hs_spawn_wait(pid_t child, int *status);

#endif
