/* SPDX-License-Identifier: MIT */
/*
 * Compiles in a process of its own: writes the source and headers to a temporary
 * directory, starts clang++ or hipcc without a shell, and reads its output.
 */
#include "kernel/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hex.h"
#include "base/program.h"
#include "base/read.h"
#include "base/sha256.h"
#include "base/spawn.h"
#include "base/texts.h"
#include "base/variable.h"
#include "base/words.h"

struct offline {
    struct hs_driver driver;
    char directory[PATH_MAX - 64]; /* temporary; "" if there is none */
    char source[PATH_MAX], code[PATH_MAX], log[PATH_MAX];
};

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wxe");

    if (!file) {
        return false;
    }
    bool is_written = fputs(text, file) != EOF;

    return fclose(file) == 0 && is_written;
}

/* Writes a header below include/, and the directories above it. */
static bool write_header(const struct offline *offline, const hipshim_kernel_header_t *header)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/include/%s", offline->directory, header->name) >=
        PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *at = path + strlen(offline->directory) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            return false;
        }
        *at = '/';
    }
    return write_text(path, header->text);
}

/* hipcc takes such a name for a library. */
static bool is_library_name(const char *name)
{
    return hs_text_ends(name, ".a") || hs_text_ends(name, ".lo");
}

/* The last part of a path, as the caller spells it, unless hipcc's shell would interpret it. */
static const char *source_name(const struct offline *offline, const char *name)
{
    const char *base = hs_program_base(name);

    return *base && strlen(base) <= NAME_MAX &&
                   !(offline->driver.is_hipcc &&
                     (is_library_name(base) || hs_driver_is_risky(base, "")))
               ? base
               : "kernel.hip";
}

/*
 * hipcc does not quote the path of the output, and -ffile-prefix-map ends at the
 * first "=", so a TMPDIR with such characters is not used.
 */
static const char *temporary_base(void)
{
    const char *base = hs_variable_path("TMPDIR");

    if (base && (strchr(base, '=') || hs_driver_is_risky(base, "-o"))) {
        hs_variable_refuse("TMPDIR", base, "a path without characters of the shell, and not =");
        base = NULL;
    }
    return base ? base : "/tmp";
}

static bool write_files(struct offline *offline, const struct hs_kernel_job *job)
{
    if (snprintf(offline->directory, sizeof offline->directory, "%s/hipshim-XXXXXX",
                 temporary_base()) >= (int)sizeof offline->directory - NAME_MAX ||
        !mkdtemp(offline->directory)) {
        offline->directory[0] = '\0';
        return false;
    }
    snprintf(offline->code, sizeof offline->code, "%s/out", offline->directory);
    snprintf(offline->log, sizeof offline->log, "%s/log", offline->directory);
    snprintf(offline->source, sizeof offline->source, "%s/source", offline->directory);
    if (mkdir(offline->source, 0700) != 0) {
        return false;
    }
    snprintf(offline->source, sizeof offline->source, "%s/source/%s", offline->directory,
             source_name(offline, job->options.name));
    for (size_t i = 0; i < job->options.header_count; i++) {
        if (!write_header(offline, &job->options.headers[i])) {
            return false;
        }
    }
    return write_text(offline->source, job->options.source);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    (void)remove(path);
    return 0;
}

/*
 * Without the version clang++ looks for files that not every package has, and
 * declares nothing of HIP if it finds none.
 */
static void add_version(struct hs_words *command, const char *rocm)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/include/hip/hip_version.h", rocm);
    long major = hs_read_number(path, "#define HIP_VERSION_MAJOR ");

    if (major > 0) {
        hs_words_add(command, "--hip-version=%ld.%ld.%ld", major,
                     hs_read_number(path, "#define HIP_VERSION_MINOR "),
                     hs_read_number(path, "#define HIP_VERSION_PATCH "));
    }
}

/* hipcc adds these itself. */
static void add_clang_options(struct hs_words *command, const struct hs_driver *driver,
                              const struct hs_kernel_job *job)
{
    hs_words_add(command, "-O3");
    hs_words_add(command, "-mllvm");
    hs_words_add(command, "-amdgpu-early-inline-all=true");
    hs_words_add(command, "-mllvm");
    hs_words_add(command, "-amdgpu-function-calls=false");
    hs_words_add(command, "--rocm-path=%s", driver->rocm);
    if (*driver->device_libs) {
        hs_words_add(command, "--hip-device-lib-path=%s", driver->device_libs);
    }
    if (!job->is_release_given) {
        add_version(command, driver->rocm);
    }
    hs_words_add(command, "--cuda-device-only");
}

