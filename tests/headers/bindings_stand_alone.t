#!/bin/sh
# SPDX-License-Identifier: MIT
# Every bindings header compiles with nothing but itself on the include path,
# as C11 and C++17, with gcc and clang; so do the ifdef table and stable.h.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# The includes a header may have: the language's own, and its shared API set.
# shellcheck disable=SC2086 # the defines are a list, mostly empty
compile() { # COMPILER STANDARD LANGUAGE HEADER DEFINES
    "$1" "-std=$2" -x "$3" $5 -Wall -Wextra -Werror -fsyntax-only "$top/bindings/$4"
}

try_all() { # HEADER [DEFINES]
    for pair in "$CC c11 c" "$CXX c++17 c++" "clang c11 c" "clang++ c++17 c++"; do
        # shellcheck disable=SC2086 # three words
        set -- "$1" "${2:-}" $pair
        if ! command -v "$3" >/dev/null; then
            skip "$1 $2 as $4 with $3" "no $3 here"
            continue
        fi
        ok "$1 ${2:+$2 }as $4 with $3" compile "$3" "$4" "$5" "$1" "$2"
        set -- "$1" "$2"
    done
}

CC=${CC:-gcc} CXX=${CXX:-g++}
CC=${CC%% *} CXX=${CXX%% *}
for header in "$top"/bindings/bindings_*.h; do
    try_all "$(basename "$header")"
done
try_all bindings.h
try_all bindings.h -DHIPSHIM_HIP_PATCH=41134
try_all stable.h

text=$("$CC" -x c -DHIPSHIM_HIP_PATCH=1 -fsyntax-only "$top/bindings/bindings.h" 2>&1)
has "an unknown patch number names the known ones" "$text" "known: 13601, 20531"

printf '#include "bindings.h"\nint v = HIP_VERSION;\n' >"$scratch/v.c"
text=$("$CC" -E -P -DHIPSHIM_HIP_PATCH=42133 -I"$top/bindings" "$scratch/v.c" | tail -n 1)
is "a shared api_set keeps its own release" "$text" "int v = 60342133;"

includes=$(cat "$top"/bindings/bindings_*.h | grep '^#include' | sort -u | grep -v '"bindings_' | tr '\n' ' ')
is "only headers of the language are included" "$includes" \
    "#include <limits.h> #include <stdbool.h> #include <stddef.h> #include <stdint.h> "
finish
