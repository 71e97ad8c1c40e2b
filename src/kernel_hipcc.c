/* SPDX-License-Identifier: MIT */
/*
 * Compiles with hipcc: a process of its own, started without a shell.
 */
#include "kernel.h"

#include "dispatch.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIXED_ARGUMENTS = 16 };

struct work {
    char directory[PATH_MAX - 64]; /* "" if there is none */
    char hipcc[PATH_MAX];
    char source[PATH_MAX], code[PATH_MAX], log[PATH_MAX];
};

static int usable(char path[PATH_MAX], const char *directory, size_t length, const char *below)
{
    int written = snprintf(path, PATH_MAX, "%.*s/%s", (int)length, directory, below);

    return written > 0 && written < PATH_MAX && directory[0] == '/' && access(path, X_OK) == 0;
}

static int find_beside(char path[PATH_MAX], const char *library)
{
    /* <prefix>/lib/libamdhip64.so, or one directory more, lib/<triple>. */
    const char *end = library ? strrchr(library, '/') : NULL;

    for (int up = 0; end && up < 3; up++) {
        if (end > library && usable(path, library, (size_t)(end - library), "bin/hipcc")) {
            return 0;
        }
        end = memrchr(library, '/', (size_t)(end - library));
    }
    return -1;
}

static int find_hipcc(const struct hs_kernel_job *job, char path[PATH_MAX])
{
    static const char *const prefixes[] = {"HIP_PATH", "ROCM_PATH", "ROCM_HOME"};
    const char *list = secure_getenv("PATH");

    if (job->options.hipcc) {
        return (size_t)snprintf(path, PATH_MAX, "%s", job->options.hipcc) < PATH_MAX &&
                       access(path, X_OK) == 0
                   ? 0
                   : -1;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const char *prefix = secure_getenv(prefixes[i]);

        if (prefix && *prefix && usable(path, prefix, strlen(prefix), "bin/hipcc")) {
            return 0;
        }
    }
    if (find_beside(path, hs_dispatch_runtime()->path) == 0) {
        return 0;
    }
    while (list && *list) {
        size_t length = strcspn(list, ":");

        if (length > 0 && usable(path, list, length, "hipcc")) {
            return 0;
        }
        list += length + (list[length] == ':');
    }
    return -1;
}

static int write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wxe");
    int failed;

    if (!file) {
        return -1;
    }
    failed = fputs(text, file) == EOF;
    return fclose(file) != 0 || failed ? -1 : 0;
}

/* A header's file and the directories above it, all within ours. */
static int write_header(const struct work *work, const hipshim_kernel_header_t *header)
{
    char path[PATH_MAX];
    char *at;

    if (header->name[0] == '/' || strstr(header->name, "..") ||
        snprintf(path, sizeof path, "%s/include/%s", work->directory, header->name) >= PATH_MAX) {
        errno = EINVAL;
        return -1;
    }
    for (at = path + strlen(work->directory) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            return -1;
        }
        *at = '/';
    }
    return write_text(path, header->text);
}

static int prepare(struct work *work, const struct hs_kernel_job *job)
{
    const char *base = secure_getenv("TMPDIR"), *name = strrchr(job->options.name, '/');

    name = name ? name + 1 : job->options.name;
    if (snprintf(work->directory, sizeof work->directory, "%s/hipshim-XXXXXX",
                 base && base[0] == '/' ? base : "/tmp") >=
            (int)sizeof work->directory - NAME_MAX ||
        strlen(name) > NAME_MAX || !mkdtemp(work->directory)) {
        work->directory[0] = '\0';
        return -1;
    }
    snprintf(work->code, sizeof work->code, "%s/out", work->directory);
    snprintf(work->log, sizeof work->log, "%s/log", work->directory);
    snprintf(work->source, sizeof work->source, "%s/source", work->directory);
    if (mkdir(work->source, 0700) != 0) {
        return -1;
    }
    snprintf(work->source, sizeof work->source, "%s/source/%s", work->directory, name);
    for (size_t i = 0; i < job->options.header_count; i++) {
        if (write_header(work, &job->options.headers[i]) != 0) {
            return -1;
        }
    }
    return write_text(work->source, job->options.source);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    (void)remove(path);
    return 0;
}

