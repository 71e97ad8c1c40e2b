#!/bin/sh
# SPDX-License-Identifier: MIT
# A kernel that the loopback cannot carry out is an error of the launch with one line that names the
# kernel, its first group that failed, and the instruction: HIP 5 and 6 abort the process then, and
# HIP 7 returns an error.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=run.sh
. "$top/tests/loopback/run.sh"

[ -e "$build/.libs/libhipshim.so" ] || skip_all "no shared libhipshim in $build/.libs"
AMD_COMGR_CACHE=1
LOOPBACK_GPUS=1
export AMD_COMGR_CACHE LOOPBACK_GPUS
loopback_build any
ok "the program compiles" "${CC:-cc}" -std=gnu11 -I"$top/include/hipshim" -I"$top/bindings" \
    -o "$scratch/faulty" "$top/tests/loopback/checks/faulty.c" "-L$build/.libs" -lhipshim \
    -Wl,--allow-shlib-undefined

# No core is written of the processes that HIP 5 and 6 end.
# shellcheck disable=SC3045 # dash, bash and busybox know it
ulimit -c 0

try() { # KERNEL [GROUPS]
    said=$(loopback_run "$scratch/faulty" "$@" 2>&1)
    status=$?
}

fails() { # KERNEL REASON INSTRUCTION [GROUPS GROUP]
    try "$1" "${4:-1}"
    line=$(printf '%s\n' "$said" | grep '^loopback: kernel')
    case $status in
    1 | 134) tap_result yes "HIP $release, $1: an error of the launch, or the end of the process" ;;
    *) tap_result no "HIP $release, $1: an error of the launch, or the end of the process" && tap_comment "$status $said" ;;
    esac
    has "HIP $release, $1: the kernel and the group are named" "$line" "loopback: kernel $1, group ${5:-0} 0 0: "
    is "HIP $release, $1: one line says it" "$(printf '%s\n' "$line" | wc -l)" 1
    has "HIP $release, $1: the reason is given" "$line" "$2"
    has "HIP $release, $1: the instruction is given" "$line" "in \"$3"
}

# The host lets the kernel go on when it has read the line.
waits() {
    mkfifo "$scratch/in" "$scratch/err"
    loopback_run "$scratch/faulty" patient 2 <"$scratch/in" >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    exec 3>"$scratch/in" 4<"$scratch/err"
    said=$(sed '/^loopback: kernel/q' <&4)
    echo >&3
    wait "$pid"
    status=$?
    exec 3>&- 4<&-
    has "HIP $release: a launch that waits for the host is named" "$said" \
        "loopback: kernel patient, group 0 0 0: all waves have waited for 5 seconds for a change of memory, in "
    is "HIP $release: it goes on, and ends when the host lets it" "$status $(cat "$scratch/out")" "0 success"
}

for release in $real_releases; do
    if [ ! -d "$real_runtimes/$release" ]; then
        skip "HIP $release: faults are reported" "no real runtime (tests/lib/fetch-runtimes gets it)"
        continue
    fi
    real_find "$release"
    try good
    is "HIP $release: a good kernel succeeds" "$status $said" "0 success"
    fails outside "memory access fault at 0x" "global_store_dword"
    fails null "memory access fault at 0x0," ""
    fails host "memory access fault at 0x7" ""
    fails shared "memory access fault at 0x10000000" "ds_"
    fails unknown "the loopback does not know this instruction" "v_cvt_off_f32_i4"
    fails aborts "the kernel aborted" "s_trap 2"
    said=$(LOOPBACK_ISA=gfx906 loopback_run "$scratch/faulty" good 2>&1)
    lacks "HIP $release: code for another processor does not run" "$said" success
    [ "$release" != 7.2 ] || waits # it takes more than 5 seconds
done
finish
