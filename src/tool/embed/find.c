/* SPDX-License-Identifier: MIT */
/*
 * Finds the sources, by name or below directories.
 */
#include "tool/embed/embed.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/program.h"
#include "base/read.h"
#include "base/texts.h"

static bool is_source(const char *path)
{
    return hs_text_ends(path, ".hip") || hs_text_ends(path, ".cu");
}

/* `name` is the part of the path below the directory that was given. */
static bool add(struct embed_request *request, const char *path, const char *name)
{
    struct embed_source *sources =
        realloc(request->sources, (request->source_count + 1) * sizeof *sources);
    struct embed_source *source;
    const char *dot = strrchr(name, '.');
    size_t size;

    if (!sources) {
        return tool_fail("out of memory");
    }
    request->sources = sources;
    source = &sources[request->source_count++];
    memset(source, 0, sizeof *source);
    source->path = strdup(path);
    source->kernel = strndup(name, dot ? (size_t)(dot - name) : strlen(name));
    source->text = hs_read_file(path, &size);
    if (!source->path || !source->kernel || !source->text) {
        return tool_fail("%s: %s", path, strerror(errno));
    }
    if (size == 0) {
        return tool_fail("%s: the file is empty", path);
    }
    if (strlen(source->text) != size) {
        return tool_fail("%s: a source is text, but this has zero bytes", path);
    }
    source->was_cuda = hs_text_ends(path, ".cu");
    return tool_list_add(&request->inputs, path) &&
           (!source->was_cuda || embed_from_cuda(request, path, &source->text)) &&
           embed_headers(request, source);
}

/* One entry of a directory.  A link that leads back to a directory above is FTS_DC. */
static bool visit(struct embed_request *request, FTS *tree, FTSENT *entry, size_t root)
{
    switch (entry->fts_info) {
    case FTS_D:
        if (entry->fts_level > 0 && *entry->fts_name == '.') {
            fts_set(tree, entry, FTS_SKIP);
            return true;
        }
        return tool_list_add(&request->inputs, entry->fts_path);
    case FTS_F:
        return *entry->fts_name == '.' || !is_source(entry->fts_name) ||
               add(request, entry->fts_path, entry->fts_path + root);
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
    case FTS_SLNONE:
        return (entry->fts_info != FTS_DNR && !is_source(entry->fts_name)) ||
               tool_fail("%s: %s", entry->fts_path,
                         strerror(entry->fts_errno ? entry->fts_errno : ENOENT));
    default:
        return true;
    }
}

/* `path` does not end in a slash, unless it is the root directory. */
static bool search(struct embed_request *request, char *path)
{
    char *const paths[] = {path, NULL};
    FTS *tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    bool done = tree || tool_fail("%s: %s", path, strerror(errno));
    FTSENT *entry;

    while (done && (entry = fts_read(tree)) != NULL) {
        done = visit(request, tree, entry, strlen(path) + 1);
    }
    if (tree) {
        fts_close(tree);
    }
    return done;
}

bool embed_find(struct embed_request *request, const char *path)
{
    struct stat status;
    size_t length = strlen(path), before = request->source_count;

    if (stat(path, &status) != 0) {
        return tool_fail("%s: %s", path, strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return add(request, path, hs_program_base(path));
    }
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    char *trimmed = strndup(path, length);
    bool done = trimmed ? search(request, trimmed) : tool_fail("out of memory");

    free(trimmed);
    if (done && request->source_count == before) {
        return tool_fail("%s: there is no .hip or .cu file in this directory", path);
    }
    return done;
}

static int by_kernel(const void *left, const void *right)
{
    const struct embed_source *a = left, *b = right;
    int order = strcmp(a->kernel, b->kernel);

    return order ? order : strcmp(a->path, b->path);
}

bool embed_sort(struct embed_request *request)
{
    qsort(request->sources, request->source_count, sizeof *request->sources, by_kernel);
    for (size_t i = 1; i < request->source_count; i++) {
        const struct embed_source *one = &request->sources[i - 1], *two = &request->sources[i];

        if (strcmp(one->path, two->path) == 0) {
            return tool_fail("%s: given twice", one->path);
        }
        if (strcmp(one->kernel, two->kernel) == 0) {
            return tool_fail(
                "%s and %s would both be the kernel \"%s\"; name a directory above both instead",
                one->path, two->path, one->kernel);
        }
    }
    return true;
}
