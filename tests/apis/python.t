#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154 # of tap.sh
#
# The Python modules of hipRAND, hipBLAS and hipSPARSE compute the numbers that programs in C get from the same
# real libraries, over a real HIP and the loopback.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

sibling_built "$build/.libs/libhipshim-hiprand.so"
package=$build/python/package
[ -d "$package" ] || skip_all "configure had no --with-python"
[ -e "$build/src/loopback/.libs/libhsa-runtime64.so.1" ] || skip_all "no loopback was built"
python=$(sed -n 's/^PROGRAM_OF_PYTHON = //p' "$build/Makefile")
python=$("$python" -c 'import sys; print(sys.executable)') # not a script that starts one
export PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 LOOPBACK_GPUS=1

over() { # HIP API PACKAGES: runs the program of this name over the libraries
    # shellcheck disable=SC2086 # a list of words
    sibling_over "$1" "$build/.libs:$build/src/loopback/.libs:$(sibling_libraries $3):$scratch/empty-$1" \
        "$python" "$top/tests/apis/$2_numbers.py" 2>&1
}

computes() { # HIP API PACKAGES WANTED
    # shellcheck disable=SC2086 # a list of words
    lacking=$(sibling_missing "$1" $3)
    if [ -n "$lacking" ]; then
        skip "the module of $2 computes over ${3%% *}" "$lacking"
        return
    fi
    [ "$2" != hipblas ] || sibling_empty_rocsolver "$scratch/empty-$1" "$(sibling_libraries "${3%% *}")/lib$2.so".?
    is "the module of $2 computes over ${3%% *}" "$(over "$1" "$2" "$3")" "$4"
}

# The wanted numbers are those of hiprand.t and numbers.t, whose programs are in C.
constant() { # FILE NAME: the text in quotation marks after the name
    awk -v name="$2" -v quote="'" '
        !on && (at = index($0, name quote)) { on = 1; $0 = substr($0, at + length(name) + 1) }
        on { end = index($0, quote); print end ? substr($0, 1, end - 1) : $0 }
        on && end { exit }' "$top/tests/apis/$1"
}
random=$(constant hiprand.t numbers=)
products="$(constant numbers.t 'hipblas) echo ')
i (1 + 2i) (3 + 4i) -10 -5
sdot 11"
has "the numbers of hipRAND in C are known" "$random" "xorwow 0.593329"
has "so are those of hipBLAS" "$products" "sgemm 7 5"
solutions=$(constant numbers.t 'hipsparse) echo ')
has "so are those of hipSPARSE" "$solutions" "csrmv 2 7"

for release in 6.4 7.2; do
    computes "$release" hiprand "libhiprand1-$release librocrand1-$release" "$random"
done
lacking=$(sibling_missing 5.7 libhiprand1-5.7 librocrand1-5.7)
if [ -n "$lacking" ]; then
    skip "hipRAND 5.7 refuses a generator on the host, and the module says so" "$lacking"
else
    has "hipRAND 5.7 refuses a generator on the host, and the module says so" \
        "$(over 5.7 hiprand "libhiprand1-5.7 librocrand1-5.7")" \
        "HipError: hiprandCreateGeneratorHost(): HIPRAND_STATUS_NOT_IMPLEMENTED"
fi
computes 5.2 hipsparse "libhipsparse0-5.3 librocsparse0-5.3" "$solutions"
computes 7.2 hipsparse "libhipsparse4-7.2 librocsparse1-7.2" "$solutions"
computes 6.4 hipblas "libhipblas2-6.4 librocblas4-6.4" "$products"
computes 7.2 hipblas "libhipblas3-7.2 librocblas5-7.2" "$products"
finish
