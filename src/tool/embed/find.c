/* SPDX-License-Identifier: MIT */
/*
 * Finds the sources, by name or below directories.
 */
#include "tool/embed/embed.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/read.h"

static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);

    return length > tail && strcmp(path + length - tail, suffix) == 0;
}

static bool is_source(const char *path)
{
    return ends_in(path, ".hip") || ends_in(path, ".cu");
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
    source->was_cuda = ends_in(path, ".cu");
    return (!source->was_cuda || embed_from_cuda(request, path, &source->text)) &&
           embed_headers(request, source);
}

/* The directories above, to detect links that lead back to one of them. */
struct above {
    const struct above *above;
    dev_t device;
    ino_t inode;
};

static bool is_above(const struct above *above, const struct stat *status)
{
    for (; above; above = above->above) {
        if (above->device == status->st_dev && above->inode == status->st_ino) {
            return true;
        }
    }
    return false;
}

static bool search(struct embed_request *request, const char *path, size_t root,
                   const struct above *above);

/* One entry of a directory. */
static bool visit(struct embed_request *request, const char *path, const char *name, size_t root,
                  const struct above *above)
{
    struct stat status;

    if (stat(path, &status) != 0) {
        return !is_source(name) || tool_fail("%s: %s", path, strerror(errno));
    }
    const struct above here = {above, status.st_dev, status.st_ino};

    if (S_ISDIR(status.st_mode) && !is_above(above, &status)) {
        return search(request, path, root, &here);
    }
    return !S_ISREG(status.st_mode) || !is_source(name) || add(request, path, path + root);
}

static bool search(struct embed_request *request, const char *path, size_t root,
                   const struct above *above)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;

    if (!directory) {
        return tool_fail("%s: %s", path, strerror(errno));
    }
    bool done = embed_list_add(&request->searched, path);

    while (done && (entry = readdir(directory)) != NULL) {
        char *below;

        if (entry->d_name[0] == '.') {
            continue;
        }
        done = asprintf(&below, "%s/%s", path, entry->d_name) >= 0;
        if (done) {
            done = visit(request, below, entry->d_name, root, above);
            free(below);
        } else {
            tool_fail("out of memory");
        }
    }
    closedir(directory);
    return done;
}

bool embed_find(struct embed_request *request, const char *path)
{
    struct stat status;
    const char *slash = strrchr(path, '/');
    size_t length = strlen(path);

    if (stat(path, &status) != 0) {
        return tool_fail("%s: %s", path, strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return add(request, path, slash ? slash + 1 : path);
    }
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    size_t before = request->source_count;
    const struct above top = {NULL, status.st_dev, status.st_ino};
    char *trimmed = strndup(path, length);
    bool done = trimmed ? search(request, trimmed, length + 1, &top) : tool_fail("out of memory");

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

void embed_sources_free(struct embed_request *request)
{
    size_t results = request->results ? request->source_count * request->architectures.count : 0;

    for (size_t i = 0; i < results; i++) {
        free(request->results[i].log);
        free(request->results[i].error);
        free(request->results[i].code);
    }
    for (size_t i = 0; i < request->source_count; i++) {
        struct embed_source *source = &request->sources[i];

        free(source->path);
        free(source->kernel);
        free(source->text);
        free(source->rewritten_text);
        embed_list_free(&source->header_names);
        embed_list_free(&source->header_paths);
        embed_list_free(&source->header_texts);
        embed_list_free(&source->header_files);
    }
    embed_list_free(&request->searched);
    embed_list_free(&request->mapped_paths);
    embed_list_free(&request->mapped_texts);
    free(request->results);
    free(request->sources);
}
