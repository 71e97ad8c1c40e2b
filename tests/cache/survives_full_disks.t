#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk that is full or fails costs the cache, never the result.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/cache/common.sh"

# --- faults, by a library in between ---

if nm -D "$build/.libs/libhipshim.so" 2>/dev/null | grep -q '__asan_\|__tsan_'; then
    for_preload="a sanitizer's library has to come first"
fi
cat >"$scratch/faults.c" <<'END'
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
/* FAULT=CALL:ERRNO:FROM: the call fails from its FROMth time on; write only of what is not standard output. */
static int fault(const char *call)
{
    static int times;
    const char *wanted = getenv("FAULT");
    size_t length = strlen(call);
    if (!wanted || strncmp(wanted, call, length) != 0 || wanted[length] != ':') return 0;
    char *end;
    int error = (int)strtol(wanted + length + 1, &end, 10);
    if (++times < atoi(end + 1)) return 0;
    errno = error;
    return 1;
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
ssize_t write(int fd, const void *data, size_t size)
{
    if (fd > 2 && size > 1 && fault("write")) return -1;
    if (fd > 2 && size > 100 && fault("short")) return REAL(write)(fd, data, 100);
    return REAL(write)(fd, data, size);
}
int fsync(int fd) { return fault("fsync") ? -1 : REAL(fsync)(fd); }
int renameat(int a, const char *x, int b, const char *y) { return fault("rename") ? -1 : REAL(renameat)(a, x, b, y); }
int mkdirat(int a, const char *x, mode_t m) { return fault("mkdirat") ? -1 : REAL(mkdirat)(a, x, m); }
int mkdir(const char *x, mode_t m) { return fault("mkdir") ? -1 : REAL(mkdir)(x, m); }
int openat(int a, const char *x, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (flags & O_CREAT && fault("create")) return -1;
    return REAL(openat)(a, x, flags, mode);
}
ssize_t read(int fd, void *data, size_t size) { return fd > 2 && size > 1000 && size < 3000 && fault("read") ? -1 : REAL(read)(fd, data, size); }
int flock(int fd, int how);
int flock(int fd, int how) { return fault("flock") ? -1 : REAL(flock)(fd, how); }
END
# shellcheck disable=SC2086 # CC may be several words
[ -n "${for_preload:-}" ] || $cc -std=gnu11 -D_GNU_SOURCE -fPIC -shared -o "$scratch/faults.so" \
    "$scratch/faults.c" -ldl || for_preload="the library in between does not compile"

program=$build/tests/kernel/.libs/worker
[ -x "$program" ] || program=$worker
with_fault() { # CALL:ERRNO:FROM
    said=$(LD_LIBRARY_PATH=$build/.libs LD_PRELOAD=$scratch/faults.so FAULT=$1 "$program" 3 2>&1)
}

fails() { # DESCRIPTION CALL ERRNO TEXT
    if [ -n "${for_preload:-}" ]; then
        skip "$1" "$for_preload"
        return
    fi
    for from in 1 2 3; do
        forget
        with_fault "$2:$3:$from"
        has "$1, from time $from: all is compiled, and right" "$said" "failed=0 wrong=0"
        has "$1, from time $from: and said" "$said" "$4"
        is "$1, from time $from: no half entry" "$("$tool" cache verify | sed 's/.*, //')" "0 damaged"
        is "$1, from time $from: nothing left" \
            "$(find "$scratch/cache" -name '.tmp-*' 2>/dev/null | wc -l | tr -d ' ')" 0
        work 3
        is "$1, from time $from: afterwards all is kept" "${said##* uncached}" "=0 failed=0 wrong=0"
    done
}
fails "no space to write" write 28 "No space left on device"
fails "an error of the disk in writing" write 5 "Input/output error"
fails "an error of the disk in fsync" fsync 5 "Input/output error"
fails "no space to rename" rename 28 "No space left on device"
fails "no space to create" create 28 "No space left on device"

quiet() { # DESCRIPTION CALL:ERRNO:FROM WANTED
    if [ -n "${for_preload:-}" ]; then
        skip "$1" "$for_preload"
        return
    fi
    forget
    with_fault "$2"
    has "$1" "$said" "$3"
}
quiet "no space for a directory" mkdir:28:1 "uncached=3 failed=0 wrong=0"
quiet "no space for a group" mkdirat:28:1 "uncached=3 failed=0 wrong=0"
quiet "short writes are gone on with" short:0:1 "compiled=3 cached=0 uncached=0 failed=0 wrong=0"
[ -n "${for_preload:-}" ] || has "until all is written" "$("$tool" cache verify)" ", 0 damaged"
quiet "a file system without locks keeps all the same" flock:95:1 \
    "compiled=3 cached=0 uncached=0 failed=0 wrong=0"
if [ -z "${for_preload:-}" ]; then
    with_fault read:5:1
    has "an error in reading is no hit" "$said" "failed=0 wrong=0"
fi

# --- a disk that is full indeed ---

mkdir "$scratch/disk"
if mount -t tmpfs -o size=64k,mode=755 tmpfs "$scratch/disk" 2>/dev/null; then
    HIPSHIM_CACHE_DIR=$scratch/disk/cache
    said=$("$worker" 30 1 1 10000 2>&1)
    has "on a disk of 64 KB 30 entries of 10 KB are made" "$said" "compiled=30 cached=0 uncached="
    has "and those that are too many are said" "$said" "No space left on device"
    has "what fits is whole" "$("$tool" cache verify)" ", 0 damaged"
    said=$("$worker" 30 1 1 10000 2>&1)
    has "and found again" "$said" "failed=0 wrong=0"
    lacks "some of it at least" "$said" "cached=0"
    umount "$scratch/disk"
else
    skip "on a disk that is full" "no tmpfs can be mounted here"
fi
finish
