# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154,SC2034 # of tap.sh; for the tests
#
# After tap.sh, for tests of the libraries beside HIP.  A NAME is a package that tests/lib/fetch-siblings
# gets, such as libhipblas3-7.2, or a HIP that tests/lib/fetch-runtimes gets, such as 7.2.
#   sibling_built FILE            ends the test, skipped, if this library or drop-in was not built
#   sibling_python                sets $python, or ends the test, skipped, if it cannot run hipgen
#   sibling_missing NAME...       prints which one is not there first; nothing if all are
#   sibling_tree NAME             prints the directory that it was unpacked in
#   sibling_libraries NAME...     prints the directories of their libraries, with colons between them
#   sibling_cc NAMES WORDS...     compiles with the headers of NAMES; libraries may lack symbols
#   sibling_empty_rocsolver DIR FILE   makes DIR/librocsolver.so.0, of 600 MB, empty but for what FILE,
#                                 a hipBLAS, wants of it
#   sibling_over HIP PATH PROGRAM [ARGS]   runs a program, which may be for another release, over the
#                                 libraries in the directories of PATH and those of HIP

# What would choose another library, or another HIP.
# shellcheck disable=SC2046 # a list of words
unset $(env | sed -n 's/^\(HIPSHIM_[A-Z]*_LIBRARY\)=.*/\1/p') HIPSHIM_LIBRARY HIPSHIM_STRICT LD_PRELOAD LD_LIBRARY_PATH
unset HIP_PATH ROCM_PATH ROCM_HOME VIRTUAL_ENV CONDA_PREFIX GUIX_ENVIRONMENT SNAP NIX_PROFILES
LC_ALL=C
export LC_ALL
sibling_runtimes=${HIPSHIM_RUNTIMES:-$build/runtimes}

sibling_built() { # FILE
    [ -e "$1" ] || skip_all "there is no $1 (configured with --disable-siblings)"
}

sibling_python() {
    python=${PYTHON:-python3}
    "$python" -c 'import jinja2, tomllib' 2>/dev/null || skip_all "$python is no Python 3.11 with jinja2 (PYTHON names one)"
}

sibling_tree() { # NAME
    case $1 in
    lib*) printf '%s\n' "$sibling_runtimes/siblings/$1" ;;
    *) printf '%s\n' "$sibling_runtimes/$1" ;;
    esac
}

sibling_missing() { # NAME...
    for sibling_name; do
        case $sibling_name in
        lib*) sibling_kind=sibling ;;
        *) sibling_kind=runtime ;;
        esac
        sibling_at=$(sibling_tree "$sibling_name")
        [ ! -e "$sibling_at/.hipshim-$sibling_kind" ] || continue
        printf 'there is no %s (tests/lib/fetch-%ss %s gets it)' "$sibling_at" $sibling_kind "$sibling_name"
        [ ! -e "$sibling_at.reason" ] || printf ': %s' "$(cat "$sibling_at.reason")"
        return
    done
}

sibling_libraries() { # NAME...
    sibling_path=
    for sibling_name; do sibling_path=$sibling_path:$(sibling_tree "$sibling_name")/usr/lib/x86_64-linux-gnu; done
    printf '%s\n' "${sibling_path#:}"
}

sibling_cc() { # NAMES WORDS...
    sibling_names=$1
    shift
    for sibling_name in $sibling_names; do set -- "$@" -I"$(sibling_tree "$sibling_name")/usr/include"; done
    # shellcheck disable=SC2086 # CC may be several words
    ${CC:-cc} -w -D__HIP_PLATFORM_AMD__ "$@" -Wl,--unresolved-symbols=ignore-all
}

sibling_empty_rocsolver() { # DIR FILE
    mkdir -p "$1"
    nm -D --undefined-only "$2" | awk '$2 ~ /^rocsolver/ { print "void " $2 "(void) {}" }' |
        ${CC:-cc} -w -fPIC -shared -Wl,-soname,librocsolver.so.0 -x c - -o "$1/librocsolver.so.0"
}

# Under the C library of the HIP, which the host's may be older than.
sibling_over() { # HIP PATH PROGRAM [ARGS]
    sibling_hip=$1 sibling_before=$2
    shift 2
    timeout -k 5 300 env AMD_COMGR_CACHE=0 TMPDIR="$scratch" "$(sibling_tree "$sibling_hip")/usr/lib64/ld-linux-x86-64.so.2" \
        --inhibit-cache --library-path "${sibling_before:+$sibling_before:}$(sibling_libraries "$sibling_hip")" "$@"
}
