#!/bin/sh
# SPDX-License-Identifier: MIT
# HIPSHIM_CACHE_SIZE holds; what was not used for longest goes; readers and
# clocks that jump do not matter.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/cache/common.sh"

total() { # bytes of all entries
    find "$scratch/cache" -name '*.kernel' -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }'
}
age() { # PATTERN WHEN
    find "$scratch/cache" -name '*.kernel' -path "$1" -exec touch -d "$2" {} +
}

work 1 1 1 10000 first
age '*' '2 days ago'
work 1 1 1 10000 second
age '*/gfx90a*' '1 day ago'
first=$(find "$scratch/cache" -path '*/gfx90a*' -name '*.kernel' | head -n 1)
touch -d '2 days ago' "$first"
HIPSHIM_CACHE_SIZE=25K
export HIPSHIM_CACHE_SIZE
work 1 1 1 10000 third
is "a third entry is kept" "$said" "$compiled"
ok "the one that was not used for longest is gone" test ! -e "$first"
ok "25K holds" test "$(total)" -le 25600
is "two are left" "$(entries "$scratch/cache")" 2

# Use counts, not age.
forget
for name in a b; do
    work 1 1 1 10000 $name
done
age '*' '3 days ago'
work 1 1 1 10000 a
is "an old entry is used" "$said" "$cached"
work 1 1 1 10000 c
work 1 1 1 10000 a
is "and stays for that" "$said" "$cached"
work 1 1 1 10000 b
is "the other had to go" "$said" "$compiled"

# More goes than need be, but never what was just made.
forget
HIPSHIM_CACHE_SIZE=11K
work 1 1 1 10000 first
work 1 1 1 10000 second
work 1 1 1 10000 second
is "an entry that is nearly all that may be stays" "$said" "$cached"
HIPSHIM_CACHE_SIZE=25K

# The clock was wrong.
forget
work 1 1 1 10000 future
age '*/gfx*' '10 years'
work 1 1 1 10000 future
is "an entry from the future is served" "$said" "$cached"
newest=$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel' -newermt '1 hour' | wc -l)
is "an entry with a time in the future gets the time of now" "$newest" 0
age '*/gfx*' '10 years'
work 1 1 1 10000 now
is "an eviction ends the future too" \
    "$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel' -newermt '1 hour' | wc -l)" 0
age '*/gfx*' '1970-01-02'
work 1 1 1 10000 now
is "an entry from 1970 is served" "$said" "$cached"

# The clock itself jumps between processes.
year=31536000
jump() { # SECONDS TEXT
    meddled CLOCK_AHEAD="$1" -- 1 1 1 10000 "$2"
}
meddle_build
if [ -n "$no_meddling" ]; then
    skip "clocks that jump" "$no_meddling"
else
    forget
    HIPSHIM_CACHE_SIZE=42K # three, and what the cache knows of the runtime
    count=0
    for by in 0 $((10 * year)) -$((10 * year)) $year 0 -$year 60 $((20 * year)) 0; do
        count=$((count + 1))
        jump "$by" "jump$count"
        is "jump $count, clock at $by: a new entry is kept" "$said" "$compiled"
        jump "$by" "jump$count"
        is "jump $count, clock at $by: and found" "$said" "$cached"
        ok "jump $count, clock at $by: the limit holds" test "$(total)" -le 43008
    done
    jump 0 "jump$((count + 1))"
    is "none of them is from the future then" \
        "$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel' -newermt '1 hour' | wc -l)" 0
    jump 0 "jump$count"
    is "and what was new before is there still" "$said" "$cached"
fi

HIPSHIM_CACHE_SIZE=5K
work 1 1 1 10000 large
has "an entry larger than the cache is not kept" "$said" "larger than HIPSHIM_CACHE_SIZE allows"
for odd in '' x -1 1T 5KB 99999999999999999999; do
    HIPSHIM_CACHE_SIZE=$odd
    odd_lines=0
    [ -z "$odd" ] || odd_lines=1
    forget
    work 1 1 1 10000
    has "with HIPSHIM_CACHE_SIZE='$odd' an entry is kept" "$said" "$compiled"
    is "... and one line says so if it is set" "$(printf '%s\n' "$said" | grep -c '^hipshim: ')" "$odd_lines"
    why="HIPSHIM_CACHE_SIZE=$odd is not a size"
    [ -n "$odd" ] || why='the default'
    has "HIPSHIM_CACHE_SIZE='$odd' is no size, so the default holds" "$("$tool" cache info 2>&1)" \
        "limit       1073741824 bytes ($why)"
done

# A large cache is examined once for many stores, and the limit holds all the same.
forget
HIPSHIM_CACHE_SIZE=1G
if [ -n "$no_meddling" ]; then
    skip "a store does not look at each entry of a large cache" "$no_meddling"
else
    work 1 1 1 10000 large
    group=$(find "$scratch/cache" -type d -path '*/gfx90a*')
    (
        cd "$group" || exit 99
        i=0
        while [ $i -lt 1000 ]; do
            i=$((i + 1))
            : >"$(printf '%064d' $i).kernel"
        done
    )
    meddled LOOKS="$scratch/looks" -- 200 1 1 1000 many
    has "200 entries are stored beside 1,000" "$said" "compiled=200"
    looks=$(wc -l 2>/dev/null <"$scratch/looks" || echo 0)
    tap_comment "$looks looks"
    ok "a store does not look at each entry of a large cache" test "$looks" -lt 20000
fi
forget
HIPSHIM_CACHE_SIZE=2M
for seed in 1 2 3; do
    work 200 $seed 1 10000 "round $seed"
    has "200 entries of 10 KB are stored ($seed)" "$said" "compiled=200"
done
tap_comment "$(total) bytes"
ok "a cache of 2 MB grows by no more than a tenth beyond its limit" test "$(total)" -le $((2097152 * 11 / 10))
ok "... and is used to more than three quarters" test "$(total)" -ge $((2097152 * 3 / 4))

# Load: 8 processes that read and write what the others evict, and 4 that only
# read, each from a cache of its own with this one for shared.
forget
HIPSHIM_CACHE_SIZE=100K
mkdir "$scratch/out" "$scratch/read"
for i in 1 2 3 4 5 6 7 8; do
    "$worker" 60 "$i" 2 10000 >"$scratch/out/$i" 2>&1 &
done
for i in 1 2 3 4; do
    for round in 1 2 3 4 5; do
        HIPSHIM_CACHE_DIR=$scratch/own$i.$round:$scratch/cache "$worker" 60 "$i" 2 10000
    done >"$scratch/read/$i" 2>&1 &
done
wait
is "8 processes of 2 threads that evict each other's entries get what they asked for" \
    "$(cat "$scratch/out"/* | grep -c ' uncached=0 failed=0 wrong=0$')" 8
tap_comment "$(cat "$scratch/out"/*)"
is "and so do 4 that only read" \
    "$(cat "$scratch/read"/* | grep -c ' uncached=0 failed=0 wrong=0$')" 20
tap_comment "$(cat "$scratch/read"/*)"
ok "entries were evicted meanwhile, and compiled again" test "$(compilations)" -gt 60
ok "the limit holds" test "$(total)" -le 102400
has "all is whole" "$("$tool" cache verify)" ", 0 damaged"
is "and no lock is left" "$(leftovers "$scratch/cache")" 0
finish
