/* SPDX-License-Identifier: MIT */
/*
 * Compiles with hipcc: a process of its own, started without a shell.  Some
 * releases' hipcc is a script that starts clang through one all the same, and
 * quotes most of what it is given, but not all: what it would not is refused.
 */
#include "kernel/kernel.h"

#include "dispatch/dispatch.h"
#include "base/error.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
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

    return written > 0 && written < PATH_MAX && directory[0] == '/' && hs_path_is_executable(path);
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
                       hs_path_is_executable(path)
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

static int is_plain(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "-_=:+,@./")] == '\0';
}

static int ends_in(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);

    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

static int begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/*
 * Whether hipcc hands an option to its shell as it is: HIP 5's does so with what
 * it takes for libraries, lists of arguments, architectures and outputs; and what
 * it quotes loses line ends.
 */
static int is_risky(const char *option, const char *before)
{
    if (strchr(option, '\n')) {
        return 1;
    }
    return !is_plain(option) &&
           (ends_in(option, ".a") || ends_in(option, ".lo") || begins_with(option, "@") ||
            begins_with(option, "-Wl,@") || begins_with(option, "--amdgpu-target=") ||
            strstr(option, "--amdhsa-code-object-version=") || strcmp(before, "-o") == 0);
}

/* The source's name where it is compiled, as the caller spells it unless hipcc would trip. */
static const char *base_name(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;

    return *base && strlen(base) <= NAME_MAX && !is_risky(base, "") && !ends_in(base, ".a") &&
                   !ends_in(base, ".lo")
               ? base
               : "kernel.hip";
}

