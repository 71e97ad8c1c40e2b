# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034 # of tap.sh; for the tests
#
# After tap.sh: finds the real HIP runtimes that tests/lib/fetch-runtimes made, and runs
# programs in their trees.
#   real_releases          the names of those that Debian builds, with headers
#   real_wheels            the names of those that AMD builds, out of wheels, without
#   real_find NAME         sets real_tree, real_loader and real_release
#   real_run PROGRAM ARGS  runs a program under the tree's own C library
#   real_release_of_test   the name that the name of the test ends in: hip_5_2.t is of 5.2,
#                          hip_7_0_amd.t of 7.0-amd
# A runtime that is not there is a loud skip, or a failure if HIPSHIM_TEST_RUNTIMES lists
# its name or is "require" (except 7.2, whose suite moves most, and the wheels).

# shellcheck source=relay.sh
. "$top/tests/lib/relay.sh"

real_releases=$("$top/tests/lib/fetch-runtimes" --names)
real_wheels=$("$top/tests/lib/fetch-runtimes" --wheels)
real_runtimes=${HIPSHIM_RUNTIMES:-$build/runtimes}
real_preload=
real_limit=120

real_release_of_test() {
    real_name=${0##*hip_}
    printf '%s\n' "${real_name%.t}" | sed 's/_amd$/-amd/; s/_/./g'
}

real_missing() { # NAME REASON
    real_needed=" ${HIPSHIM_TEST_RUNTIMES:-} "
    [ "$real_needed" != " require " ] || real_needed=" $(echo "$real_releases" | sed 's/ 7\.2$//') "
    if [ "${real_needed#* "$1" }" != "$real_needed" ]; then
        plan 1
        tap_result no "the real HIP $1 runtime is there"
        tap_comment "$2"
        exit 0
    fi
    skip_all "HIP $1: $2"
}

# hipshim asks for the newest major first, and a tree's linker looks where the
# machine has its libraries, too.  For each HIP that is there, $scratch/hide has
# an empty library of its name, which has to be the last of a library path.
real_hide() {
    [ ! -d "$scratch/hide" ] || return 0
    mkdir "$scratch/hide"
    real_hidden=$({
        PATH=$PATH:/usr/sbin:/sbin ldconfig -p
        ls /lib /usr/lib /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu
    } 2>/dev/null | sed -n 's/.*\(libamdhip64\.so\.[0-9][0-9]*\).*/\1/p' | sort -u)
    for real_soname in $real_hidden; do
        # shellcheck disable=SC2086 # CC may be several words
        ${CC:-cc} -shared -nostdlib -x c /dev/null -o "$scratch/hide/$real_soname" || exit 99
    done
}

real_find() { # NAME
    real_tree=$real_runtimes/$1
    [ -d "$real_tree" ] || real_missing "$1" "no real runtime in $real_tree (tests/lib/fetch-runtimes gets it)"
    for real_loader in "$real_tree/usr/lib64/ld-linux-x86-64.so.2" \
        "$real_tree/lib64/ld-linux-x86-64.so.2"; do
        [ -f "$real_loader" ] && break
    done
    [ -f "$real_loader" ] || real_missing "$1" "$real_tree has no dynamic linker"
    real_hide
    read -r real_release _ <"$real_tree/.hipshim-runtime"
}

# real_preload may name a library; real_limit is how many seconds the program may take.  A runtime out of
# a wheel asks for HSA by a mangled name, so that only a preloaded loopback comes before the wheel's own.
# The compiler of the trees keeps nothing of what it compiles unless the test sets AMD_COMGR_CACHE=1;
# then it keeps it for this test.
real_run() { # PROGRAM [ARGS]
    real_before=$real_preload
    case $real_tree in
    *-amd) [ ! -e "$scratch/lib/libhsa-runtime64.so.1" ] || real_before="$real_before $scratch/lib/libhsa-runtime64.so.1" ;;
    esac
    timeout -k 5 "$real_limit" env AMD_COMGR_CACHE="${AMD_COMGR_CACHE:-0}" AMD_COMGR_CACHE_DIR="$scratch/comgr" \
        REAL_RELEASE="$real_release" REAL_NAME="${real_tree##*/}" CMOCKA_MESSAGE_OUTPUT=TAP \
        "$real_loader" --preload "$real_before" --inhibit-cache --library-path \
        "$scratch/lib:$build/.libs:$real_tree/usr/lib/x86_64-linux-gnu:$real_tree/lib/x86_64-linux-gnu:$scratch/hide" \
        "$@"
}

# The host's cmocka alone, not the directory that it lies in.
real_lend_cmocka() {
    mkdir -p "$scratch/lib"
    real_cmocka=$(ldd "$(real_built tests/dispatch/real/tells_its_release_t)" 2>/dev/null |
        sed -n 's/.*libcmocka[^ ]* => \([^ ]*\).*/\1/p')
    [ -z "$real_cmocka" ] || ln -sf "$real_cmocka" "$scratch/lib/"
}

# The program itself, not libtool's wrapper of it.
real_built() { # PATH, in the build tree
    if [ -f "$build/${1%/*}/.libs/${1##*/}" ]; then
        printf '%s\n' "$build/${1%/*}/.libs/${1##*/}"
    else
        printf '%s\n' "$build/$1"
    fi
}

real_tool() { real_built ./hipshim; }

# With COVERAGE_RECORDS, a directory, notes there which functions the programs call until
# real_record_end: tests/loopback/coverage.t reads it.  The recorder knows x86-64 only.
real_record_begin() { # KIND
    [ -n "${COVERAGE_RECORDS:-}" ] && [ "$(uname -m)" = x86_64 ] || return 0
    case $real_name in *-amd) return 0 ;; esac
    mkdir -p "$COVERAGE_RECORDS"
    rm -f "$COVERAGE_RECORDS/$real_name.$1"
    COVERAGE_RECORD=$scratch/record
    export COVERAGE_RECORD
    ok "the recorder compiles" sh "$top/tests/loopback/coverage/build.sh" "$scratch/recorder.so"
    real_preload=$scratch/recorder.so
}

real_record_end() { # KIND
    [ -n "$real_preload" ] || return 0
    real_preload=
    ok "the calls are recorded" mv "$COVERAGE_RECORD" "$COVERAGE_RECORDS/$real_name.$1"
}
