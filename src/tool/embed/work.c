/* SPDX-License-Identifier: MIT */
/*
 * Compiles in processes of their own, several at once.  A compiler may end its
 * process on an architecture that it does not know; then only one result is lost,
 * and the output of the process is the reason.
 */
#include "tool/embed/embed.h"

#include <hipshim/hipshim.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler_inputs.h"
#include "base/program.h"
#include "base/read.h"
#include "base/zstd.h"
#include "tool/terminal.h"

struct worker {
    pid_t pid; /* 0: none */
    int answer, output;
    size_t job;
};

/*
 * Adds the directory of the source and those of -I.  They are absolute, because a compiler may
 * change its directory.
 */
static void add_includes(struct hs_words *options, const struct embed_request *request,
                         const struct embed_source *source)
{
    int length = (int)(hs_program_base(source->path) - source->path);
    char own[TOOL_PATH_ROOM], path[PATH_MAX];

    snprintf(own, sizeof own, "%.*s.", length, source->path);
    for (size_t i = 0; i <= request->directories.count; i++) {
        if (realpath(i ? request->directories.items[i - 1] : own, path)) {
            hs_words_add(options, "-I%s", path);
        }
    }
}

/* In the worker: writes the result, its log and error text with their ends, and its code. */
static bool write_answer(int fd, const struct embed_result *result, const void *code)
{
    FILE *file = fdopen(fd, "w");

    if (file) {
        fwrite(result, sizeof *result, 1, file);
        fwrite(result->log, 1, strlen(result->log) + 1, file);
        fwrite(result->error, 1, strlen(result->error) + 1, file);
        fwrite(code ? code : "", 1, result->code_size, file);
    }
    return file && fflush(file) == 0 && !ferror(file);
}

/* In the worker: passes on the result, compressed if asked for. */
static bool hand_over(const struct embed_request *request, int fd, hipshim_status_t status,
                      const hipshim_kernel_t *kernel)
{
    struct embed_result result = {
        .status = status,
        .log = (char *)hipshim_kernel_log(kernel),
        .error = (char *)(status == HIPSHIM_OK ? "" : hipshim_error_text()),
    };
    char reason[HS_ZSTD_REASON];

    const void *code = hipshim_kernel_code(kernel, &result.code_size);
    snprintf(result.arch, sizeof result.arch, "%s", hipshim_kernel_arch(kernel));
    if (code && request->compress) {
        result.plain_size = result.code_size;
        code = hs_zstd_pack(code, result.plain_size, &result.code_size, reason);
        if (!code) {
            result.status = HIPSHIM_ERROR_SYSTEM;
            result.error = reason;
        }
    }
    result.code_size = code ? result.code_size : 0;
    return write_answer(fd, &result, code);
}

/* The headers of a CUDA source, whose files have CUDA in them.  NULL without memory; not freed. */
static const hipshim_kernel_header_t *give_headers(const struct embed_source *source, size_t *count)
{
    size_t all = source->was_cuda ? source->header_texts.count : 0;
    hipshim_kernel_header_t *headers = calloc(all + 1, sizeof *headers);

    for (size_t i = 0; headers && i < all; i++) {
        headers[i].name = source->header_names.items[i];
        headers[i].text = source->header_texts.items[i];
    }
    *count = all;
    return headers;
}

static void compile(const struct embed_request *request, size_t job, int fd)
{
    const struct embed_source *source = &request->sources[job / request->architectures.count];
    struct hs_words list = request->options; /* of this process, which adds its own */
    const char *const *given = (const char *const *)list.items;
    hipshim_kernel_options_t options = {
        .size = sizeof options,
        .source = source->was_cuda ? source->rewritten_text : source->text,
        .name = source->path,
        .arch = request->architectures.items[job % request->architectures.count],
        .flags = (request->hipcc ? HIPSHIM_KERNEL_HIPCC : 0u) |
                 (request->force ? HIPSHIM_KERNEL_NO_CACHE : 0u),
        .hipcc = request->hipcc && *request->hipcc ? request->hipcc : NULL,
    };
    hipshim_kernel_t *kernel = NULL;

    if (!source->may_read_other_files && !hs_compiler_options_may_read(given, list.count)) {
        options.files = (const char *const *)source->header_paths.items;
        options.file_count = source->header_paths.count;
    }
    if (request->directories.count + source->header_paths.count > 0 ||
        source->may_read_other_files) {
        add_includes(&list, request, source);
    }
    options.options = (const char *const *)list.items;
    options.option_count = list.count;
    options.headers = give_headers(source, &options.header_count);
    if (!options.headers || list.is_incomplete) {
        _exit(1);
    }
    hipshim_status_t status = hipshim_kernel_compile(&options, &kernel);

    /* Without exit handlers, because those of some runtimes hang without a GPU. */
    _exit(hand_over(request, fd, status, kernel) ? 0 : 1);
}

static bool start(const struct embed_request *request, struct worker *worker, size_t job)
{
    worker->answer = hs_memory_file("answer");
    worker->output = hs_memory_file("output");
    worker->job = job;
    fflush(NULL);
    worker->pid = worker->answer >= 0 && worker->output >= 0 ? fork() : -1;
    if (worker->pid == 0) {
        dup2(worker->output, 1);
        dup2(worker->output, 2);
        compile(request, job, worker->answer);
    }
    if (worker->pid < 0) {
        worker->pid = 0;
        return tool_fail("no process to compile in: %s", strerror(errno));
    }
    return true;
}

