#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154 # of tap.sh
#
# The stubs have the functions, arguments and results of the modules, and a type checker accepts
# them, the tests, and a call of every function.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

package=$build/python/package
[ -d "$package" ] || skip_all "configure had no --with-python"
command -v mypy >/dev/null || skip_all "no mypy (Debian: mypy)"
python=$(sed -n 's/^PROGRAM_OF_PYTHON = //p' "$build/Makefile")
export PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH="$build/.libs"

typed() { # DESCRIPTION FILE...
    description=$1
    shift
    run env MYPYPATH="$package:$top/tests/python" mypy --strict --cache-dir=/dev/null "$@"
    exits "$description" 0
}

"$python" "$top/tests/python/every_call.py" >"$scratch/calls.py" 2>"$scratch/output"
status=$?
exits "the stubs have the functions and arguments of the modules" 0
gives "each of them is called, with and without its status" "[0-9]{4} calls"
typed "a type checker accepts every call and the number of its results" "$scratch/calls.py"
typed "it accepts the package" -p hipshim
# The modules with HIP Python's names have no stubs.
# shellcheck disable=SC2046 # a list
typed "it accepts the tests" $(printf '%s\n' "$top"/tests/python/*_test.py | grep -v hip_python_test) "$top/tests/python/random_calls.py" "$top/tests/python/every_call.py" "$top/tests/python/wrong_arguments.py"
if [ -f "$build/.libs/libhipshim-hiprand.so" ]; then
    for file in "$top"/tests/apis/hip*.py; do typed "it accepts ${file##*/}" "$file"; done
else
    skip "it accepts the tests of other libraries" "configured with --disable-siblings"
fi
finish
