#!/bin/sh
# SPDX-License-Identifier: MIT
# The drop-ins of rocSPARSE give spmv its stages and bsrmv its info, and take them away, for the other side.
# The libraries are stand-ins, because real ones have 100 to 340 MB.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

sibling_built "$build/dropin/siblings/librocsparse.so.1"
mkdir "$scratch/0" "$scratch/1"

# shellcheck disable=SC2086 # CC may be several words
compile() { ${CC:-cc} -Wall -Wextra -Werror "$@" "$top/tests/apis/rocsparse.c"; }
for number in 0 1; do
    old=
    [ $number = 1 ] || old=-DOLD
    library=$scratch/$number/librocsparse.so.$number
    # shellcheck disable=SC2086 # one word or none
    ok "a library with the soname $number compiles" compile $old -DLIBRARY -fPIC -shared \
        "-Wl,-soname,librocsparse.so.$number" -o "$library"
    # shellcheck disable=SC2086 # one word or none
    ok "a program for it compiles" ${CC:-cc} $old -o "$scratch/program-$number" "$top/tests/apis/rocsparse.c" "$library"
done

over() { # LIBRARY PROGRAM
    LD_LIBRARY_PATH=$build/dropin/siblings HIPSHIM_ROCSPARSE_LIBRARY=$scratch/$1/librocsparse.so.$1 timeout 60 "$scratch/program-$2" 2>&1
}
is "a call without a buffer asks for its size, and one with it analyses and multiplies" "$(over 1 0)" \
    'library: spmv alg 3 stage 1
0 size 4
library: spmv alg 3 stage 2 buffer
library: spmv alg 3 stage 3 buffer
0
library: info null
library: bsrmv dim 2 x 5
0 y 7'
is "the stages are calls without and with a buffer, and no call for the analysis" "$(over 0 1)" \
    'library: spmv alg 3 stage 0
0
0
library: spmv alg 3 stage 0 buffer
0
library: bsrmv dim 2 x 5
0 y 7'
finish
