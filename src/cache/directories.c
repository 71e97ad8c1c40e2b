/* SPDX-License-Identifier: MIT */
/*
 * Which directories the cache is in.
 */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t default_limit = (uint64_t)1 << 30;

void hs_cache_complain(struct hs_cache *cache, const char *format, ...)
{
    va_list arguments;

    if (cache->note[0]) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(cache->note, sizeof cache->note, format, arguments);
    va_end(arguments);
}

static int check(int fd, mode_t type, struct stat *status)
{
    if (fd < 0) {
        return -1;
    }
    if (fstat(fd, status) != 0) {
        close(fd);
        return -1;
    }
    if ((status->st_mode & S_IFMT) != type || (status->st_mode & 022) != 0 ||
        (status->st_uid != 0 && status->st_uid != geteuid())) {
        close(fd);
        errno = EPERM;
        return -1;
    }
    return fd;
}

int hs_cache_open_directory(int at, const char *name)
{
    struct stat status;

    return check(openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), S_IFDIR,
                 &status);
}

int hs_cache_open_status(int at, const char *name, struct stat *status)
{
    /* Whatever lies there: nonblocking lest a FIFO keep us. */
    return check(openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), S_IFREG, status);
}

int hs_cache_open_file(int at, const char *name)
{
    struct stat status;

    return hs_cache_open_status(at, name, &status);
}

/* Creates a directory and those above it, as the XDG specification asks: 0700. */
static int create(char *path)
{
    int error = 0;

    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            /* One that is there may refuse too; the first refusal is what to tell. */
            if (mkdir(path, 0700) != 0 && errno != EEXIST && !error) {
                error = errno;
            }
            *at = '/';
        }
    }
    if (mkdir(path, 0700) == 0 || errno == EEXIST) {
        return 0;
    }
    errno = error ? error : errno;
    return -1;
}

static const char *open_reason(int error)
{
    switch (error) {
    case ELOOP:
    case ENOTDIR: /* what the kernel says of a link where a directory is asked for */
        return "it is a link or no directory";
    case EPERM:
        return "it belongs to another user, or others may write to it (chmod go-w)";
    default:
        return strerror(error);
    }
}

static void add(struct hs_cache *cache, char *path)
{
    struct hs_cache_directory *directory = &cache->directories[cache->count];
    size_t length = strlen(path);

    if (length == 0 || cache->count == HS_CACHE_DIRECTORIES) {
        return;
    }
    while (length > 1 && path[length - 1] == '/') {
        path[--length] = '\0'; /* with a slash at its end a link would be followed */
    }
    cache->count++;
    directory->path = path;
    directory->fd = -1;
    if (path[0] != '/') {
        snprintf(directory->reason, sizeof directory->reason, "it is no absolute path");
    } else {
        directory->fd = hs_cache_open_directory(AT_FDCWD, path);
        if (directory->fd < 0 && errno == ENOENT && directory == cache->directories &&
            create(path) == 0) {
            directory->fd = hs_cache_open_directory(AT_FDCWD, path);
        }
        if (directory->fd < 0) {
            snprintf(directory->reason, sizeof directory->reason, "%s", open_reason(errno));
        }
    }
    if (directory == cache->directories && directory->fd < 0) {
        hs_cache_complain(cache, "%.150s: %s", path, directory->reason);
    }
}

static void add_list(struct hs_cache *cache, const char *list)
{
    char *rest, *path;

    rest = cache->paths = strdup(list);
    while ((path = rest ? strsep(&rest, ":") : NULL) != NULL) {
        add(cache, path);
    }
}

static void add_default(struct hs_cache *cache)
{
    const char *base = secure_getenv("XDG_CACHE_HOME"), *below = "hipshim";

    if (!base || base[0] != '/') { /* relative ones are invalid by its specification */
        base = secure_getenv("HOME");
        below = ".cache/hipshim";
    }
    if (!base || base[0] != '/') {
        hs_cache_complain(cache, "there is no HOME, XDG_CACHE_HOME or HIPSHIM_CACHE_DIR");
    } else if (asprintf(&cache->paths, "%s/%s", base, below) >= 0) {
        add(cache, cache->paths);
    } else {
        cache->paths = NULL;
    }
}

/* Sets the limit; -1 if what is wanted makes no sense, and the default stands. */
static int read_limit(uint64_t *limit)
{
    static const char units[] = "KMG";
    const char *text = secure_getenv("HIPSHIM_CACHE_SIZE"), *unit;
    char *end;
    unsigned long long number;

    *limit = default_limit;
    if (!text || !*text) {
        return 0;
    }
    if (*text < '0' || *text > '9') {
        return -1;
    }
    errno = 0;
    number = strtoull(text, &end, 10);
    unit = *end ? strchr(units, *end) : NULL;
    if (errno || (*end && (!unit || end[1]))) {
        return -1;
    }
    for (; unit && unit >= units; unit--) {
        number = number > UINT64_MAX >> 10 ? UINT64_MAX : number << 10;
    }
    *limit = number;
    return 0;
}

void hs_cache_open(struct hs_cache *cache)
{
    const char *wanted = secure_getenv("HIPSHIM_CACHE");
    const char *list = secure_getenv("HIPSHIM_CACHE_DIR");

    memset(cache, 0, sizeof *cache);
    cache->odd_limit = read_limit(&cache->limit) != 0;
    if (getauxval(AT_SECURE)) {
        hs_cache_complain(cache, "this process runs with raised privileges, and its environment "
                                 "may not choose a directory");
    } else if (wanted && strcmp(wanted, "0") == 0) {
        cache->off = 1;
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

int hs_cache_writable(const struct hs_cache *cache)
{
    return cache->count > 0 && cache->directories[0].fd >= 0;
}

void hs_cache_hex(const unsigned char key[HS_CACHE_KEY], char hex[HS_CACHE_HEX])
{
    static const char digits[] = "0123456789abcdef";

    for (unsigned i = 0; i < HS_CACHE_KEY; i++) {
        *hex++ = digits[key[i] >> 4];
        *hex++ = digits[key[i] & 15];
    }
    *hex = '\0';
}
