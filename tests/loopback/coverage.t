#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/coverage.md says what the test programs call on each runtime, no less and no more.
# With COVERAGE_UPDATE=1, which `make coverage` sets, the file is written anew.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -x "$build/tests/loopback/gpu/memory_t" ] || skip_all "the programs of tests/loopback/gpu were not built: no cmocka"
recorded=
for release in 5.2 5.7 6.4 7.2; do
    sh "$top/tests/loopback/coverage/record" "$scratch" $release >"$scratch/log" 2>&1
    status=$?
    if [ $status -eq 77 ]; then
        skip "HIP $release is recorded" "$(head -n 1 "$scratch/log")"
        continue
    fi
    is "HIP $release is recorded" $status 0
    [ $status -eq 0 ] || tap_comment "$(cat "$scratch/log")"
    recorded="$recorded $scratch/$release"
done
if [ -z "$recorded" ]; then
    skip "the table is that of the runs" "no real runtime is there"
    plan "$tap_count"
    exit 0
fi
touch "$scratch/none.md"
old=$top/doc/coverage.md
[ -f "$old" ] || old=$scratch/none.md
# shellcheck disable=SC2086 # the records are a list
awk -f "$top/tests/loopback/coverage/table.awk" "$top/tests/loopback/coverage/reasons.txt" "$old" $recorded \
    >"$scratch/coverage.md" 2>"$scratch/complaints"
is "each function not called has a reason, and no other" "$(cat "$scratch/complaints")" ""
if [ "${COVERAGE_UPDATE:-}" = 1 ]; then
    cp "$scratch/coverage.md" "$top/doc/coverage.md"
fi
ok "the table is that of the runs" diff "$top/doc/coverage.md" "$scratch/coverage.md"
plan "$tap_count"
