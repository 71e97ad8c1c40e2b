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

ask free
has "free: says that the runtime is at fault and how to go on" "$said" \
    "was never given out (the runtime freed it; LOOPBACK_STRICT=0 goes on)"

for case in dmabuf newer-agent-info newer-system-info; do
    ask "$case"
    is "$case is refused on purpose, so that the process goes on" $status 0
    lacks "$case: it is refused" "$said" "status 0x0"
done
ask locks
is "of two locks of one page the one that begins there is undone" "$status $said" "0 first
2 agents, status 0x0"
ask handler
is "a queue is destroyed after the handlers of signals that have fallen" "$status $said" "0 2 agents, status 0x0"
ask none LOOPBACK_GPUS=8
has "eight GPUs and the CPU" "$said" "9 agents"
ask none LOOPBACK_GPUS=9
is "nine GPUs are too many" $status 99
for setting in GPUS=x GPUS=2x ISA=nope ISA=gfxnope ISA=gfx9 ISA=gfx90a:foo- ISA=gfx90a:xnack STRICT=2 \
    GUARD=yes CHECK=2 LOG=on FAULT=foo; do
    ask none "LOOPBACK_$setting"
    is "LOOPBACK_$setting ends the process" $status 99
    has "... with one line that names it" "$said" "loopback: LOOPBACK_$setting is "
done
for isa in gfx90a gfx1030 gfx90a:xnack- gfx90a:sramecc+:xnack- gfx11-generic gfx9-4-generic; do
    ask none "LOOPBACK_ISA=$isa"
    is "LOOPBACK_ISA=$isa is a processor" $status 0
done

${NM:-nm} -D --defined-only "$scratch/libhsa-runtime64.so.1" | awk '{print $3}' | sed 's/@@/@/' |
    sort -u >"$scratch/exports"
for release in $real_releases $real_wheels; do
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
