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

static bool check_name(const char *path)
{
    return is_writable(path) ||
           tool_fail("%s: a depfile cannot have the name of a file with a control character, "
                     "\"=\" or \"\\\"; rename it, or omit --depfile",
                     path);
}

static bool check_names(const struct embed_list *paths)
{
    bool result = true;

    for (size_t i = 0; i < paths->count && result; i++) {
        result = check_name(paths->items[i]);
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

bool embed_check_depfile(const struct embed_request *request)
{
    if (!request->depfile) {
        return true;
    }
    if (strchr(request->output, '%')) {
        return tool_fail("--output=%s: make takes the \"%%\" for a pattern; give another name, or "
                         "omit --depfile",
                         request->output);
    }
    bool result = check_name(request->output) && check_names(&request->searched);

    for (size_t i = 0; i < request->source_count && result; i++) {
        result =
            check_name(request->sources[i].path) && check_names(&request->sources[i].header_paths);
    }
    return result && (is_own_depfile(request->depfile) ||
                      tool_fail("%s is not a file that hipshim embed wrote; remove it, or give "
                                "--depfile another name",
                                request->depfile));
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
