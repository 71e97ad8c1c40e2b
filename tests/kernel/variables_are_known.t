#!/bin/sh
# SPDX-License-Identifier: MIT
# Every variable that changes the code which hiprtc makes is known to src/base/compiler_inputs.c, and
# so is part of a key of the cache.  A new release of HIP may read another one.
#
# The names are those that the process asks for, and those in the strings of the runtime's own
# libraries, which also search the environment themselves.  All are set at once, and only if the
# code changes, halves of them.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"

inputs=$top/src/base/compiler_inputs.c
program=$(real_built tests/kernel/writes_code)
unset HIPSHIM_ARCH
[ -x "$program" ] || skip_all "$program was not built"
# shellcheck disable=SC2086 # CC may be several words
${CC:-cc} -D_GNU_SOURCE -fPIC -shared -o "$scratch/recorder.so" "$top/tests/kernel/recorder.c" -ldl ||
    exit 99

# Those of the process or of hipshim, and that of the compiler's own cache, which real_run sets.
own='PATH|HOME|PWD|LD_.*|TE?MP|TE?MPDIR|HIPSHIM_.*|RECORDER|CONDA_PREFIX|GUIX_ENVIRONMENT|NIX_PROFILES|ROCM_HOME|SNAP|VIRTUAL_ENV|AMD_COMGR_CACHE(_DIR)?'

compile() { # NAMES VALUE: writes the code to $scratch/code; empty without code
    (
        cd "$scratch" || exit 99 # some variables name files to write
        while read -r name; do
            export "$name=$2"
        done <"$1"
        real_run "$program" gfx1030
    ) >"$scratch/code" 2>"$scratch/errors" || : >"$scratch/code"
}

# Prints the names that change the code.  A failure gives no code, so nothing wrong could be kept,
# but it may hide another name.
find_names() { # NAMES VALUE
    compile "$1" "$2"
    ! cmp -s "$scratch/code" "$scratch/usual" || return 0
    if [ "$(wc -l <"$1")" -gt 1 ]; then
        head -n $(($(wc -l <"$1") / 2)) "$1" >"$1.a"
        tail -n +$(($(wc -l <"$1") / 2 + 1)) "$1" >"$1.b"
        find_names "$1.a" "$2"
        find_names "$1.b" "$2"
    elif [ -s "$scratch/code" ]; then
        echo "$(cat "$1")=$2"
    fi
}

search_names() { # writes $scratch/names and $scratch/known
    : >"$scratch/none"
    rm -f "$scratch/recorded"
    real_preload=$scratch/recorder.so
    RECORDER=$scratch/recorded compile "$scratch/none" ""
    real_preload=
    mv "$scratch/code" "$scratch/usual"
    grep -oE '"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*"' "$1" | tr -d '"' >"$scratch/known"
    for library in "$real_tree"/usr/lib/x86_64-linux-gnu/libamdhip64.so.? \
        "$real_tree"/usr/lib/x86_64-linux-gnu/libhiprtc.so.?; do
        [ ! -e "$library" ] || strings "$library" | grep -xE '[A-Z][A-Z0-9]*(_[A-Z0-9]+)+'
    done >>"$scratch/recorded"
    grep -xE '[A-Z][A-Z0-9_]+' "$scratch/recorded" | grep -vxE "$own" |
        grep -vxF -f "$scratch/known" | sort -u >"$scratch/names"
}

check_release() { # NAME
    search_names "$inputs"
    ok "HIP $1: a kernel compiles" test -s "$scratch/usual"
    ok "HIP $1: the compiler's variables are seen" grep -qx HIP_DEVICE_LIB_PATH "$scratch/recorded"
    for value in 0 1 -O0 "$scratch/nothing"; do
        is "HIP $1: no unknown variable changes the code if it is ${value##*/}" \
            "$(find_names "$scratch/names" "$value")" ""
    done
}

for release in $real_releases; do
    if [ -d "$real_runtimes/$release" ]; then
        real_find "$release"
        check_release "$release"
    else
        skip "HIP $release" "no real runtime in $real_runtimes/$release"
    fi
done

# The same search finds what it is for.
if [ -s "$scratch/usual" ]; then
    grep -v GPU_ENABLE_WGP_MODE "$inputs" >"$scratch/inputs.c"
    search_names "$scratch/inputs.c"
    grep -x 'GPU_.*' "$scratch/names" >"$scratch/some"
    is "a variable that is not known is found" "$(find_names "$scratch/some" 0)" GPU_ENABLE_WGP_MODE=0
fi
finish
