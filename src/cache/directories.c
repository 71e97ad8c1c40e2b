/* SPDX-License-Identifier: MIT */
/*
 * Finds and opens the directories of the cache.
 */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/variable.h"

static const uint64_t default_limit = (uint64_t)1 << 30;

void hs_cache_set_note(struct hs_cache *cache, const char *format, ...)
{
    va_list arguments;

    if (cache->note[0]) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(cache->note, sizeof cache->note, format, arguments);
    va_end(arguments);
}

/* Closes a descriptor of another type, or that another user may have written; -1 then. */
static int check_trust(int fd, mode_t type, struct stat *status)
{
    if (fd < 0) {
        return -1;
    }
    int error = fstat(fd, status) != 0 ? errno : 0;

    if (!error && ((status->st_mode & S_IFMT) != type || (status->st_mode & 022) != 0 ||
                   (status->st_uid != 0 && status->st_uid != geteuid()))) {
        error = EPERM;
    }
    if (error) {
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

int hs_cache_open_directory(int at, const char *name)
{
    struct stat status;

    return check_trust(openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), S_IFDIR,
                       &status);
}

int hs_cache_open_file(int at, const char *name, struct stat *status)
{
    /* O_NONBLOCK, so that opening a FIFO does not block. */
    return check_trust(openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), S_IFREG,
                       status);
}

/* Creates a directory and its parents with mode 0700, as the XDG specification asks. */
static bool create_directories(char *path)
{
    int error = 0;

    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            /* mkdir may refuse a parent that exists; only the first refusal is reported. */
            if (mkdir(path, 0700) != 0 && errno != EEXIST && !error) {
                error = errno;
            }
            *at = '/';
        }
    }
    if (mkdir(path, 0700) == 0 || errno == EEXIST) {
        return true;
    }
    errno = error ? error : errno;
    return false;
}

static const char *open_reason(int error)
{
    switch (error) {
    case ELOOP:
    case ENOTDIR: /* O_DIRECTORY | O_NOFOLLOW gives this for a link */
        return "it is a link or not a directory";
    case EPERM:
        return "it belongs to another user, or others may write to it (chmod go-w)";
    default:
        return strerror(error);
    }
}

static void open_path(struct hs_cache_directory *directory, char *path, bool create)
{
    directory->path = path;
    directory->fd = -1;
    if (path[0] != '/') {
        snprintf(directory->reason, sizeof directory->reason, "it is not an absolute path");
        hs_variable_refuse("HIPSHIM_CACHE_DIR", path, "absolute paths with colons between them");
        return;
    }
    directory->fd = hs_cache_open_directory(AT_FDCWD, path);
    if (directory->fd < 0 && errno == ENOENT && create && create_directories(path)) {
        directory->fd = hs_cache_open_directory(AT_FDCWD, path);
    }
    if (directory->fd < 0) {
        snprintf(directory->reason, sizeof directory->reason, "%s", open_reason(errno));
    }
}

/*
 * An empty path counts if it is the first, so that the list ":/shared" does not
 * make /shared the directory that is written to.
 */
static void add_path(struct hs_cache *cache, char *path)
{
    struct hs_cache_directory *directory = &cache->directories[cache->count];
    bool is_first = cache->count == 0;
    size_t length = strlen(path);

    if ((length == 0 && !is_first) || cache->count == HS_CACHE_DIRECTORIES) {
        return;
    }
    while (length > 1 && path[length - 1] == '/') {
        path[--length] = '\0'; /* a link with a slash at its end would be followed */
    }
    cache->count++;
    open_path(directory, path, is_first);
    if (is_first && directory->fd < 0) {
        hs_cache_set_note(cache, "%.150s: %s", length ? path : "HIPSHIM_CACHE_DIR begins with \"\"",
                          directory->reason);
    }
}

static void add_list(struct hs_cache *cache, const char *list)
{
    char *rest = strdup(list), *path;

    cache->paths = rest;
    while ((path = rest ? strsep(&rest, ":") : NULL) != NULL) {
        add_path(cache, path);
    }
}

static void add_default(struct hs_cache *cache)
{
    /* The XDG specification, too, calls a relative path invalid. */
    const char *base = hs_variable_path("XDG_CACHE_HOME"), *below = "hipshim";

    if (!base) {
        base = hs_variable_path("HOME");
        below = ".cache/hipshim";
    }
    if (!base) {
        hs_cache_set_note(cache, "HOME, XDG_CACHE_HOME and HIPSHIM_CACHE_DIR name no directory");
    } else if (asprintf(&cache->paths, "%s/%s", base, below) >= 0) {
        add_path(cache, cache->paths);
    } else {
        cache->paths = NULL;
    }
}

/* False if the text is no size, or one of more than 64 bits. */
static bool read_size(const char *text, uint64_t *size)
{
    static const char units[] = "KMG";
    char *end;

    if (*text < '0' || *text > '9') {
        return false; /* strtoull would take a sign or blanks */
    }
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;

    if (errno || (*end && (!unit || end[1]))) {
        return false;
    }
    for (; unit && unit >= units; unit--) {
        if (number > UINT64_MAX >> 10) {
            return false;
        }
        number <<= 10;
    }
    *size = number;
    return true;
}

/* Sets `limit` to HIPSHIM_CACHE_SIZE; false, with the default, if that is no size. */
static bool read_limit(uint64_t *limit)
{
    const char *text = secure_getenv("HIPSHIM_CACHE_SIZE");
    bool is_size = !text || !*text || read_size(text, limit);

    if (!text || !*text || !is_size) {
        *limit = default_limit;
    }
    if (!is_size) {
        hs_variable_refuse("HIPSHIM_CACHE_SIZE", text,
                           "bytes, such as 500M or 2G; the default holds");
    }
    return is_size;
}

void hs_cache_open(struct hs_cache *cache)
{
    bool is_on = hs_variable_is_on("HIPSHIM_CACHE", true, true);
    const char *list = secure_getenv("HIPSHIM_CACHE_DIR");

    memset(cache, 0, sizeof *cache);
    cache->is_limit_invalid = !read_limit(&cache->limit);
    if (getauxval(AT_SECURE)) {
        hs_cache_set_note(cache, "this process runs with raised privileges, so its environment "
                                 "must not choose a directory");
    } else if (!is_on) {
        cache->is_disabled = true;
    } else if (list && *list) {
        add_list(cache, list);
    } else {
        add_default(cache);
    }
}

void hs_cache_close(struct hs_cache *cache)
{
    for (unsigned i = 0; i < cache->count; i++) {
        if (cache->directories[i].fd >= 0) {
            close(cache->directories[i].fd);
        }
    }
    free(cache->paths);
    cache->paths = NULL;
    cache->count = 0;
}

bool hs_cache_is_writable(const struct hs_cache *cache)
{
    return cache->count > 0 && cache->directories[0].fd >= 0;
}
