#!/bin/sh
# SPDX-License-Identifier: MIT
# The loopback ends a process that asks for what nobody wrote, and exports what runtimes import.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"

sh "$top/tests/loopback/build.sh" "$scratch" >"$scratch/log" 2>&1
status=$?
is "it compiles" $status 0

ok "the asking program compiles" "${CC:-cc}" -std=gnu11 -I"$top/src/loopback" -o "$scratch/strict" \
    "$top/tests/loopback/checks/strict.c" "$scratch/libhsa-runtime64.so.1"

ask() { # CASE [ENVIRONMENT...]
    case=$1
    shift
    said=$(env LD_LIBRARY_PATH="$scratch" "$@" "$scratch/strict" "$case" 2>&1)
    status=$?
}

for case in agent-info system-info free signal; do
    ask "$case"
    is "$case: exit status" $status 99
    is "$case: one line" "$(printf '%s\n' "$said" | wc -l)" 1
    has "$case: says who" "$said" "loopback: "
    ask "$case" LOOPBACK_STRICT=0
    is "$case, not strict: exit status" $status 0
    has "$case, not strict: says it all the same" "$said" "loopback: "
    lacks "$case, not strict: refuses" "$said" "status 0x0"
done

ask dmabuf
is "what is refused on purpose ends nothing" $status 0
lacks "but it is refused" "$said" "status 0x0"
ask locks
is "of two locks of one page the one that begins there is undone" "$status $said" "0 first
2 agents, status 0x0"
ask none LOOPBACK_GPUS=8
has "eight GPUs and the CPU" "$said" "9 agents"
ask none LOOPBACK_GPUS=9
is "nine GPUs are too many" $status 99

${NM:-nm} -D --defined-only "$scratch/libhsa-runtime64.so.1" | awk '{print $3}' | sed 's/@@/@/' |
    sort -u >"$scratch/exports"
for release in $real_releases; do
    found=
    for library in "$real_runtimes/$release"/usr/lib/x86_64-linux-gnu/libamdhip64.so.[0-9]; do
        [ -f "$library" ] && found=$library
    done
    if [ -z "$found" ]; then
        skip "HIP $release imports nothing else" "no runtime of HIP $release"
        continue
    fi
    missing=$(${NM:-nm} -D --undefined-only "$found" | awk '{print $2}' | grep '@ROCR_1$' |
        sort -u | comm -23 - "$scratch/exports")
    is "HIP $release imports nothing else" "$missing" ""
done
outside=$(awk '!/^(hsa_|loopback_).*@ROCR_1$|^ROCR_1/' "$scratch/exports")
is "nothing else is exported" "$outside" ""

finish
