# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Builds programs as users of HIP do, each with one release's own headers and
# linked to its own library, and runs them on real runtimes over the loopback,
# with hipshim's drop-ins or without:
#   . tests/lib/tap.sh; . tests/dropin/programs/run.sh; dropin_prepare
# shellcheck disable=SC2154 # scratch, top, build and tap_count are of tap.sh, real_* of real.sh
# shellcheck source-path=SCRIPTDIR

# shellcheck source=../../loopback/run.sh
. "$top/tests/loopback/run.sh"

dropin_releases=

# Sets dropin_releases to those whose runtimes are there.
dropin_prepare() {
    [ -f "$build/dropin/libamdhip64.so.7" ] || skip_all "there are no drop-ins in $build/dropin"
    for dropin_one in $real_releases; do
        [ ! -d "$real_runtimes/$dropin_one" ] || dropin_releases="$dropin_releases $dropin_one"
    done
    [ -n "$dropin_releases" ] || [ "${HIPSHIM_TEST_RUNTIMES:-}" = require ] ||
        skip_all "no real runtime is there (tests/lib/fetch-runtimes gets them)"
    for dropin_one in $real_releases; do
        if [ -d "$real_runtimes/$dropin_one" ]; then
            continue
        elif [ "${HIPSHIM_TEST_RUNTIMES:-}" = require ] && [ "$dropin_one" != 7.2 ]; then
            tap_result no "the real HIP $dropin_one runtime is there"
        else
            skip "everything of HIP $dropin_one" "no real runtime of it (tests/lib/fetch-runtimes gets it)"
        fi
    done
    [ -n "$dropin_releases" ] || {
        finish
        exit 0
    }
    # shellcheck disable=SC2086 # the first of them
    loopback_build ${dropin_releases# }
    unset HIPSHIM_LIBRARY LD_PRELOAD LD_LIBRARY_PATH
    LOOPBACK_GPUS=1 LOOPBACK_FAULT='' LOOPBACK_GUARD=0 LOOPBACK_CHECK=0
    # Each process compiles the same few kernels of the runtime's own before it copies or fills.
    AMD_COMGR_CACHE=1 AMD_COMGR_CACHE_DIR=$scratch/comgr
    export LOOPBACK_GPUS LOOPBACK_FAULT LOOPBACK_GUARD LOOPBACK_CHECK AMD_COMGR_CACHE AMD_COMGR_CACHE_DIR
}

# Sets real_* and dropin_libraries, dropin_hip, dropin_major.
dropin_find() { # RELEASE
    real_find "$1"
    dropin_libraries=$real_tree/usr/lib/x86_64-linux-gnu
    dropin_major=${1%%.*}
    dropin_hip=$dropin_libraries/libamdhip64.so.$dropin_major
}

# What a program of the release is linked to: hiprtc was inside libamdhip64 before 6.
dropin_linked() {
    printf '%s\n' "$dropin_hip"
    if [ -f "$dropin_libraries/libhiprtc.so.$dropin_major" ]; then
        printf '%s\n' "$dropin_libraries/libhiprtc.so.$dropin_major"
    fi
}

# With the headers of the release that dropin_find found.  Without CFLAGS: a sanitizer's run time
# is not the trees'.
dropin_cc() { # WORDS...
    # shellcheck disable=SC2086 # CC may be several words
    ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -D__HIP_PLATFORM_AMD__ \
        -isystem "$real_tree/usr/include" "$@"
}

# With nodefaultlib: what is not in the library path is not there, whatever the machine has in /lib.
# shellcheck disable=SC2046 # a list
dropin_compile() { # RELEASE OUTPUT WORDS...
    dropin_find "$1"
    dropin_output=$2
    shift 2
    dropin_cc -o "$dropin_output" "$@" $(dropin_linked) \
        -rdynamic -Wl,--allow-shlib-undefined -Wl,-z,nodefaultlib -ldl
}

# Programs of tests/loopback/gpu as one; see programs/suite.c.
dropin_compile_suite() { # RELEASE OUTPUT NAMES...
    dropin_find "$1"
    dropin_built=$1 dropin_suite=$2 dropin_subjects=
    shift 2
    mkdir -p "$dropin_suite.objects"
    for dropin_name in "$@"; do
        dropin_cc -DOWN_HEADERS -Wno-deprecated-declarations "-Dmain=main_$dropin_name" -c \
            -o "$dropin_suite.objects/$dropin_name.o" "$top/tests/loopback/gpu/${dropin_name}_t.c" || return 1
        dropin_subjects="$dropin_subjects SUBJECT($dropin_name)"
    done
    dropin_compile "$dropin_built" "$dropin_suite" "-DSUBJECTS=$dropin_subjects" \
        "$top/tests/dropin/programs/suite.c" "$dropin_suite.objects"/*.o -lcmocka
}

# The functions of HIP that a release lacks, with spaces around each.
dropin_missing() { # RELEASE
    real_find "$1"
    if ! [ -f "$scratch/missing-$1" ]; then
        # shellcheck disable=SC2086 # CC may be several words
        [ -x "$scratch/kinds" ] || ${CC:-cc} -std=gnu11 -I"$top/include/hipshim" -o "$scratch/kinds" \
            "$top/tests/loopback/coverage/kinds.c" -L"$build/.libs" -lhipshim || return 1
        real_run "$scratch/kinds" | sed -n 's/ missing$//p' | tr '\n' ' ' >"$scratch/missing-$1"
    fi
    printf ' %s' "$(cat "$scratch/missing-$1")"
}

# False without cmocka, which programs of tests/loopback/gpu need.
dropin_lend_cmocka() {
    [ -f "$build/tests/loopback/gpu/memory_t.o" ] && real_lend_cmocka
}

# What the programs of tests/loopback/gpu have to know of the run.
dropin_tell() { # BUILT-FOR RUN-ON
    CMOCKA_MESSAGE_OUTPUT=TAP REAL_RELEASE=$2 FRONT_RELEASE=$1 MISSING_FUNCTIONS=$(dropin_missing "$2")
    export CMOCKA_MESSAGE_OUTPUT REAL_RELEASE FRONT_RELEASE MISSING_FUNCTIONS
}

# Runs a program on a release, with what comes first in the library path, and
# without what the machine's ld.so.conf adds.
dropin_run() { # RELEASE PLACES PROGRAM [ARGS]
    dropin_find "$1"
    dropin_places=$2
    shift 2
    (
        cd "$scratch" || exit 99
        HOME=$scratch TMPDIR=$scratch timeout -k 5 60 "$real_loader" --inhibit-cache --library-path \
            "$dropin_places:$scratch/lib:$dropin_libraries:$real_tree/lib/x86_64-linux-gnu" "$@"
    )
}

dropin_over() { # RELEASE PROGRAM [ARGS]: through the drop-ins
    dropin_find "$1"
    dropin_back=$1
    shift
    HIPSHIM_LIBRARY=$dropin_hip dropin_run "$dropin_back" "$build/dropin" "$@"
}

# A directory where the release's libraries go by the names of another major.
dropin_disguise() { # RELEASE MAJOR DIRECTORY
    dropin_find "$1"
    mkdir -p "$3" && ln -sf "$dropin_hip" "$3/libamdhip64.so.$2" || return 1
    if [ -f "$dropin_libraries/libhiprtc.so.$dropin_major" ]; then
        ln -sf "$dropin_libraries/libhiprtc.so.$dropin_major" "$3/libhiprtc.so.$2"
    else
        # HIP 5 had hiprtc inside.
        ln -sf "$dropin_hip" "$3/libhiprtc.so.$2"
    fi
}

# A drop-in's numbers and layouts are those of the newest release of its major, unless the
# program runs on the release that it was built for: then they are those of that release.
dropin_front() { # BUILT-FOR RUN-ON
    case $1-$2 in
    5.2-5.2) printf '5.2\n' ;;
    5.*) printf '5.7\n' ;;
    7.2-7.2) printf '7.2\n' ;;
    7.*) printf '7.14\n' ;;
    *) printf '%s\n' "$1" ;;
    esac
}