/*
 * Makes the code independent of the temporary directory.  The code has the caller's name
 * of the source.  The unit has an explicit identity, which clang would otherwise derive
 * from the source's path and use in the names of symbols.
 */
static void add_reproducibility(struct hs_words *command, const struct offline *offline,
                                const struct hs_kernel_job *job)
{
    const char *name = job->options.name;
    bool is_odd = strchr(name, '\n') || is_library_name(name);
    unsigned char digest[HS_SHA256_SIZE];
    char hex[2 * HS_SHA256_SIZE + 1];

    hs_sha256_of(job->options.source, strlen(job->options.source), digest);
    hs_hex_write(hex, digest, sizeof digest);
    hs_words_add(command, "-ffile-prefix-map=%s/include/=", offline->directory);
    hs_words_add(command, "-cuid=%.16s", hex);
    hs_words_add(command, "-ffile-prefix-map=%s=%s", offline->source,
                 is_odd && offline->driver.is_hipcc ? "kernel.hip" : name);
}

static void make_command(struct hs_words *command, const struct offline *offline,
                         const struct hs_kernel_job *job)
{
    hs_words_add(command, "%s", offline->driver.program);
    if (offline->driver.is_hipcc) {
        hs_words_add(command, "--genco");
    } else {
        add_clang_options(command, &offline->driver, job);
    }
    if (job->is_release_given) {
        hs_words_add(command, "--hip-version=%s", job->release);
    }
    hs_words_add(command, "--offload-arch=%s", job->arch);
    /* Before the caller's options, so that a header that was given comes before one in a file. */
    hs_words_add(command, "-I%s/include", offline->directory);
    for (size_t i = 0; i < job->options.option_count; i++) {
        hs_words_add(command, "%s", job->options.options[i]);
    }
    add_reproducibility(command, offline, job);
    hs_words_add(command, "-o");
    hs_words_add(command, "%s", offline->code);
    hs_words_add(command, "-x");
    hs_words_add(command, "hip");
    hs_words_add(command, "%s", offline->source);
}

/* The environment of this process with TMPDIR, because clang leaves temporary files behind. */
static void make_environment(struct hs_words *environment, const struct offline *offline)
{
    for (char **one = environ; one && *one; one++) {
        if (!hs_text_begins(*one, "TMPDIR=")) {
            hs_words_add(environment, "%s", *one);
        }
    }
    hs_words_add(environment, "TMPDIR=%s", offline->directory);
}

