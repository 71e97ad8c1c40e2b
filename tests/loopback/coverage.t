#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/loopback/coverage.md says which functions the test programs call on each runtime, exactly.
# The programs are recorded while tests/dispatch/real_hip_*.t and tests/loopback/hip_*.t run
# them; COVERAGE_RECORDS is where these tests leave the records.  A record that is not
# there is made now.  With COVERAGE_UPDATE=1, which `make coverage` sets, the file is
# written anew.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2154 # real_* are of real.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"

[ -x "$build/tests/loopback/gpu/memory_t" ] || skip_all "the programs of tests/loopback/gpu were not built: no cmocka"
[ "$(uname -m)" = x86_64 ] || skip_all "the recorder is written for x86-64"
coverage=$top/tests/loopback/coverage
: "${COVERAGE_RECORDS:=$scratch/records}"
export COVERAGE_RECORDS
mkdir -p "$COVERAGE_RECORDS"

record() { # KIND TEST: runs the test of the release unless it left its record
    [ -f "$COVERAGE_RECORDS/$real_name.$1" ] ||
        sh "$top/tests/$2$(printf '%s' "$real_name" | tr . _).t" >"$scratch/log" 2>&1
    ok "HIP $real_name has a record of kind $1" test -s "$COVERAGE_RECORDS/$real_name.$1"
    cp "$COVERAGE_RECORDS/$real_name.$1" "$scratch/$1.record" || tap_comment "$(grep '^not ok' "$scratch/log")"
}

# "called succeeded" for each function, a line each.
bytes_of() { # KIND
    od -An -v -tu1 -w1 "$scratch/$1.record" | awk -v count="$(wc -l <"$scratch/functions")" '
        { byte[NR - 1] = $1 + 0 }
        END { for (i = 0; i < count; i++) print byte[i] + 0, byte[i + 4096] + 0 }' >"$scratch/$1.bytes"
}

ok "the recorder compiles" sh "$coverage/build.sh" "$scratch/recorder.so"
# shellcheck disable=SC2086
ok "the program that lists all functions compiles" ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror \
    -I"$top/include/hipshim" -o "$scratch/kinds" "$coverage/kinds.c" -L"$build/.libs" -lhipshim
recorded=
for real_name in $real_releases; do
    if [ ! -d "$real_runtimes/$real_name" ]; then
        skip "HIP $real_name is recorded" "no real runtime (tests/lib/fetch-runtimes gets it)"
        continue
    fi
    real_find "$real_name"
    real_run "$scratch/kinds" >"$scratch/functions"
    is "the functions of HIP $real_name are listed" $? 0
    record real dispatch/real_hip_
    record loopback loopback/hip_
    for kind in real loopback; do bytes_of "$kind"; done
    paste -d ' ' "$scratch/functions" "$scratch/real.bytes" "$scratch/loopback.bytes" |
        awk -f "$coverage/proofs.awk" >"$scratch/$real_name"
    recorded="$recorded $scratch/$real_name"
done
if [ -z "$recorded" ]; then
    skip "the table is that of the runs" "no real runtime is there"
    finish
    exit 0
fi
touch "$scratch/none.md"
old=$top/tests/loopback/coverage.md
[ -f "$old" ] || old=$scratch/none.md
# shellcheck disable=SC2086 # the records are a list
awk -v names="$real_releases" -f "$coverage/table.awk" "$coverage/reasons.txt" "$old" $recorded \
    >"$scratch/coverage.md" 2>"$scratch/complaints"
is "each function not called has a reason, and no other" "$(cat "$scratch/complaints")" ""
if [ "${COVERAGE_UPDATE:-}" = 1 ]; then
    cp "$scratch/coverage.md" "$top/tests/loopback/coverage.md"
fi
ok "the table is that of the runs" diff "$top/tests/loopback/coverage.md" "$scratch/coverage.md"
finish
