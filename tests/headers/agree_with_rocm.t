#!/bin/sh
# SPDX-License-Identifier: MIT
# What our headers define by hand is what ROCm's own define: one program that
# prints it compiles with either, and prints the same.
# shellcheck disable=SC2086 # flags are lists of words
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

rocm=${HIPSHIM_RUNTIMES:-$build/runtimes}/7.2/usr/include
[ -f "$rocm/hip/hip_runtime.h" ] ||
    skip_all "no HIP 7.2 headers in $rocm (tests/lib/fetch-runtimes 7.2 gets them)"

facts() { # NAME COMPILER...: 3 tests
    name=$1
    shift
    ok "$name: the program compiles with ROCm's headers" "$@" -w -std=c++17 -D__HIP_PLATFORM_AMD__ \
        "-I$rocm" "$top/tests/lib/programs/facts.cpp" -o "$scratch/theirs"
    ok "$name: and with ours" "$@" -std=c++17 -Wall -Wextra -Werror "-I$top/include/hipshim" \
        "-I$top/bindings" "$top/tests/lib/programs/facts.cpp" -o "$scratch/ours"
    "$scratch/theirs" >"$scratch/theirs.txt"
    "$scratch/ours" >"$scratch/ours.txt"
    ok "$name: it prints the same" cmp_text "$scratch/theirs.txt" "$scratch/ours.txt"
}

cmp_text() { [ -s "$1" ] && diff "$1" "$2"; }

plan 6
facts "${CXX:-c++}" ${CXX:-c++}
if command -v clang++ >/dev/null 2>&1; then
    facts clang++ clang++
else
    for what in theirs ours same; do
        skip "clang++: $what" "there is no clang++"
    done
fi
