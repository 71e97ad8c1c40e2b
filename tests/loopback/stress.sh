#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/loopback/stress.sh [RUNS [RELEASE...]]: RUNS runs (200) of the programs
# of tests/loopback/gpu, in rotation, two at a time, on each real runtime there is (or on
# those named).  Says how many failed and how many hung, and where their output
# is; exit status 1 if any did.  "make stress" runs it; "make check" does not.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=SCRIPTDIR/run.sh
. "$top/tests/loopback/run.sh"

runs=${1:-200}
[ $# -eq 0 ] || shift
# shellcheck disable=SC2086 # a list
[ $# -ne 0 ] || set -- $real_releases
kept=$build/stress
mkdir -p "$kept"

# The n-th of the programs, from 0.
stress_program() { # N
    # shellcheck disable=SC2086 # a list of words
    set -- "$1" $loopback_programs
    shift $((1 + $1 % ($# - 1)))
    printf '%s\n' "$1"
}

# Every second run, one after the other, in a scratch directory of its own.
stress_half() { # RELEASE HALF
    stress_release=$1
    n=$2
    scratch=$scratch/$1-$2
    mkdir -p "$scratch"
    ln -s "$lent" "$scratch/lib"
    while [ "$n" -lt "$runs" ]; do
        name=$(stress_program $((n / 2)))
        loopback_settings "$name"
        loopback_run "$(real_built "tests/loopback/gpu/${name}_t")" >"$scratch/out" 2>&1
        status=$?
        case $status in
        0) result=passed ;;
        124 | 137) result=hung ;;
        *) result=failed ;;
        esac
        printf '%s %s %s\n' "$result" "$name" $status
        [ $result = passed ] || cp "$scratch/out" "$kept/$stress_release-$name-$n.out"
        n=$((n + 2))
    done
}

verdict=0
lent=$scratch/lib
real_lend_cmocka
sh "$top/tests/loopback/build.sh" "$lent" || exit 99
for release in "$@"; do
    if ! [ -d "$real_runtimes/$release" ]; then
        echo "HIP $release: no runtime, nothing was run"
        continue
    fi
    real_find "$release"
    (stress_half "$release" 0 >"$scratch/first") &
    other=$!
    (stress_half "$release" 1 >"$scratch/second")
    wait $other
    cat "$scratch/first" "$scratch/second" >"$scratch/all"
    echo "HIP $real_release: $(wc -l <"$scratch/all") runs: $(grep -c ^passed "$scratch/all") passed," \
        "$(grep -c ^failed "$scratch/all") failed, $(grep -c ^hung "$scratch/all") hung"
    if grep -v ^passed "$scratch/all" >"$scratch/bad"; then
        sort "$scratch/bad" | uniq -c
        verdict=1
    fi
done
[ $verdict -eq 0 ] || echo "see $kept"
exit $verdict