/* Reads a worker's file from its beginning and closes it; NULL without memory. */
static char *take_file(int fd, size_t *size)
{
    char *data = lseek(fd, 0, SEEK_SET) == 0 ? hs_read_descriptor(fd, size) : NULL;

    close(fd);
    return data;
}

/* The texts of the result point into the data.  False if the worker wrote nothing. */
static bool read_answer(struct embed_result *result, char *data, size_t size)
{
    if (!data || size < sizeof *result) {
        return false;
    }
    memcpy(result, data, sizeof *result);
    result->log = data + sizeof *result;
    result->error = result->log + strlen(result->log) + 1;
    result->code = (unsigned char *)result->error + strlen(result->error) + 1;
    return true;
}

/*
 * Prints what hipshim itself said in a worker: that it does not use the value of a variable.  This
 * is the same in all workers.
 */
static void pass_on_lines(char *output)
{
    for (char *line; (line = strsep(&output, "\n")) != NULL;) {
        if (strncmp(line, "hipshim: ", strlen("hipshim: ")) == 0) {
            tool_progress_end();
            fprintf(stderr, "%s\n", line);
        }
    }
}

static void collect(struct embed_request *request, struct worker *worker, int status)
{
    struct embed_result *result = &request->results[worker->job];
    size_t size = 0, output_size;
    char *data = take_file(worker->answer, &size),
         *output = take_file(worker->output, &output_size);

    worker->pid = 0;
    if (status == 0 && read_answer(result, data, size)) {
        if (worker->job == 0) {
            pass_on_lines(output);
        }
        free(output);
        return;
    }
    *result = (struct embed_result){.status = (hipshim_status_t)1, .log = output};
    if (WIFSIGNALED(status)) {
        (void)!asprintf(&result->error, "the compiler ended its process by signal %d (%s)",
                        WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        (void)!asprintf(&result->error, "the compiler ended its process with status %d",
                        WEXITSTATUS(status));
    }
}

/* Waits for any worker, and returns the one that is free then. */
static struct worker *wait_for(struct embed_request *request, struct worker *workers)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, 0)) > 0 || errno == EINTR) {
        for (unsigned i = 0; pid > 0 && i < request->jobs; i++) {
            if (workers[i].pid == pid) {
                collect(request, &workers[i], status);
                return &workers[i];
            }
        }
    }
    return NULL;
}

static void show_progress(const struct embed_request *request, size_t done, size_t all)
{
    if (!request->quiet) {
        tool_progress(EMBED_COMMAND ": %zu of %zu compiled", done, all);
    }
}

static bool has_no_compiler(hipshim_status_t status)
{
    return status == HIPSHIM_ERROR_NO_RUNTIME || status == HIPSHIM_ERROR_NO_COMPILER;
}

static void complain(const struct embed_request *request, const struct embed_result *one,
                     const char *path, const char *arch)
{
    const char *error = one->error ? one->error : "it was not compiled";

    /* Most errors of the compiler name the file; without a compiler the file does not matter. */
    if (has_no_compiler(one->status) && request->rocm) {
        tool_complain(EMBED_COMMAND, "--rocm=%s, set as HIPSHIM_LIBRARY: %s", request->rocm, error);
    } else if (has_no_compiler(one->status) || strncmp(error, path, strlen(path)) == 0) {
        tool_complain(EMBED_COMMAND, "%s", error);
    } else {
        tool_complain(EMBED_COMMAND, "%s for %s: %s", path, *arch ? arch : "this machine", error);
    }
}

bool embed_report(const struct embed_request *request)
{
    size_t all = request->source_count * request->architectures.count;
    bool is_good = true;

    for (size_t i = 0; i < all; i++) {
        const struct embed_result *one = &request->results[i];
        const char *arch = request->architectures.items[i % request->architectures.count];
        const char *path = request->sources[i / request->architectures.count].path;

        if (one->log && *one->log) {
            fprintf(stderr, "%s%s", one->log, one->log[strlen(one->log) - 1] == '\n' ? "" : "\n");
        }
        if (one->status != HIPSHIM_OK) {
            complain(request, one, path, arch);
            is_good = false;
        }
        if (has_no_compiler(one->status)) {
            break; /* there is none for the others, either */
        }
    }
    return is_good;
}

bool embed_compile(struct embed_request *request)
{
    size_t all = request->source_count * request->architectures.count, next = 0, done = 0;
    struct worker *workers = calloc(request->jobs, sizeof *workers);

    request->results = calloc(all + 1, sizeof *request->results);
    if (!request->results || !workers) {
        free(workers);
        return tool_fail("out of memory");
    }
    bool runs = true;

    show_progress(request, 0, all);
    while (done < all && runs) {
        for (unsigned i = 0; i < request->jobs && next < all && runs; i++) {
            if (workers[i].pid == 0) {
                runs = start(request, &workers[i], next++);
            }
        }
        runs = runs && (wait_for(request, workers) ||
                        tool_fail("cannot wait for a compiler: %s", strerror(errno)));
        show_progress(request, ++done, all);
    }
    while (!runs && wait_for(request, workers)) {
    }
    free(workers);
    tool_progress_end();
    return runs;
}
