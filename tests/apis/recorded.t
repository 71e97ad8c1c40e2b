#!/bin/sh
# SPDX-License-Identifier: MIT
# Every function of hipBLAS, hipSOLVER, hipSPARSE, rocBLAS and rocSPARSE, called by programs for one
# release over a library of another one: below Debian's real library, a recorder in place of rocBLAS or
# rocSPARSE prints what arrives, which must be what arrives from a program for that release.
# record_calls.py writes the programs, which the vendor's headers compile, and the recorders.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

sibling_built "$build/dropin/siblings/libhipblas.so.3"
sibling_python

# A row: the API, and the release, the number of the soname and the package of its library; the same of the
# API below it; the HIP that Debian builds it with; its header, and further packages with headers.
rows='
hipblas   5.5.0 0 libhipblas0-5.5   rocblas   5.5.0 0 5.7 libhipblas-dev-5.5
hipblas   6.4.4 2 libhipblas2-6.4   rocblas   6.3.0 4 6.4 libhipblas-dev-6.4 libhipblas-common-dev-7.1
hipblas   7.2.4 3 libhipblas3-7.2   rocblas   7.2.4 5 7.2 libhipblas-dev-7.2 libhipblas-common-dev-7.2
hipsparse 5.3.0 0 libhipsparse0-5.3 rocsparse 5.3.0 0 5.2 libhipsparse-dev-5.3
hipsparse 5.7.0 0 libhipsparse0-5.7 rocsparse 5.7.0 0 5.7 libhipsparse-dev-5.7
hipsparse 6.4.3 1 libhipsparse1-6.4 rocsparse 6.4.3 1 6.4 libhipsparse-dev-6.4
hipsparse 7.2.4 4 libhipsparse4-7.2 rocsparse 7.2.4 1 7.2 libhipsparse-dev-7.2
hipsolver 5.5.0 0 libhipsolver0-5.5 rocblas   5.5.0 0 5.7 libhipsolver-dev-5.5
hipsolver 6.4.1 0 libhipsolver0-6.4 rocblas   6.3.0 4 6.4 libhipsolver-dev-6.4 libhipblas-common-dev-7.1
hipsolver 7.2.4 1 libhipsolver1-7.2 rocblas   7.2.4 5 7.2 libhipsolver-dev-7.2 libhipblas-common-dev-7.2
rocblas   5.5.0 0 -                 rocblas   5.5.0 0 5.7 librocblas-dev-5.5
rocblas   6.3.0 4 -                 rocblas   6.3.0 4 6.4 librocblas-dev-6.4
rocblas   7.2.4 5 -                 rocblas   7.2.4 5 7.2 librocblas-dev-7.2
rocsparse 5.7.0 0 -                 rocsparse 5.7.0 0 5.7 librocsparse-dev-5.7
rocsparse 7.2.4 1 -                 rocsparse 7.2.4 1 7.2 librocsparse-dev-7.2'

take() { # API RELEASE: sets the fields of its row
    read -r number package below below_release below_number hip headers <<EOF
$(echo "$rows" | awk -v api="$1" -v release="$2" '$1 == api && $2 == release { $1 = $2 = ""; print }')
EOF
    library=lib$1.so.$number
    recorder=$scratch/$1-on-$below-$below_release caller=$scratch/call-$1-$2
    case $package in
    -) package='' real=$recorder ;;
    *) real=$(sibling_libraries "$package") ;;
    esac
}

# shellcheck disable=SC2086 # lists of words
missing() { sibling_missing $headers $package "$hip"; } # what the row needs

recorded() { "$python" "$top/tests/apis/record_calls.py" "$@"; }

make_recorder() {
    [ ! -d "$recorder" ] || return 0
    mkdir "$recorder"
    names=
    [ -z "$package" ] || names=$(nm -D --undefined-only "$real/$library" | awk '$2 ~ /^roc/ { print $2 }')
    # shellcheck disable=SC2086 # lists of words
    recorded recorder "$below" "$below_release" $names >"$recorder.c" &&
        ${CC:-cc} -w -fPIC -shared -Wl,-soname,"lib$below.so.$below_number" "$recorder.c" \
            -o "$recorder/lib$below.so.$below_number" &&
        ln -s "lib$below.so.$below_number" "$recorder/librocsolver.so.0"
}

