/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into users of the kernel cache:
 *   KILL_AT=N       the process is killed as it is about to make its Nth change
 *                   of the file system, or to lock or sync a file
 *   CLOCK_AHEAD=S   its clock, and what it does to times of files, is S seconds
 *                   ahead; behind with a minus
 *   LOCKS_OF_NFS    an exclusive lock needs a descriptor that may write
 *   LOOKS=FILE      gets a line for each file of the cache that a walk looks at
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void step(void)
{
    static atomic_long steps;
    const char *last = getenv("KILL_AT");

    if (last && ++steps == strtol(last, NULL, 10)) {
        raise(SIGKILL);
    }
}

static time_t ahead(void)
{
    const char *text = getenv("CLOCK_AHEAD");

    return text ? (time_t)strtol(text, NULL, 10) : 0;
}

time_t time(time_t *out)
{
    time_t now = REAL(time)(NULL) + ahead();

    if (out) {
        *out = now;
    }
    return now;
}

int futimens(int fd, const struct timespec times[2])
{
    const struct timespec now[2] = {{.tv_sec = time(NULL)}, {.tv_sec = time(NULL)}};

    step();
    return REAL(futimens)(fd, times && ahead() ? now : times);
}

int utimensat(int at, const char *path, const struct timespec times[2], int flags)
{
    const struct timespec now[2] = {{.tv_sec = time(NULL)}, {.tv_sec = time(NULL)}};

    step();
    return REAL(utimensat)(at, path, times && ahead() ? now : times, flags);
}

int renameat(int from_at, const char *from, int at, const char *to)
{
    const struct timespec now[2] = {{.tv_sec = time(NULL)}, {.tv_sec = time(NULL)}};

    step();
    if (ahead()) {
        REAL(utimensat)(from_at, from, now, 0);
    }
    return REAL(renameat)(from_at, from, at, to);
}

int openat(int at, const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list list;

    if (flags & O_CREAT) {
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
        step();
    }
    return REAL(openat)(at, path, flags, mode);
}

/* In two halves, so that the file may be one. */
ssize_t write(int fd, const void *data, size_t size)
{
    size_t half = fd > 2 && size > 100 && getenv("KILL_AT") ? size / 2 : size;

    if (fd > 2) {
        step();
    }
    return REAL(write)(fd, data, half);
}

int fstatat(int at, const char *path, struct stat *status, int flags)
{
    const char *file = getenv("LOOKS");
    int fd = file && strstr(path, ".kernel") ? open(file, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;

    if (fd >= 0) {
        (void)!REAL(write)(fd, "1\n", 2);
        close(fd);
    }
    return REAL(fstatat)(at, path, status, flags);
}

int fsync(int fd)
{
    step();
    return REAL(fsync)(fd);
}

int flock(int fd, int how)
{
    step();
    if (getenv("LOCKS_OF_NFS") && (how & LOCK_EX) && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY) {
        errno = EBADF;
        return -1;
    }
    return REAL(flock)(fd, how);
}

int unlinkat(int at, const char *path, int flags)
{
    step();
    return REAL(unlinkat)(at, path, flags);
}

int mkdirat(int at, const char *path, mode_t mode)
{
    step();
    return REAL(mkdirat)(at, path, mode);
}

int mkdir(const char *path, mode_t mode)
{
    step();
    return REAL(mkdir)(path, mode);
}
