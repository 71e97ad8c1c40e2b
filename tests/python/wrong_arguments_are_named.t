#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154 # of tap.sh
#
# Every function of every module of the package, called without a runtime and with one argument of a wrong
# kind at a time, answers with a Python exception that names the function and the argument.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

package=$build/python/package
[ -d "$package" ] || skip_all "configure had no --with-python"
python=$(sed -n 's/^PROGRAM_OF_PYTHON = //p' "$build/Makefile")
export PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH="$build/.libs"

run "$python" "$top/tests/python/wrong_arguments.py"
exits "a wrong argument of any function is an exception with its name" 0
gives "the functions of HIP are among them" "hipshim.hip: 5[0-9][0-9] functions"
if [ -f "$build/.libs/libhipshim-hipblas.so" ]; then
    gives "so are those of hipBLAS, which raise" "hipshim.hipblas.checked: 18[0-9][0-9] functions"
else
    skip "so are those of hipBLAS, which raise" "configured with --disable-siblings"
fi
finish
