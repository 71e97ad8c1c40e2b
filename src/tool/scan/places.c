/* SPDX-License-Identifier: MIT */
/* The programs and libraries in a directory or package, for `hipshim scan`. */
#include "tool/scan/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/program.h"
#include "base/texts.h"
#include "tool/scan/package.h"
#include "tool/terminal.h"
#include "tool/tool.h"

enum { REASON = 256 };

static bool uses_hip(const struct tool_scan *scan)
{
    return scan->kind != TOOL_SCAN_NONE && scan->kind != TOOL_SCAN_STATIC;
}

/* Any thread. */
static void show_progress(const char *path)
{
    static atomic_uint count;

    tool_progress("hipshim scan: %u files read, now %.40s", atomic_fetch_add(&count, 1),
                  hs_program_base(path));
}

/* --- packages --- */

/* A member that uses HIP or cannot be read. */
struct finding {
    unsigned number; /* of the member */
    char name[TOOL_PATH_ROOM];
    bool is_read;
    struct tool_scan scan;
    char reason[REASON];
};

/* Shared by the threads that read one package, each with a reader of its own. */
struct job {
    const char *path;
    atomic_uint next;     /* the number of the member that the next free thread takes */
    pthread_mutex_t lock; /* of all below */
    struct finding *findings;
    size_t count;
    char reason[REASON]; /* why the package cannot be read, or "" */
};

static void add_finding(struct job *job, struct finding *finding)
{
    pthread_mutex_lock(&job->lock);
    struct finding *more = realloc(job->findings, (job->count + 1) * sizeof *more);
    if (more) {
        more[job->count++] = *finding;
        job->findings = more;
    } else {
        snprintf(job->reason, sizeof job->reason, "out of memory");
        tool_scan_free(&finding->scan);
    }
    pthread_mutex_unlock(&job->lock);
}

static void scan_member(struct job *job, struct tool_package *package, unsigned number)
{
    const struct hs_elf_source *source = tool_package_source(package);
    struct finding finding = {.number = number};
    unsigned char header[HS_ELF_HEADER_SIZE] = {0};
    bool is_text = tool_package_is_text(tool_package_name(package));

    show_progress(tool_package_name(package));
    if (!is_text && !source->read(source->context, header, sizeof header, 0) &&
        !hs_elf_may_be_program(header)) {
        return;
    }
    finding.is_read = tool_scan_source(tool_package_name(package), source, &finding.scan,
                                       finding.reason, sizeof finding.reason);
    if (!finding.is_read || uses_hip(&finding.scan)) {
        snprintf(finding.name, sizeof finding.name, "%s", tool_package_name(package));
        add_finding(job, &finding);
    } else {
        tool_scan_free(&finding.scan);
    }
}

static void *run_job(void *context)
{
    struct job *job = context;
    char reason[REASON] = "";
    struct tool_package *package = tool_package_open(job->path, reason, sizeof reason);
    unsigned mine = atomic_fetch_add(&job->next, 1);
    int more = package ? 1 : -1;

    for (unsigned number = 0; more > 0; number++) {
        more = tool_package_next(package, reason, sizeof reason);
        if (more > 0 && number == mine) {
            scan_member(job, package, number);
            mine = atomic_fetch_add(&job->next, 1);
        }
    }
    tool_package_close(package);
    if (more < 0) {
        pthread_mutex_lock(&job->lock);
        memcpy(job->reason, reason, sizeof reason);
        pthread_mutex_unlock(&job->lock);
    }
    return NULL;
}

/* A thread needs memory for a reader, so a machine with many processors does not start as many. */
static void run_threads(struct job *job)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int started = 0;

    while (started < THREADS - 1 && started < processors - 1 &&
           pthread_create(&threads[started], NULL, run_job, job) == 0) {
        started++;
    }
    run_job(job);
    while (started > 0) {
        pthread_join(threads[--started], NULL);
    }
}

