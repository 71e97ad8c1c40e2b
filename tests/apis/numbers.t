#!/bin/sh
# SPDX-License-Identifier: MIT
# hipBLAS and hipSPARSE compute the same numbers for programs of every release: Debian's real libraries
# run on a real HIP and the loopback, which computes their kernels.  Programs are those that were compiled with
# the headers of a release, over the drop-ins, and one with hipshim's headers.  Without the libraries,
# which are large, tests are skipped; `make check-siblings` fetches all.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

sibling_built "$build/dropin/siblings/libhipblas.so.3"
[ -e "$build/src/loopback/.libs/libhsa-runtime64.so.1" ] || skip_all "no loopback was built"

# A program for a release links its soname, and libamdhip64 of its HIP.
compile_for() { # API RELEASE HIP SONAMES HEADERS FLAGS
    program=$scratch/$1-$2
    [ ! -x "$program" ] || return 0
    mkdir -p "$scratch/dropin-$1-$2"
    for at in $4; do
        case $at in
        libamdhip64*) ln -s "$build/dropin/$at" "$scratch/dropin-$1-$2" ;;
        *) ln -s "$build/dropin/siblings/$at" "$scratch/dropin-$1-$2" ;;
        esac
    done
    # shellcheck disable=SC2086 # a list of words
    sibling_cc "$3 $5" $6 "$top/tests/apis/$1.c" "$scratch/dropin-$1-$2"/lib* -o "$program"
}

compile_stable() { # API
    program=$scratch/$1-stable
    [ ! -x "$program" ] || return 0
    mkdir -p "$scratch/dropin-$1-stable"
    ${CC:-cc} -Wall -Wextra -Werror -I"$top/include/hipshim" -I"$top/bindings" -I"$top/bindings/$1/include" "$top/tests/apis/$1.c" \
        "$build/.libs/libhipshim-$1.so" "$build/.libs/libhipshim.so" -o "$program"
}

# Over the libraries of HIP, PACKAGES, with the empty functions of rocSOLVER that hipBLAS wants.
over() { # API RELEASE HIP PACKAGES
    # shellcheck disable=SC2086 # a list of words
    sibling_over "$3" "$scratch/dropin-$1-$2:$build/.libs:$build/src/loopback/.libs:$(sibling_libraries $4):$scratch/empty-$3" \
        "$scratch/$1-$2" 2>&1
}

numbers_of() { # API: what its program prints
    case $1 in
    hipsparse) echo 'csrmv 2 7 23 59
SpMV 2 7 23 59
SpMV 2 7 23 59
SpMM 2 4 10 14 37 46 97 118
by row
SpSV 0.5 0.5 0.2 -0.05' ;;
    hipblas) echo 'sgemm 7 5 -4 1 -6 -7 -8 5 1 1 8 -6 -7 -6 9 3
GemmEx 14 10 -8 2 -12 -14 -16 10 2 2 16 -12 -14 -12 18 6
AxpyEx -8 -5 -2 1 4 2 5 -6 -3 0 -2 1 4 7 -4 -6
ScalEx -16 -10 -4 2 8 4 10 -12 -6 0 -4 2 8 14 -8 -12
strmm 100 -20 -12 -8 -128 -76 72 48 60 20 -12 -8 -36 0 72 48' ;;
    esac
}

programs_of() { # API: lines of its release, HIP, sonames, packages with headers, flags
    case $1 in
    hipsparse) echo '5.3 5.2 libhipsparse.so.0,libamdhip64.so.5 libhipsparse-dev-5.3 -DOLD_SOLVE,-DANY_BUFFER
5.7 5.7 libhipsparse.so.0,libamdhip64.so.5 libhipsparse-dev-5.7 -DOLD_SOLVE,-DANY_BUFFER
6.4 6.4 libhipsparse.so.1,libamdhip64.so.6 libhipsparse-dev-6.4 -DANY_BUFFER
7.2 7.2 libhipsparse.so.4,libamdhip64.so.7 libhipsparse-dev-7.2' ;;
    hipblas) echo '5.5 5.7 libhipblas.so.0,libamdhip64.so.5 libhipblas-dev-5.5 -DOLD_TYPES,-DIN_PLACE
6.4 6.4 libhipblas.so.2,libamdhip64.so.6 libhipblas-dev-6.4,libhipblas-common-dev-7.1 -DOLD_TYPES
7.2 7.2 libhipblas.so.3,libamdhip64.so.7 libhipblas-dev-7.2,libhipblas-common-dev-7.2' ;;
    esac
}

words() { echo "$1" | tr , ' '; }

compute() { # API HIP PACKAGES
    wanted=$(numbers_of "$1")
    # shellcheck disable=SC2086 # a list of words
    lacking=$(sibling_missing "$2" $3)
    titles="over ${3%% *} on HIP $2"
    if [ -n "$lacking" ]; then
        skip "$1 computes $titles" "$lacking"
        return
    fi
    [ "$1" != hipblas ] || sibling_empty_rocsolver "$scratch/empty-$2" "$(sibling_libraries "${3%% *}")/lib$1.so".?
    while read -r release hip sonames headers flags; do
        title="a program for $1 $release computes $titles"
        # shellcheck disable=SC2046 # a list of words
        lacking=$(sibling_missing "$hip" $(words "$headers"))
        if [ -n "$lacking" ]; then
            skip "$title" "$lacking"
        elif compile_for "$1" "$release" "$hip" "$(words "$sonames")" "$(words "$headers")" "$(words "$flags")"; then
            is "$title" "$(over "$1" "$release" "$2" "$3")" "$wanted"
        else
            ok "$title" false
        fi
    done <<EOF
$(programs_of "$1")
EOF
    ok "a program with hipshim's header of $1 compiles" compile_stable "$1"
    is "it computes $titles" "$(over "$1" stable "$2" "$3")" "$wanted"
}

compute hipsparse 5.2 'libhipsparse0-5.3 librocsparse0-5.3'
compute hipsparse 7.2 'libhipsparse4-7.2 librocsparse1-7.2'
compute hipblas 6.4 'libhipblas2-6.4 librocblas4-6.4'
compute hipblas 7.2 'libhipblas3-7.2 librocblas5-7.2'
finish
