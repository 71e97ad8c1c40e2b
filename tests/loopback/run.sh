# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # for the tests; scratch and top are of tap.sh, real_* of real.sh
# shellcheck source-path=SCRIPTDIR
#
# After tap.sh: runs programs on a real HIP runtime with the loopback for a GPU.
#   loopback_build NAME              the loopback in $scratch/lib
#   loopback_run PROGRAM ARGS        as real_run, in the scratch directory
#   loopback_settings NAME           the loopback as the program NAME of gpu/ needs it
#   loopback_program WORDS NAME      runs a program of gpu/; each of its tests is a TAP line
#   loopback_programs                the names of all programs of gpu/

# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"

loopback_programs=$(cd "$top/tests/loopback/gpu" && printf '%s\n' *_t.c | sed 's/_t\.c$//')

# The one of make unless it has a sanitizer, whose run time the trees do not have.
loopback_build() { # NAME
    mkdir -p "$scratch/lib"
    loopback_made=$build/src/loopback/.libs/libhsa-runtime64.so.1
    if [ -f "$loopback_made" ] && ! ${NM:-nm} -D "$loopback_made" | grep -q '__[at]san_\|__ubsan_'; then
        ln -sf "$loopback_made" "$scratch/lib/"
        return
    fi
    ok "the loopback compiles" sh "$top/tests/loopback/build.sh" "$scratch/lib"
}

# In the scratch directory, because the runtimes leave files where they run.
loopback_run() { # PROGRAM [ARGS]
    (
        cd "$scratch" || exit 99
        HOME=$scratch TMPDIR=$scratch
        export HOME TMPDIR
        real_run "$@"
    )
}

loopback_settings() { # NAME
    LOOPBACK_GPUS=1 LOOPBACK_FAULT='' LOOPBACK_GUARD=0 LOOPBACK_CHECK=0
    case $1 in
    faults) LOOPBACK_FAULT=kernel ;;
    guarded) LOOPBACK_GUARD=1 ;;
    two_gpus) LOOPBACK_GPUS=2 ;;
    *) ;;
    esac
    export LOOPBACK_GPUS LOOPBACK_FAULT LOOPBACK_GUARD LOOPBACK_CHECK
}

loopback_program() { # WORDS NAME
    loopback_run "$(real_built "tests/loopback/gpu/$2_t")" >"$scratch/out" 2>"$scratch/err"
    relay "$1$2" $? "not on this release"
}