/* The exit status, or -1 with errno. */
static int spawn(const struct work *work, const char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status, error;

    error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        error = error ? error
                      : posix_spawn_file_actions_addopen(&actions, 1, work->log,
                                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        error = error ? error : posix_spawn_file_actions_adddup2(&actions, 1, 2);
        error = error ? error
                      : posix_spawn(&child, work->hipcc, &actions, NULL, (char *const *)arguments,
                                    environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (error) {
        errno = error;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno == ECHILD) {
            return 0; /* SIGCHLD is ignored here: what it wrote tells, or is missing */
        }
        if (errno != EINTR) {
            return -1;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run(const struct work *work, const struct hs_kernel_job *job)
{
    const char **arguments = calloc(job->options.option_count + FIXED_ARGUMENTS, sizeof *arguments);
    char arch[HS_KERNEL_ARCH + 20], include[PATH_MAX];
    size_t count = 0;
    int status;

    if (!arguments) {
        errno = ENOMEM;
        return -1;
    }
    snprintf(arch, sizeof arch, "--offload-arch=%s", job->arch);
    snprintf(include, sizeof include, "-I%s/include", work->directory);
    arguments[count++] = work->hipcc;
    arguments[count++] = "--genco";
    arguments[count++] = arch;
    for (size_t i = 0; i < job->options.option_count; i++) {
        arguments[count++] = job->options.options[i];
    }
    arguments[count++] = include;
    arguments[count++] = "-o";
    arguments[count++] = work->code;
    arguments[count++] = "-x";
    arguments[count++] = "hip";
    arguments[count++] = work->source;
    status = spawn(work, arguments);
    free(arguments);
    return status;
}

static void *load(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *data = NULL;

    if (fd >= 0) {
        data = hs_cache_load(fd, size);
        close(fd);
    }
    if (data) {
        data[*size] = '\0'; /* hs_cache_load leaves room */
    }
    return data;
}

static hipshim_status_t outcome(const struct work *work, const struct hs_kernel_job *job,
                                int status, struct hs_kernel_output *output)
{
    size_t size;

    if (status < 0) {
        hs_error_set("%.200s cannot be run for %.100s: %s", work->hipcc, job->options.name,
                     strerror(errno));
        return HIPSHIM_ERROR_SYSTEM;
    }
    output->log = load(work->log, &size);
    output->code = status == 0 ? load(work->code, &output->code_size) : NULL;
    if (!output->code || output->code_size == 0) {
        hs_error_set("%.100s does not compile for %s with %.200s (exit status %d); the log says "
                     "why",
                     job->options.name, job->arch, work->hipcc, status);
        return HIPSHIM_ERROR_COMPILATION;
    }
    return HIPSHIM_OK;
}

hipshim_status_t hs_kernel_hipcc_compile(const struct hs_kernel_job *job,
                                         struct hs_kernel_output *output)
{
    struct work *work;
    hipshim_status_t status;

    memset(output, 0, sizeof *output);
    if (job->options.expression_count > 0) {
        hs_error_set("hipcc has no lowered names: it needs hiprtc to tell those of expressions");
        return HIPSHIM_ERROR_NO_COMPILER;
    }
    work = calloc(1, sizeof *work);
    if (!work) {
        hs_error_set("no memory to run hipcc");
        return HIPSHIM_ERROR_NO_MEMORY;
    }
    if (getauxval(AT_SECURE) || find_hipcc(job, work->hipcc) != 0) {
        hs_error_set("there is no hipcc%s%.200s; set ROCM_PATH, or name it in the options",
                     job->options.hipcc ? ": " : "", job->options.hipcc ? job->options.hipcc : "");
        status = HIPSHIM_ERROR_NO_COMPILER;
    } else if (prepare(work, job) != 0) {
        hs_error_set("%.100s cannot be written for hipcc: %s", job->options.name, strerror(errno));
        status = HIPSHIM_ERROR_SYSTEM;
    } else {
        status = outcome(work, job, run(work, job), output);
    }
    if (work->directory[0]) {
        nftw(work->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    }
    free(work);
    return status;
}
