#!/bin/sh
# SPDX-License-Identifier: MIT
# HIPSHIM_CACHE_SIZE holds; what was not used for longest goes; readers and
# clocks that jump do not matter.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
# shellcheck source=cache_common.sh
. "$top/tests/cache_common.sh"

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

# The clock was wrong.
forget
work 1 1 1 10000 future
age '*/gfx*' '10 years'
work 1 1 1 10000 future
is "an entry from the future is served" "$said" "$cached"
newest=$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel' -newermt '1 hour' | wc -l)
is "and becomes one of now" "$newest" 0
age '*/gfx*' '10 years'
work 1 1 1 10000 now
is "an eviction ends the future too" \
    "$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel' -newermt '1 hour' | wc -l)" 0
age '*/gfx*' '1970-01-02'
work 1 1 1 10000 now
is "an entry from 1970 is served" "$said" "$cached"

HIPSHIM_CACHE_SIZE=5K
work 1 1 1 10000 large
has "an entry larger than the cache is not kept" "$said" "larger than the cache may be"
for odd in '' x -1 1T 5KB 99999999999999999999; do
    HIPSHIM_CACHE_SIZE=$odd
    forget
    work 1 1 1 10000
    is "HIPSHIM_CACHE_SIZE='$odd' makes no sense and is not believed" "$said" "$compiled"
done

# Load: 8 processes that read and write what the others evict.
forget
HIPSHIM_CACHE_SIZE=100K
mkdir "$scratch/out"
for i in 1 2 3 4 5 6 7 8; do
    "$worker" 60 "$i" 2 10000 >"$scratch/out/$i" 2>&1 &
done
wait
is "8 processes of 2 threads that evict each other's entries get what they asked for" \
    "$(cat "$scratch/out"/* | grep -c ' uncached=0 failed=0 wrong=0$')" 8
tap_comment "$(cat "$scratch/out"/*)"
ok "the limit holds" test "$(total)" -le 102400
has "all is whole" "$("$tool" cache verify)" ", 0 damaged"
is "and no lock is left" "$(leftovers "$scratch/cache")" 0
plan "$tap_count"
