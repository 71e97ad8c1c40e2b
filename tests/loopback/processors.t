#!/bin/sh
# SPDX-License-Identifier: MIT
# The loopback computes code for gfx942 and gfx1100, too, as HIP 6.4 and 7.2 compile it.  For any
# other processor, and for waves of 64 lanes on gfx1100, a launch is an error that says so.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=run.sh
. "$top/tests/loopback/run.sh"

[ -e "$build/.libs/libhipshim.so" ] || skip_all "no shared libhipshim in $build/.libs"
AMD_COMGR_CACHE=1
export AMD_COMGR_CACHE
loopback_build any
real_lend_cmocka
loopback_settings any
ok "the program compiles" "${CC:-cc}" -std=gnu11 -I"$top/include/hipshim" -I"$top/bindings" \
    -o "$scratch/faulty" "$top/tests/loopback/checks/faulty.c" "-L$build/.libs" -lhipshim \
    -Wl,--allow-shlib-undefined
# shellcheck disable=SC3045 # dash, bash and busybox know it
ulimit -c 0

runs() { # PROGRAM...: on both processors
    for LOOPBACK_ISA in gfx942 gfx1100; do
        export LOOPBACK_ISA
        for name in "$@"; do
            loopback_program "HIP $release, $LOOPBACK_ISA, " "$name"
        done
    done
}

refuses() { # ARCHITECTURE KERNEL WORDS
    said=$(LOOPBACK_ISA=$1 FAULTY_ARCH=$1 loopback_run "$scratch/faulty" "${2:-good}" 2>&1)
    has "HIP $release, $1: kernel ${2:-good} is refused" "$said" "loopback: kernel $2$3"
    lacks "HIP $release, $1: kernel ${2:-good} is an error" "$said" success
}

for release in 6.4 7.2; do
    if [ ! -d "$real_runtimes/$release" ]; then
        skip "HIP $release: other processors" "no real runtime (tests/lib/fetch-runtimes gets it)"
        continue
    fi
    real_find "$release"
    case $release in
    6.4) runs computes groups ;;
    *) runs computes groups instructions matrices cooperative ;;
    esac
    # The first kernel is one of the runtime's own, which copies.
    refuses gfx1030 "" "__amd_rocclr_copyBuffer: the loopback does not compute code for gfx1030, but for gfx90a, gfx942 and gfx1100"
    refuses gfx942 unknown ", group 0 0 0: the loopback does not know this instruction, in \"v_cvt_off_f32_i4"
    refuses gfx1100 unknown ", group 0 0 0: the loopback does not know this instruction, in \"v_cvt_off_f32_i4"
    FAULTY_OPTION=-mwavefrontsize64
    export FAULTY_OPTION
    refuses gfx1100 good ": the loopback does not compute waves of 64 lanes for gfx1100"
    unset FAULTY_OPTION
done
finish