static int prepare(struct work *work, const struct hs_kernel_job *job)
{
    const char *base = secure_getenv("TMPDIR");

    /* The output's path is one of those that hipcc does not quote. */
    base = base && base[0] == '/' && is_plain(base) && !strchr(base, '=') ? base : "/tmp";
    if (snprintf(work->directory, sizeof work->directory, "%s/hipshim-XXXXXX", base) >=
            (int)sizeof work->directory - NAME_MAX ||
        !mkdtemp(work->directory)) {
        work->directory[0] = '\0';
        return -1;
    }
    snprintf(work->code, sizeof work->code, "%s/out", work->directory);
    snprintf(work->log, sizeof work->log, "%s/log", work->directory);
    snprintf(work->source, sizeof work->source, "%s/source", work->directory);
    if (mkdir(work->source, 0700) != 0) {
        return -1;
    }
    snprintf(work->source, sizeof work->source, "%s/source/%s", work->directory,
             base_name(job->options.name));
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

/* Signals as a program expects them: with SIGCHLD ignored hipcc could not wait for clang. */
static int start_afresh(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    int error;

    sigemptyset(&none);
    sigfillset(&all);
    error = posix_spawnattr_setsigmask(attributes, &none);
    error = error ? error : posix_spawnattr_setsigdefault(attributes, &all);
    return error ? error
                 : posix_spawnattr_setflags(attributes,
                                            POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* The caller's, but that temporary files are in our directory: clang leaves some behind. */
static const char **environment_of(const char *temporary)
{
    const char **list;
    size_t count = 0, kept = 0;

    while (environ && environ[count]) {
        count++;
    }
    list = calloc(count + 2, sizeof *list);
    for (size_t i = 0; list && i < count && environ[i]; i++) {
        if (!begins_with(environ[i], "TMPDIR=")) {
            list[kept++] = environ[i];
        }
    }
    if (list) {
        list[kept] = temporary;
    }
    return list;
}

static int start(const struct work *work, const char *const *arguments,
                 const char *const *environment, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);

    if (error) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = start_afresh(&attributes);
        error =
            error ? error : posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        error = error ? error
                      : posix_spawn_file_actions_addopen(&actions, 1, work->log,
                                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        error = error ? error : posix_spawn_file_actions_adddup2(&actions, 1, 2);
        error = error ? error
                      : posix_spawn(child, work->hipcc, &actions, &attributes,
                                    (char *const *)arguments, (char *const *)environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* The exit status, or -1 with errno. */
static int spawn(const struct work *work, const char *const *arguments)
{
    char temporary[PATH_MAX];
    const char **environment;
    pid_t child;
    int status, error;

    snprintf(temporary, sizeof temporary, "TMPDIR=%s", work->directory);
    environment = environment_of(temporary);
    error = environment ? start(work, arguments, environment, &child) : ENOMEM;
    free(environment);
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

/*
 * Has the code name the source as the caller does, and not where it lies for the
 * moment, which is another place each time.
 */
static char *map_names(const struct work *work, const struct hs_kernel_job *job)
{
    const char *name = job->options.name;
    int odd = strchr(name, '\n') || ends_in(name, ".a") || ends_in(name, ".lo");
    char *option;

    return asprintf(&option, "-ffile-prefix-map=%s=%s", work->source, odd ? "kernel.hip" : name) < 0
               ? NULL
               : option;
}

/*
 * An identity for the unit.  Without one clang makes it of where the source lies,
 * and names a symbol by it.
 */
static void identify(const struct hs_kernel_job *job, char *option, size_t size)
{
    unsigned char sum[HS_SHA256_SIZE];
    char hex[HS_CACHE_HEX];

    hs_sha256_of(job->options.source, strlen(job->options.source), sum);
    hs_cache_hex(sum, hex);
    snprintf(option, size, "-cuid=%.16s", hex);
}

static int run(const struct work *work, const struct hs_kernel_job *job)
{
    const char **arguments = calloc(job->options.option_count + FIXED_ARGUMENTS, sizeof *arguments);
    char arch[HS_ARCH_ROOM + 20], include[PATH_MAX], headers[PATH_MAX + 40], identity[40];
    char *source = map_names(work, job);
    size_t count = 0;
    int status = -1;

    errno = ENOMEM;
    if (arguments && source) {
        snprintf(arch, sizeof arch, "--offload-arch=%s", job->arch);
        snprintf(include, sizeof include, "-I%s/include", work->directory);
        snprintf(headers, sizeof headers, "-ffile-prefix-map=%s/include/=", work->directory);
        identify(job, identity, sizeof identity);
        arguments[count++] = work->hipcc;
        arguments[count++] = "--genco";
        arguments[count++] = arch;
        arguments[count++] = include; /* what is given comes before what is found by -I */
        for (size_t i = 0; i < job->options.option_count; i++) {
            arguments[count++] = job->options.options[i];
        }
        arguments[count++] = headers;
        arguments[count++] = identity;
        arguments[count++] = source;
        arguments[count++] = "-o";
        arguments[count++] = work->code;
        arguments[count++] = "-x";
        arguments[count++] = "hip";
        arguments[count++] = work->source;
        status = spawn(work, arguments);
    }
    free(arguments);
    free(source);
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

/* The log with the names that the caller knows; frees the one given. */
static char *translate(char *log, const struct work *work, const char *name)
{
    char include[PATH_MAX], *text = NULL, *at = log;
    size_t size, source_length = strlen(work->source), include_length, directory_length;
    FILE *stream = log ? open_memstream(&text, &size) : NULL;

    if (!stream) {
        return log;
    }
    snprintf(include, sizeof include, "%s/include/", work->directory);
    include_length = strlen(include);
    directory_length = strlen(work->directory) + 1;
    while (*at) {
        if (strncmp(at, work->source, source_length) == 0) {
            fputs(name, stream);
            at += source_length;
        } else if (strncmp(at, include, include_length) == 0) {
            at += include_length;
        } else if (strncmp(at, include, directory_length) == 0) {
            at += directory_length; /* some hipcc show their whole command */
        } else {
            putc(*at++, stream);
        }
    }
    if (fclose(stream) != 0 || !text) {
        free(text);
        return log;
    }
    free(log);
    return text;
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
    output->log = translate(load(work->log, &size), work, job->options.name);
    output->code = status == 0 ? load(work->code, &output->code_size) : NULL;
    if (!output->code || output->code_size == 0) {
        hs_error_set("%.100s does not compile for %s with %.200s (exit status %d); the log says "
                     "why",
                     job->options.name, job->arch, work->hipcc, status);
        return HIPSHIM_ERROR_COMPILATION;
    }
    return HIPSHIM_OK;
}

/* The option that hipcc must not get, or NULL. */
static const char *risky_option(const struct hs_kernel_job *job)
{
    for (size_t i = 0; i < job->options.option_count; i++) {
        if (is_risky(job->options.options[i], i ? job->options.options[i - 1] : "")) {
            return job->options.options[i];
        }
    }
    return NULL;
}

hipshim_status_t hs_hipcc_compile(const struct hs_kernel_job *job,
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
    } else if (risky_option(job)) {
        hs_error_set("%.100s: hipcc may hand the option \"%.200s\" to a shell as it is",
                     job->options.name, risky_option(job));
        status = HIPSHIM_ERROR_SYSTEM;
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
