# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# TAP for shell tests.  Source it first, by ". "${srcdir:-...}/tests/lib/tap.sh"":
#   plan N                 the number of tests, before the first
#   skip_all REASON        ends the test, skipped as a whole
#   ok DESCRIPTION CMD...  passes if CMD succeeds; its output is shown if not
#   is DESCRIPTION GOT WANTED         passes if both are equal
#   has DESCRIPTION TEXT PART         passes if TEXT contains PART
#   lacks DESCRIPTION TEXT PART       passes if it does not
#   skip DESCRIPTION REASON           one test skipped
#   finish                 prints the plan, for a test that did not call plan
#   run CMD...             keeps the output in $scratch/output, the status in $status
#   exits DESCRIPTION STATUS          passes if the last run had that status
#   gives DESCRIPTION PATTERN         passes if one line of the last output matches the
#                                     whole extended regular expression
#   never DESCRIPTION PATTERN         passes if there is output, and no line matches
# $scratch is a directory of the test's own, removed at its end; $top is the
# source tree and $build the build tree, absolute.

case ${srcdir:-} in
'') top=$(cd "$(dirname "$0")/../.." && pwd) ;;
*) top=$(cd "$srcdir" && pwd) ;;
esac
# shellcheck disable=SC2034 # for the tests
build=${abs_builddir:-$top}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/hipshim-test.XXXXXX") || exit 99
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM
tap_count=0

plan() { printf '1..%s\n' "$1"; }

finish() { plan "$tap_count"; }

skip_all() {
    printf '1..0 # SKIP %s\n' "$*"
    exit 0
}

tap_result() { # yes|no DESCRIPTION
    tap_count=$((tap_count + 1))
    case $1 in
    yes) printf 'ok %d - %s\n' $tap_count "$2" ;;
    *) printf 'not ok %d - %s\n' $tap_count "$2" ;;
    esac
}

tap_comment() { printf '%s\n' "$*" | sed 's/^/# /'; }

ok() {
    tap_description=$1
    shift
    if "$@" >"$scratch/tap.out" 2>&1; then
        tap_result yes "$tap_description"
    else
        tap_status=$?
        tap_result no "$tap_description"
        tap_comment "exit status $tap_status: $*"
        tail -n 30 "$scratch/tap.out" | sed 's/^/#   /'
    fi
}

is() {
    if [ "$2" = "$3" ]; then
        tap_result yes "$1"
    else
        tap_result no "$1"
        tap_comment "got:    $2"
        tap_comment "wanted: $3"
    fi
}

has() {
    case $2 in
    *"$3"*) tap_result yes "$1" ;;
    *)
        tap_result no "$1"
        tap_comment "no '$3' in:"
        tap_comment "$2"
        ;;
    esac
}

lacks() {
    case $2 in
    *"$3"*)
        tap_result no "$1"
        tap_comment "there is a '$3' in:"
        tap_comment "$2"
        ;;
    *) tap_result yes "$1" ;;
    esac
}

skip() {
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s # SKIP %s\n' $tap_count "$1" "$2"
}

run() {
    "$@" >"$scratch/output" 2>&1
    status=$?
}

tap_run_result() { # DESCRIPTION CMD...: as ok, but shows what `run` kept
    tap_description=$1
    shift
    if "$@"; then
        tap_result yes "$tap_description"
    else
        tap_result no "$tap_description"
        tap_comment "exit status $status, wanted: $*"
        sed 's/^/#   /' "$scratch/output"
    fi
}

exits() { tap_run_result "$1" [ "$status" -eq "$2" ]; }

gives() { tap_run_result "$1" grep -E -x -q -- "$2" "$scratch/output"; }

tap_unmatched() { [ -s "$scratch/output" ] && ! grep -E -x -q -- "$1" "$scratch/output"; }

never() { tap_run_result "$1" tap_unmatched "$2"; }
