/* SPDX-License-Identifier: MIT */
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static int reset_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    error = error ? error : posix_spawnattr_setsigdefault(attributes, &all);
    return error ? error
                 : posix_spawnattr_setflags(attributes,
                                            POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int connect_streams(posix_spawn_file_actions_t *actions, const struct hs_spawn *spawn)
{
    int error = posix_spawn_file_actions_adddup2(actions, spawn->output, STDOUT_FILENO);

    error = error ? error : posix_spawn_file_actions_adddup2(actions, spawn->error, STDERR_FILENO);
    /* The last, because the others may be 0 in a process that has closed its standard input. */
    return error
               ? error
               : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
}

int hs_spawn_start(const struct hs_spawn *spawn, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    const char *const *environment =
        spawn->environment ? spawn->environment : (const char *const *)environ;
    int error = posix_spawn_file_actions_init(&actions);

    if (error) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = reset_signals(&attributes);
        error = error ? error : connect_streams(&actions, spawn);
        error = error ? error
                      : posix_spawn(child, spawn->program, &actions, &attributes,
                                    (char *const *)spawn->arguments, (char *const *)environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool hs_spawn_wait(pid_t child, int *status)
{
    while (waitpid(child, status, 0) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return true;
}
