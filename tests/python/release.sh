# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # of tap.sh and real.sh
#
# All tests of the package on the real runtime that the name of the test ends in.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"

package=$build/python/package
[ -d "$package" ] || skip_all "configure had no --with-python"
python=$(sed -n 's/^PROGRAM_OF_PYTHON = //p' "$build/Makefile")
"$python" -c 'import tap' 2>/dev/null || skip_all "$python cannot import tap (Debian: python3-tap)"
# Not a script that starts one.
python=$("$python" -c 'import sys; print(sys.executable)')

real_name=$(real_release_of_test)
real_find "$real_name"
loopback_build "$real_name"
export PYTHONPATH="$package:$top/python/hip_python:$top/tests/python" PYTHONDONTWRITEBYTECODE=1
for file in "$top"/tests/python/*_test.py; do
    name=${file##*/}
    loopback_run "$python" -m tap "${name%.py}" >"$scratch/tap" 2>"$scratch/err"
    status=$?
    sed 's/^\(not ok\|ok\) \([0-9]*\) test_\([a-z_0-9]*\) ([^)]*)/\1 \2 - \3/' "$scratch/tap" >"$scratch/out"
    relay "${name%_test.py}" "$status" "not on this release"
done
for turn in first second third; do
    run loopback_run "$python" -W ignore "$top/tests/python/pending_at_exit.py"
    gives "the interpreter ends while functions wait in a stream, the $turn time" "1 device"
    exits "with success" 0
done
finish
