#!/bin/sh
# SPDX-License-Identifier: MIT
# 16 processes with 50 keys, some killed at any point: no half entry is ever
# seen, nobody waits for the dead, and what was compiled stays.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/cache/common.sh"

FAKE_MS=200
export FAKE_MS
mkdir "$scratch/out"
rounds=${CACHE_KILL_ROUNDS:-3}

storm() { # ROUND
    storm_pids=
    for i in $(seq 16); do
        "$worker" 50 $(($1 * 100 + i)) 1 20000 >"$scratch/out/$1.$i" 2>&1 &
        storm_pids="$storm_pids $!"
    done
    # Every other one dies, from a few milliseconds on.
    for pid in $storm_pids; do
        storm_turn=$((${storm_turn:-0} + 1))
        sleep "0.0$((storm_turn * 7 % 50 + 10))"
        [ $((storm_turn % 2)) -eq 0 ] || kill -9 "$pid" 2>/dev/null
    done
    for pid in $storm_pids; do
        wait "$pid" 2>/dev/null
    done
}

round=1
while [ "$round" -le "$rounds" ]; do
    forget
    storm "$round"
    is "round $round: nobody got a wrong byte" "$(cat "$scratch/out/$round".* | grep -vc ' wrong=0')" 0
    lived=$(cat "$scratch/out/$round".* | wc -l | tr -d ' ')
    ok "round $round: $((16 - lived)) were killed, and some" test "$lived" -ge 8 -a "$lived" -lt 14
    is "round $round: those who lived got all" \
        "$(cat "$scratch/out/$round".* | grep -c 'uncached=0 failed=0 wrong=0')" "$lived"
    is "round $round: what is there is whole" "$("$tool" cache verify 2>&1 | sed 's/^[0-9]* entries, //')" \
        "0 damaged"
    work 50 1 1 20000
    is "round $round: and it is all there" "$said" "compiled=0 cached=50 uncached=0 failed=0 wrong=0"
    # The dead may have compiled in vain, each once.
    count=$(compilations)
    ok "round $round: $count compilations of 50 keys, and at most one more for each of the 8 dead" \
        test "$count" -ge 50 -a "$count" -le 58
    work 51 1 1 20000
    is "round $round: the next entry sweeps what the dead left" "$(leftovers "$scratch/cache")" 0
    round=$((round + 1))
done

# Killed before each step on the way, the file half written too: who comes next has
# no harm from it, neither from a whole cache nor from one that was never there.
unset FAKE_MS
meddle_build
still_whole() { # WORDS
    case $("$tool" cache verify 2>&1) in
    *" 0 damaged"*) ;;
    *) worst="$worst; $1: $("$tool" cache verify 2>&1)" ;;
    esac
}
killed_everywhere() { # DESCRIPTION PREPARE
    step=0 outcome=Killed worst=
    while [ "$outcome" != 0 ] && [ "$step" -lt 200 ]; do
        step=$((step + 1))
        forget
        $2
        meddled KILL_AT=$step -- 2 7
        outcome=$?
        [ "$outcome" = 0 ] || [ "$outcome" = 137 ] || worst="$worst; step $step ended in $outcome"
        [ "$2" = spoiled ] || still_whole "step $step"
        work 2 1
        case $said in
        *" uncached=0 failed=0 wrong=0") ;;
        *) worst="$worst; after step $step: $said" ;;
        esac
        still_whole "after step $step"
        work 3 1
        [ "$(leftovers "$scratch/cache")" = 0 ] || worst="$worst; step $step left something"
        [ "$(entries "$scratch/cache")" -ge 3 ] || worst="$worst; after step $step too little is kept"
    done
    is "$1: killed at each of $((step - 1)) steps, nobody has harm from it" "$worst" ""
    ok "$1: these are all there are" test "$step" -gt 10 -a "$outcome" = 0
}
spoiled() {
    work 1
    for entry in "$scratch"/cache/gfx*/*.kernel; do truncate -s 700 "$entry"; done
}
full() {
    for key in a b c; do work 1 1 1 1000 $key; done
    find "$scratch/cache" -path '*/gfx*' -name '*.kernel' -exec touch -d '2 days ago' {} +
}
small_full() {
    full
    HIPSHIM_CACHE_SIZE=9K
    export HIPSHIM_CACHE_SIZE
}
if [ -n "$no_meddling" ]; then
    skip "killed at each step" "$no_meddling"
else
    killed_everywhere "an empty cache" :
    killed_everywhere "a spoiled entry" spoiled
    killed_everywhere "an eviction" small_full
    unset HIPSHIM_CACHE_SIZE
    forget
    work 1
    touch "$(echo "$scratch"/cache/gfx*)/.tmp-1-2" "$(echo "$scratch"/cache/gfx*)/$(printf '%064d' 1).lock"
    is "two files of the dead are there" "$(leftovers "$scratch/cache")" 2
    meddled LOCKS_OF_NFS=1 -- 2
    is "they are swept where a lock needs a descriptor that may write, as on NFS" \
        "$(leftovers "$scratch/cache")" 0
fi
finish
