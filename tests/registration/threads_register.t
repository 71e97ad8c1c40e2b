#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads register kernels while others make the first launch: the runtime hears of each once,
# and of none that was unloaded.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
plan 5

here=$top/tests/registration
# shellcheck disable=SC2086 # CC and CFLAGS are lists
ok "the runtime that checks compiles" ${CC:-cc} -std=gnu11 ${CFLAGS:-} -shared -fPIC -I"$top/bindings" \
    -DFAKE_VERSION=60443484 '-DFAKE_BINDINGS="bindings_43484.h"' \
    "$top/tests/loader/fake_runtime.c" "$here/recording_runtime.c" -o "$scratch/libamdhip64.so.6" -pthread
# shellcheck disable=SC2086 # CC and CFLAGS are lists
ok "so does the program" ${CC:-cc} -std=gnu11 -D_GNU_SOURCE ${CFLAGS:-} -I"$top/include/hipshim" \
    -I"$top/bindings" "$here/threads.c" -o "$scratch/threads" -L"$build/.libs" -lhipshim -pthread
twenty_times() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        LD_LIBRARY_PATH=$build/.libs HIPSHIM_LIBRARY=$scratch/libamdhip64.so.6 "$scratch/threads" "$@" || return 1
    done
}
ok "16 threads, 20 processes" twenty_times
ok "the same with a managed variable" twenty_times managed
ok "a launch waits while another thread hands a large fat binary over" \
    env SLOW=1 LD_LIBRARY_PATH="$build/.libs" HIPSHIM_LIBRARY="$scratch/libamdhip64.so.6" "$scratch/threads"
