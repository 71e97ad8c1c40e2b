/* SPDX-License-Identifier: MIT */
/* The programs and libraries in a directory or package, for `hipshim scan`. */
#include "tool/scan/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
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

static void show_progress(const char *path)
{
    static unsigned count;

    tool_progress("hipshim scan: %u files read, now %.40s", count++, hs_program_base(path));
}

/* Takes the description, or NULL with a reason.  One that was not asked for has to use HIP. */
static void report(const struct tool_scan_listener *listener, const char *file, const char *member,
                   struct tool_scan *scan, bool is_named, const char *reason)
{
    if (!scan || is_named || uses_hip(scan)) {
        listener->found(listener->context, file, member, scan, reason);
    }
    if (scan) {
        tool_scan_free(scan);
    }
}

/* --- packages --- */

static void scan_member(const char *path, struct tool_package *package,
                        const struct tool_scan_listener *listener)
{
    const struct hs_elf_source *source = tool_package_source(package);
    const char *name = tool_package_name(package);
    unsigned char header[HS_ELF_HEADER_SIZE] = {0};
    struct tool_scan scan;
    char reason[REASON];

    show_progress(name);
    if (tool_package_is_text(name) ||
        source->read(source->context, header, sizeof header, 0) != NULL ||
        hs_elf_may_be_program(header)) {
        bool is_read = tool_scan_source(name, source, &scan, reason, sizeof reason);

        report(listener, path, name, is_read ? &scan : NULL, false, reason);
    }
}

static void scan_package(const char *path, const struct tool_scan_listener *listener)
{
    char reason[REASON];
    struct tool_package *package = tool_package_open(path, reason, sizeof reason);
    int more = -1;

    while (package && (more = tool_package_next(package, reason, sizeof reason)) > 0) {
        scan_member(path, package, listener);
    }
    tool_package_close(package);
    if (more < 0) {
        listener->found(listener->context, path, NULL, NULL, reason);
    }
}

/* --- files and directories --- */

static void scan_file(const char *path, bool is_named, const struct tool_scan_listener *listener)
{
    struct tool_scan scan;
    char reason[REASON];
    bool is_read = tool_scan_file(path, &scan, reason, sizeof reason);

    report(listener, path, NULL, is_read ? &scan : NULL, is_named, reason);
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
