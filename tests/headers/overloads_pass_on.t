#!/bin/sh
# SPDX-License-Identifier: MIT
# The overloads that C++ has besides the functions of C pass on what they are
# given, with HIP's defaults, and return what they get.
# shellcheck disable=SC2086 # flags are lists of words
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

flags="-std=c++17 -Wall -Wextra -Werror -I$top/include/hipshim -I$top/bindings"

recorded() { # NAME COMPILER...: 2 tests
    name=$1
    shift
    ok "$name: a program that is its own library compiles" \
        "$@" $flags "$top/tests/lib/programs/recorded_calls.cpp" -o "$scratch/recorded"
    ok "$name: each call arrives as it was made" "$scratch/recorded"
}

plan 7
recorded "${CXX:-c++}" ${CXX:-c++}
recorded "without the typed allocations" ${CXX:-c++} -D__HIP_DISABLE_CPP_FUNCTIONS__
printf '#include <hip/hip_runtime.h>\nint main() { float *f; return hipMalloc(&f, 1); }\n' >"$scratch/typed.cpp"
if ${CXX:-c++} $flags -D__HIP_DISABLE_CPP_FUNCTIONS__ -c "$scratch/typed.cpp" -o "$scratch/typed.o" 2>/dev/null; then
    is "which then are errors" "no error" "an error"
else
    is "which then are errors" "an error" "an error"
fi
if command -v clang++ >/dev/null 2>&1; then
    recorded clang++ clang++
else
    skip "clang++ compiles" "there is no clang++"
    skip "clang++ calls" "there is no clang++"
fi
