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

facts() { # NAME PROGRAM COMPILER...: 3 tests
    name="$1, $2" source=$top/tests/lib/programs/$2.cpp
    shift 2
    ok "$name: the program compiles with ROCm's headers" "$@" -w -std=c++17 -D__HIP_PLATFORM_AMD__ \
        "-I$rocm" "-I$scratch" "$source" -o "$scratch/theirs"
    ok "$name: and with ours" "$@" -std=c++17 -Wall -Wextra -Werror "-I$top/include/hipshim" \
        "-I$top/bindings" "-I$scratch" "$source" -o "$scratch/ours"
    "$scratch/theirs" >"$scratch/theirs.txt"
    "$scratch/ours" >"$scratch/ours.txt"
    ok "$name: it prints the same" cmp_text "$scratch/theirs.txt" "$scratch/ours.txt"
}

cmp_text() { [ -s "$1" ] && diff "$1" "$2"; }

# Each constant that ROCm has, as a line of number_facts.cpp.
sed -n 's/^#define \(HIP_[A-Z0-9_]*_F\) .*/WORD(\1);/p; t
        s/^#define \(HIP_[A-Z0-9_]*\) .*/LONG(\1);/p' \
    "$rocm/hip/amd_detail/amd_hip_math_constants.h" >"$scratch/constants.inc"

plan 13
ok "ROCm's constants were found" grep -q HIP_PI_LO "$scratch/constants.inc"
for program in facts number_facts; do
    facts "${CXX:-c++}" $program ${CXX:-c++}
    if command -v clang++ >/dev/null 2>&1; then
        facts clang++ $program clang++
    else
        for what in theirs ours same; do
            skip "clang++, $program: $what" "there is no clang++"
        done
    fi
done
