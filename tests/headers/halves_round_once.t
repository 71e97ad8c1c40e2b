#!/bin/sh
# SPDX-License-Identifier: MIT
# The conversions of hip_fp16.h give the value of each of the 65536 halves, and of each number the
# half that the definition of the format gives, in each rounding.
# shellcheck disable=SC2086 # flags are lists of words
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

halves() { # NAME COMPILER...: 2 tests
    name=$1
    shift
    ok "$name: the program compiles" "$@" -std=c++11 -O2 -Wall -Wextra -Werror -Wold-style-cast \
        -Wconversion "-I$top/include/hipshim" "-I$top/bindings" "$top/tests/lib/programs/halves.cpp" \
        -o "$scratch/halves"
    ok "$name: all conversions are right" "$scratch/halves"
}

plan 5
printf '#include <hip/hip_fp16.h>\n__half half = {0x3c00}; __half2 pair = {1, 2};\n' >"$scratch/half.c"
ok "C has the types" ${CC:-cc} -std=c99 -Wall -Wextra -Werror "-I$top/include/hipshim" "-I$top/bindings" \
    -fsyntax-only "$scratch/half.c"
halves "${CXX:-c++}" ${CXX:-c++}
if command -v clang++ >/dev/null 2>&1; then
    halves clang++ clang++
else
    skip "clang++ compiles" "there is no clang++"
    skip "clang++ converts" "there is no clang++"
fi
