/* SPDX-License-Identifier: MIT */
/*
 * The depfile, for make and ninja.
 */
#include "tool/embed/embed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Neither make nor ninja has an escape for these: a line end would begin a rule, and
 * "=" makes the line an assignment.
 */
static bool is_writable(const char *path)
{
    for (; *path; path++) {
        if ((unsigned char)*path < ' ' || strchr("=\\\177", *path)) {
            return false;
        }
    }
    return true;
}

static int check_name(const struct embed_request *request, const char *path)
{
    return is_writable(path) ? 0
                             : embed_complain(request,
                                              "%s: a depfile cannot have the name of a file with a "
                                              "control character, \"=\" or \"\\\"; rename it, or "
                                              "omit --depfile",
                                              path);
}

static int check_names(const struct embed_request *request, const struct embed_list *paths)
{
    int result = 0;

    for (size_t i = 0; i < paths->count && result == 0; i++) {
        result = check_name(request, paths->items[i]);
    }
    return result;
}

/*
 * True if the file has the form of a depfile that `hipshim embed` wrote, is empty, or is
 * not there.  It has no banner, because ninja would take that for names of files.
 */
static bool is_own_depfile(const char *path)
{
    static const char end[] = ".c: \\\n";
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "re");

    if (!file) {
        return errno == ENOENT;
    }
    ssize_t length = getline(&line, &room, file);
    bool is_own = length < 0;

    if (length >= (ssize_t)sizeof end) {
        is_own = strcmp(line + length - (sizeof end - 1), end) == 0 &&
                 getline(&line, &room, file) > 2 && strncmp(line, "  ", 2) == 0;
    }
    free(line);
    fclose(file);
    return is_own;
}

int embed_check_depfile(const struct embed_request *request)
{
    if (!request->depfile) {
        return 0;
    }
    int result = check_name(request, request->output);

    if (strchr(request->output, '%')) {
        result = embed_complain(request,
                                "--output=%s: make takes the \"%%\" for a pattern; give "
                                "another name, or omit --depfile",
                                request->output);
    }
    result = result ? result : check_names(request, &request->searched);
    for (size_t i = 0; i < request->source_count && result == 0; i++) {
        result = check_name(request, request->sources[i].path);
        result = result ? result : check_names(request, &request->sources[i].header_paths);
    }
    if (result == 0 && !is_own_depfile(request->depfile)) {
        result = embed_complain(request,
                                "%s is not a file that hipshim embed wrote; remove it, or give "
                                "--depfile another name",
                                request->depfile);
    }
    return result;
}

static void write_name(FILE *file, const char *path)
{
    for (; *path; path++) {
        if (strchr(" #:", *path)) {
            putc('\\', file);
        } else if (*path == '$') {
            putc('$', file);
        }
        putc(*path, file);
    }
}

/*
 * A prerequisite of PATH.c, or the target of a rule without a recipe.  A "%" would make
 * a pattern of the target, and ninja does not know make's escape for it.
 */
static void write_path(FILE *file, const char *path, bool is_target)
{
    if (is_target && strchr(path, '%')) {
        return;
    }
    fputs(is_target ? "" : " \\\n  ", file);
    write_name(file, path);
    fputs(is_target ? ":\n" : "", file);
}

void embed_write_dependencies(FILE *file, const struct embed_writer *writer)
{
    const struct embed_request *request = writer->request;

    write_name(file, request->output);
    fputs(".c:", file);
    /* The second time the rules, so that make accepts a header that was removed. */
    for (int rule = 0; rule < 2; rule++) {
        for (size_t i = 0; i < request->searched.count; i++) {
            write_path(file, request->searched.items[i], rule);
        }
        for (size_t i = 0; i < request->source_count; i++) {
            const struct embed_list *headers = &request->sources[i].header_paths;

            write_path(file, request->sources[i].path, rule);
            for (size_t j = 0; j < headers->count; j++) {
                write_path(file, headers->items[j], rule);
            }
        }
        fputs(rule ? "" : "\n", file);
    }
}