static int by_number(const void *a, const void *b)
{
    const struct finding *one = a, *other = b;

    return one->number < other->number ? -1 : one->number > other->number;
}

static void scan_package(const char *path, const struct tool_scan_listener *listener)
{
    struct job job = {.path = path, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct tool_package *package = tool_package_open(path, job.reason, sizeof job.reason);

    if (package) {
        bool has_directory = tool_package_has_directory(package);
        tool_package_close(package);
        if (has_directory) {
            run_threads(&job);
        } else {
            run_job(&job);
        }
    }
    if (job.count > 0) {
        qsort(job.findings, job.count, sizeof *job.findings, by_number);
    }
    for (size_t i = 0; i < job.count; i++) {
        struct finding *finding = &job.findings[i];

        listener->found(listener->context, path, finding->name,
                        finding->is_read ? &finding->scan : NULL, finding->reason);
        if (finding->is_read) {
            tool_scan_free(&finding->scan);
        }
    }
    free(job.findings);
    if (*job.reason) {
        listener->found(listener->context, path, NULL, NULL, job.reason);
    }
}

/* --- files and directories --- */

static void scan_file(const char *path, bool is_named, const struct tool_scan_listener *listener)
{
    struct tool_scan scan;
    char reason[REASON];

    if (!tool_scan_file(path, &scan, reason, sizeof reason)) {
        listener->found(listener->context, path, NULL, NULL, reason);
        return;
    }
    if (is_named || uses_hip(&scan)) {
        listener->found(listener->context, path, NULL, &scan, NULL);
    }
    tool_scan_free(&scan);
}

/* Reads the first bytes of a file; their count, or -1 with errno. */
static ssize_t read_header(const char *path, unsigned char header[HS_ELF_HEADER_SIZE])
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t count = file < 0 ? -1 : pread(file, header, HS_ELF_HEADER_SIZE, 0);
    int error = errno;

    if (file >= 0) {
        close(file);
    }
    errno = error;
    return count;
}

static bool has_package_name(const char *path)
{
    return hs_text_ends(path, ".deb") || hs_text_ends(path, ".rpm") || hs_text_ends(path, ".whl");
}

static void scan_found_file(const char *path, const struct tool_scan_listener *listener)
{
    unsigned char header[HS_ELF_HEADER_SIZE] = {0};

    show_progress(path);
    if (read_header(path, header) < 0) {
        listener->found(listener->context, path, NULL, NULL, strerror(errno));
    } else if (hs_elf_may_be_program(header) || tool_package_is_text(path)) {
        scan_file(path, false, listener);
    } else if (has_package_name(path)) {
        scan_package(path, listener);
    }
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void scan_directory(const char *path, const struct tool_scan_listener *listener)
{
    char *const paths[] = {(char *)path, NULL};
    /* FTS_PHYSICAL follows no symbolic link, FTS_COMFOLLOW the named one only. */
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    FTSENT *entry;

    if (!tree) {
        listener->found(listener->context, path, NULL, NULL, strerror(errno));
        return;
    }
    while ((entry = fts_read(tree)) != NULL) {
        switch (entry->fts_info) {
        case FTS_F:
            scan_found_file(entry->fts_path, listener);
            break;
        case FTS_DNR:
        case FTS_ERR:
        case FTS_NS:
            listener->found(listener->context, entry->fts_path, NULL, NULL,
                            strerror(entry->fts_errno));
            break;
        default:
            break;
        }
    }
    fts_close(tree);
}

void tool_scan_place(const char *path, const struct tool_scan_listener *listener)
{
    unsigned char header[HS_ELF_HEADER_SIZE] = {0};
    struct stat status = {0};

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        scan_directory(path, listener);
    } else if (S_ISREG(status.st_mode) && read_header(path, header) > 0 &&
               memcmp(header, "\177ELF", 4) != 0 && !tool_package_is_text(path)) {
        scan_package(path, listener);
    } else {
        scan_file(path, true, listener);
    }
}