make_caller() { # API RELEASE
    [ ! -x "$caller" ] || return 0
    recorded caller "$1" "$2" "$1/$1.h" >"$caller.c" &&
        sibling_cc "$hip $headers" "$caller.c" "$real/$library" -o "$caller"
}

over() { # CALLER DROPINS: what it prints over the library of the row that was taken last
    sibling_over "$hip" "$2$recorder:$real" "$1" 2>"$scratch/errors"
}

prepare() { # API RELEASE, which was taken
    make_recorder && make_caller "$@" && { [ -e "$caller.out" ] || over "$caller" '' >"$caller.out"; }
}

# To 5.7 trmm works in place, so that the last matrix is passed twice.  rocblas_abort does not return.
in_place='^rocblas_.trmm[a-z_]* .* (@[0-9]+ [0-9]+( [0-9]+)?) \1( [0-9]+)?$'

# Programs for RELEASE over the library of OTHER, in LEAST calls at least, without the functions that
# match EXCEPT.
pair() { # API RELEASE OTHER LEAST [EXCEPT]
    title="programs for $1 $2 call $1 $3 as its own do"
    take "$1" "$2"
    lacking=$(missing)
    library_for=$library caller_for=$caller
    [ -n "$lacking" ] || prepare "$1" "$2" || {
        ok "$title: their parts compile" false
        return
    }
    take "$1" "$3"
    lacking=${lacking:-$(missing)}
    [ -z "$lacking" ] || {
        skip "$title" "$lacking"
        return
    }
    dropins=$scratch/dropin-$1-$2
    mkdir -p "$dropins"
    ln -sf "$build/dropin/siblings/$library_for" "$dropins"
    if ! prepare "$1" "$3" || ! over "$caller_for" "$dropins:" >"$scratch/out"; then
        ok "$title: they run" false
        return
    fi
    except=rocblas_abort${5:+|$5}
    case $1,$2 in
    *blas,5.*)
        except="$except|trmm"
        is "programs for $1 $2 have trmm in place on $3" "$(awk '/^==/ { apart = /outofplace/ } !apart' "$scratch/out" |
            grep -E '^rocblas_.trmm' | grep -cvE "$in_place")" 0
        ;;
    esac
    recorded compare "$scratch/out" "$caller.out" "$except" '_v2(?![a-z0-9])=' HIPBLAS_R_=HIP_R_ \
        HIPBLAS_COMPUTE_=HIP_R_ 'HIPSOLVER_(FILL|OP|SIDE)_=HIPBLAS_\1_' ORDER_COLUMN=ORDER_COL >"$scratch/differences"
    calls=$(sed -n 's/ calls$//p' "$scratch/differences")
    [ "${calls:-0}" -ge "$4" ] || calls="${calls:-0} calls, fewer than $4"
    is "$title" "$(head -n 9 "$scratch/differences")" "$calls calls"
}

pair hipblas 6.4.4 7.2.4 10000
pair hipblas 5.5.0 7.2.4 2500
pair hipblas 7.2.4 6.4.4 8000
pair hipblas 5.5.0 6.4.4 2500
pair hipsolver 5.5.0 7.2.4 600
pair hipsolver 6.4.1 7.2.4 1500
pair hipsolver 7.2.4 6.4.1 1500
pair rocblas 6.3.0 7.2.4 6000
pair rocblas 5.5.0 7.2.4 3500
pair rocblas 7.2.4 6.3.0 6000
pair hipsparse 5.3.0 7.2.4 1500
pair hipsparse 5.7.0 7.2.4 1500
pair hipsparse 6.4.3 7.2.4 1500
pair hipsparse 7.2.4 6.4.3 1500
# To 5.7 SpSV_solve wants the buffer of the analysis, which another process made; numbers.t has both.
pair hipsparse 7.2.4 5.7.0 1500 SpSV_solve
pair hipsparse 6.4.3 5.3.0 1500 SpSV_solve
# These have other parameters since 6.0.
pair rocsparse 5.7.0 7.2.4 2000 'bsrmv|_spmv'
pair rocsparse 7.2.4 5.7.0 2000 'bsrmv|_spmv|_spgemm '
finish
