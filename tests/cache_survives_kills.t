#!/bin/sh
# SPDX-License-Identifier: MIT
# 16 processes with 50 keys, some killed at any point: no half entry is ever
# seen, nobody waits for the dead, and what was compiled stays.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
# shellcheck source=cache_common.sh
. "$top/tests/cache_common.sh"

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
plan "$tap_count"