/* The exit status, 128 and the number of a signal, or -1 with errno. */
static int run(const struct offline *offline, const struct hs_kernel_job *job)
{
    struct hs_words command = {0}, environment = {0};
    int log = open(offline->log, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), status = 0;
    pid_t child;

    if (log < 0) {
        return -1;
    }
    make_command(&command, offline, job);
    make_environment(&environment, offline);
    const struct hs_spawn spawn = {.program = offline->driver.program,
                                   .arguments = (const char *const *)command.items,
                                   .environment = (const char *const *)environment.items,
                                   .output = log,
                                   .error = log};
    int error = command.is_incomplete || environment.is_incomplete ? ENOMEM
                                                                   : hs_spawn_start(&spawn, &child);

    close(log);
    hs_words_free(&command);
    hs_words_free(&environment);
    if (error) {
        errno = error;
        return -1;
    }
    if (!hs_spawn_wait(child, &status) && errno != ECHILD) {
        return -1;
    }
    /* With ECHILD the caller ignores SIGCHLD; whether there is code tells how it ended. */
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/*
 * The compiler's output of that name; NULL if it is not a regular file.
 * O_NONBLOCK, so that opening a FIFO does not block.
 */
static char *read_output(const char *path, size_t *size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    *size = 0;
    if (fd < 0) {
        return NULL;
    }
    char *data =
        fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? hs_read_descriptor(fd, size) : NULL;

    close(fd);
    return data;
}

/* The log with the caller's names for source and headers; frees the one given. */
static char *rename_paths(char *log, const struct offline *offline, const char *name)
{
    char include[PATH_MAX], directory[PATH_MAX], *text = NULL;
    /* Some hipcc print their whole command, where the directory stands alone. */
    const char *const names[][2] = {{offline->source, name}, {include, ""}, {directory, ""}};
    size_t size, i;
    FILE *stream = log ? open_memstream(&text, &size) : NULL;

    if (!stream) {
        return log;
    }
    snprintf(include, sizeof include, "%s/include/", offline->directory);
    snprintf(directory, sizeof directory, "%s/", offline->directory);
    for (const char *at = log; *at; at += i < 3 ? strlen(names[i][0]) : 1) {
        for (i = 0; i < 3 && !hs_text_begins(at, names[i][0]); i++) {
        }
        if (i < 3) {
            fputs(names[i][1], stream);
        } else {
            putc(*at, stream);
        }
    }
    if (fclose(stream) != 0 || !text) {
        free(text);
        return log;
    }
    free(log);
    return text;
}

static hipshim_status_t take_result(const struct offline *offline, const struct hs_kernel_job *job,
                                    int status, struct hs_kernel_output *output)
{
    size_t size;

    if (status < 0) {
        hs_error_set("%.200s cannot be run for %.100s: %s", offline->driver.program,
                     job->options.name, strerror(errno));
        return HIPSHIM_ERROR_SYSTEM;
    }
    output->log = rename_paths(read_output(offline->log, &size), offline, job->options.name);
    output->code = status == 0 ? read_output(offline->code, &output->code_size) : NULL;
    if (!output->code || output->code_size == 0) {
        hs_error_set("%.100s does not compile for %s with %.200s (exit status %d); the log has "
                     "the reason",
                     job->options.name, job->arch, offline->driver.program, status);
        return HIPSHIM_ERROR_COMPILATION;
    }
    return HIPSHIM_OK;
}

/* The first option that hipcc would hand to its shell, or NULL. */
static const char *risky_option(const struct offline *offline, const struct hs_kernel_job *job)
{
    const char *before = "";

    for (size_t i = 0; offline->driver.is_hipcc && i < job->options.option_count; i++) {
        if (hs_driver_is_risky(job->options.options[i], before)) {
            return job->options.options[i];
        }
        before = job->options.options[i];
    }
    return NULL;
}

static hipshim_status_t compile(struct offline *offline, const struct hs_kernel_job *job,
                                struct hs_kernel_output *output)
{
    const char *hipcc = job->options.hipcc, *risky;

    /* A process with raised privileges must not start programs that its environment chooses. */
    if (getauxval(AT_SECURE) || !hs_driver_find(job, &offline->driver)) {
        hs_error_set("there is no hipcc%s%.200s; set ROCM_PATH, or name it in the options",
                     hipcc ? ": " : "", hipcc ? hipcc : "");
        return HIPSHIM_ERROR_NO_COMPILER;
    }
    if ((risky = risky_option(offline, job)) != NULL) {
        hs_error_set("%.100s: hipcc may pass the option \"%.200s\" to a shell unquoted",
                     job->options.name, risky);
        return HIPSHIM_ERROR_SYSTEM;
    }
    if (!write_files(offline, job)) {
        hs_error_set("%.100s cannot be written for %.200s: %s; TMPDIR names the directory",
                     job->options.name, offline->driver.program, strerror(errno));
        return HIPSHIM_ERROR_SYSTEM;
    }
    return take_result(offline, job, run(offline, job), output);
}

hipshim_status_t hs_offline_compile(const struct hs_kernel_job *job,
                                    struct hs_kernel_output *output)
{
    memset(output, 0, sizeof *output);
    if (job->options.expression_count > 0) {
        hs_error_set("clang++ and hipcc report no lowered names; only hiprtc does");
        return HIPSHIM_ERROR_NO_COMPILER;
    }
    struct offline *offline = calloc(1, sizeof *offline);

    if (!offline) {
        hs_error_set("hipshim_kernel_compile: no memory");
        return HIPSHIM_ERROR_NO_MEMORY;
    }
    hipshim_status_t status = compile(offline, job, output);

    if (offline->directory[0]) {
        nftw(offline->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    }
    free(offline);
    return status;
}
