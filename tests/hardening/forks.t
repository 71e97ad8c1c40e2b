#!/bin/sh
# SPDX-License-Identifier: MIT
# A child of fork can use HIP whatever its parent was doing: nothing yet, its
# first call in another thread at that moment, or calls long since.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -d "$build/.libs" ] || skip_all "libhipshim was not built"
cc=${CC:-cc}

cat >"$scratch/slow.c" <<'SOURCE'
#include <unistd.h>
/* Opening it takes a while, as opening a real one does. */
__attribute__((constructor)) static void start(void) { usleep(30000); }
int hipRuntimeGetVersion(int *version);
int hipRuntimeGetVersion(int *version)
{
    usleep(20000);
    *version = 60443484;
    return 0;
}
SOURCE
cat >"$scratch/forks.c" <<'SOURCE'
/* forks DELAY: forks so many microseconds into another thread's first call. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hip/hip_runtime_api.h>

static void *first(void *unused)
{
    int version = 0;
    return hipRuntimeGetVersion(&version) || version != 60443484 ? (void *)1 : unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    void *bad = NULL;
    int delay = count > 1 ? atoi(arguments[1]) : -1, status = -1;
    alarm(30);
    if (delay >= 0 && pthread_create(&thread, NULL, first, NULL) == 0) {
        usleep((unsigned)delay);
    }
    pid_t child = fork();
    if (child == 0) {
        alarm(20); /* a child that hangs ends with a signal */
        _exit(first(NULL) != NULL);
    }
    waitpid(child, &status, 0);
    if (delay >= 0) {
        pthread_join(thread, &bad);
    }
    if (status || bad || first(NULL)) {
        printf("delay %d: child %#x, thread %s\n", delay, (unsigned)status, bad ? "bad" : "good");
        return 1;
    }
    return 0;
}
SOURCE
# shellcheck disable=SC2086 # lists of words
compile() {
    $cc -shared -fPIC -o "$scratch/libamdhip64.so.6" -Wl,-soname,libamdhip64.so.6 "$scratch/slow.c" &&
        $cc -std=gnu11 ${CFLAGS:-} -I"$top/include/hipshim" -I"$top/bindings" -o "$scratch/forks" \
            "$scratch/forks.c" -L"$build/.libs" -lhipshim -lpthread
}
HIPSHIM_LIBRARY=$scratch/libamdhip64.so.6
LD_LIBRARY_PATH=$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
TSAN_OPTIONS="${TSAN_OPTIONS:-} die_after_fork=0"
export HIPSHIM_LIBRARY LD_LIBRARY_PATH TSAN_OPTIONS
all_delays() {
    delay=0
    while [ $delay -lt 80000 ]; do
        "$scratch/forks" $delay || return 1
        delay=$((delay + 9700))
    done
}

plan 4
ok "the program and the slow runtime compile" compile
ok "before the first call" "$scratch/forks"
ok "9 times during the first call of another thread" all_delays
ok "long after it" "$scratch/forks" 300000
