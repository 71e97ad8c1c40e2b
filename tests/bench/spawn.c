/* SPDX-License-Identifier: MIT */
/*
 * spawn wall|own ROUNDS COMMAND ARG... -- COMMAND ARG... [-- ...]
 *
 * Runs every command in every round, starting with another one each time.
 * The sample is the wall time from posix_spawn to the end of the process, or
 * (own) the nanoseconds that the process prints.  Prints for each command the
 * median in ns, the least in ns, and the median ratio to the first command.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sample.h"

enum { COMMAND_ROOM = 8, ROUND_ROOM = 2000 };

extern char **environ;

static double samples[COMMAND_ROOM][ROUND_ROOM];

static double run(char **command, int own)
{
    posix_spawn_file_actions_t actions;
    char text[64] = "";
    double start, end;
    int ends[2], status;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        perror("spawn: pipe");
        exit(1);
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    start = sample_now();
    if (posix_spawn(&child, command[0], &actions, NULL, command, environ) != 0) {
        fprintf(stderr, "spawn: cannot run %s\n", command[0]);
        exit(1);
    }
    if (waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "spawn: %s: status %d\n", command[0], status);
        exit(1);
    }
    end = sample_now();
    if (own && read(ends[0], text, sizeof text - 1) <= 0) {
        fprintf(stderr, "spawn: %s: printed nothing\n", command[0]);
        exit(1);
    }
    close(ends[0]);
    close(ends[1]);
    posix_spawn_file_actions_destroy(&actions);
    return own ? strtod(text, NULL) : end - start;
}

static unsigned split(char **argv, char ***commands)
{
    unsigned count = 0;

    commands[count++] = argv;
    for (; *argv; argv++) {
        if (strcmp(*argv, "--") == 0 && count < COMMAND_ROOM) {
            *argv = NULL;
            commands[count++] = argv + 1;
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    static double ratios[ROUND_ROOM];
    char **commands[COMMAND_ROOM];

    if (argc < 4) {
        fprintf(stderr, "usage: spawn wall|own ROUNDS COMMAND ARG... [-- COMMAND ARG...]\n");
        return 2;
    }
    int own = strcmp(argv[1], "own") == 0;
    unsigned rounds = (unsigned)strtoul(argv[2], NULL, 10);
    unsigned count = split(argv + 3, commands);

    if (rounds < 1 || rounds > ROUND_ROOM) {
        return 2;
    }
    /* The first time of each warms the page cache. */
    for (unsigned i = 0; i < count; i++) {
        run(commands[i], own);
    }
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < count; i++) {
            unsigned which = (round + i) % count;

            samples[which][round] = run(commands[which], own);
        }
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned round = 0; round < rounds; round++) {
            ratios[round] = samples[i][round] / samples[0][round];
        }
        printf("%.0f %.0f %.4f\n", sample_median(samples[i], rounds),
               sample_least(samples[i], rounds), sample_median(ratios, rounds));
    }
    return 0;
}
