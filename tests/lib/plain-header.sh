# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # scratch and top are of tap.sh
#
# After tap.sh: header_is_plain <<C compiles the program on standard input as each
# standard of C and C++ that the public headers allow, with every warning an error.

header_is_plain() {
    cat >"$scratch/user.c"
    cp "$scratch/user.c" "$scratch/user.cpp"
    for standard in c99 c11 c2x; do
        # shellcheck disable=SC2086 # CC may be several words
        header_compiles c $standard ${CC:-cc}
    done
    for standard in c++98 c++17; do
        # shellcheck disable=SC2086
        header_compiles cpp $standard ${CXX:-c++}
    done
}

header_compiles() { # SUFFIX STANDARD COMPILER...
    suffix=$1
    standard=$2
    shift 2
    if ! command -v "$1" >/dev/null; then
        skip "the header compiles as $standard" "there is no $1"
        return
    fi
    ok "the header compiles as $standard with $1" "$@" "-std=$standard" -Wall -Wextra -Wpedantic -Werror \
        -I"$top/include/hipshim" -c "$scratch/user.$suffix" -o "$scratch/user.o"
}
