#!/bin/sh
# SPDX-License-Identifier: MIT
# Many threads may make the first call at once; over two fakes, many times.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

program=$build/tests/dispatch/threads_t
[ -x "$program" ] || skip_all "tests/dispatch/threads_t was not built: cmocka is not there"
plan 4

for release in 5.2.21153 7.2.53211; do
    # The numbers as hipRuntimeGetVersion combines them.
    version=$(echo "$release" | awk -F. '{ print $1 * 10000000 + $2 * 100000 + $3 }')
    patch=${release##*.} fake=$scratch/libamdhip64-${release%%.*}.so
    # shellcheck disable=SC2086 # CFLAGS is a list
    ok "HIP $release: the fake compiles" \
        ${CC:-cc} -std=gnu11 ${CFLAGS:-} -shared -fPIC -I"$top/bindings" \
        "-DFAKE_VERSION=$version" "-DFAKE_BINDINGS=\"bindings_$patch.h\"" "$top/tests/loader/fake_runtime.c" -o "$fake"
    twenty_times() {
        for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            HIPSHIM_LIBRARY=$fake "$program" || return 1
        done
    }
    ok "HIP $release: 16 threads, 20 processes" twenty_times
done
