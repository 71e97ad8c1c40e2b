#!/bin/sh
# SPDX-License-Identifier: MIT
# The loopback and the programs of tests/loopback/gpu, both under AddressSanitizer with
# UndefinedBehaviorSanitizer and under ThreadSanitizer, give no report on the
# oldest and the newest real runtime.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=run.sh
. "$top/tests/loopback/run.sh"

# Those where threads meet; the others only take time.
threaded="callbacks cooperative copies groups streams_events threads two_gpus"
# The runtime itself never frees all it has, and uses some of its memory unset: with the
# pattern of AddressSanitizer in it, it frees that as an address.
ASAN_OPTIONS=detect_leaks=0:max_malloc_fill_size=0:allocator_may_return_null=1
TSAN_OPTIONS="suppressions=$top/tests/loopback/tsan.supp"
# The compiler of the runtimes is not under the sanitizers.
AMD_COMGR_CACHE=1
export ASAN_OPTIONS TSAN_OPTIONS AMD_COMGR_CACHE
cc=${CC:-cc}
# Thirty times slower than without, and the machine may be busy.
real_limit=600

sanitized_build() { # SET PROGRAMS
    # Bound at start: two threads that bind one name at a time meet in the dynamic linker.
    flags="-g -O1 -fsanitize=$1 -fno-sanitize-recover=all -Wl,-z,now"
    mkdir -p "$scratch/$1"
    LOOPBACK_CFLAGS=$flags sh "$top/tests/loopback/build.sh" "$scratch/lib" || return 1
    # shellcheck disable=SC2086 # lists of words
    for name in $2; do
        $cc -std=gnu11 $flags -D_GNU_SOURCE -rdynamic -I"$top/include/hipshim" -I"$top/bindings" \
            -o "$scratch/$1/$name" "$top/tests/loopback/gpu/${name}_t.c" -L"$build/.libs" -lhipshim \
            -lcmocka -lpthread -lm -Wl,--allow-shlib-undefined || return 1
    done
}

# The run times of the sanitizers, for the loader of the tree.
sanitized_lend() { # PROGRAM
    ldd "$1" | sed -n 's/.*\(lib[a-z]*san[^ ]*\|libcmocka[^ ]*\) => \([^ ]*\).*/\2/p' |
        while IFS= read -r library; do ln -sf "$library" "$scratch/lib/"; done
}

sanitized_run() { # SET PROGRAM
    loopback_settings "$2"
    loopback_run "$scratch/$1/$2" >"$scratch/out" 2>&1
}

sanitized_set() { # SET PROGRAMS
    if ! echo 'int main(void) { return 0; }' | $cc "-fsanitize=$1" -xc -o "$scratch/empty" - 2>/dev/null; then
        skip "under $1" "this compiler has none of it"
        return
    fi
    ok "all is built with -fsanitize=$1" sanitized_build "$1" "$2"
    sanitized_lend "$scratch/$1/${2%% *}"
    for release in 5.2 7.2; do
        if ! [ -d "$real_runtimes/$release" ]; then
            skip "HIP $release under $1" "no real runtime of HIP $release"
            continue
        fi
        real_find "$release"
        for name in $2; do
            sanitized_run "$1" "$name"
            status=$?
            is "HIP $release, $name, under $1" $status 0
            [ $status -ne 124 ] || tap_comment "it took longer than $real_limit s"
            [ $status -eq 0 ] || tap_comment "$(head -n 60 "$scratch/out")"
        done
    done
}

[ -f "$build/tests/loopback/gpu/threads_t.o" ] || skip_all "no cmocka, so none of the programs"
sanitized_set thread "$threaded"
sanitized_set address,undefined "$(echo "$loopback_programs" | tr -s ' \n' ' ')"
finish
