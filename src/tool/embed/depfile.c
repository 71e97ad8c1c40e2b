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
    return check_name(request->output) && tool_list_all(&request->inputs, check_name) &&
           (is_own_depfile(request->depfile) ||
            tool_fail("%s is not a file that hipshim embed wrote; remove it, or give --depfile "
                      "another name",
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

void embed_write_dependencies(FILE *file, const struct embed_writer *writer)
{
    const struct hs_words *inputs = &writer->request->inputs;

    write_name(file, writer->request->output);
    fputs(".c:", file);
    for (size_t i = 0; i < inputs->count; i++) {
        fputs(" \\\n  ", file);
        write_name(file, inputs->items[i]);
    }
    fputs("\n", file);
    /*
     * Rules without a recipe, so that make accepts a header that was removed.  A "%" would make a
     * pattern of the target, and ninja does not know make's escape for it.
     */
    for (size_t i = 0; i < inputs->count; i++) {
        if (!strchr(inputs->items[i], '%')) {
            write_name(file, inputs->items[i]);
            fputs(":\n", file);
        }
    }
}
