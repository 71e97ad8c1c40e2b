#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that was compiled with the comgr of ROCm 5 gets from that of ROCm 6.4 and 7 what one for these
# gets, and one for ROCm 7 the same from those of 5, over Debian's real libraries.  They compile on the CPU.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"

[ -e "$build/dropin/comgr/libamd_comgr.so.3" ] || skip_all "configured with --disable-siblings"
unset HIPSHIM_LIBRARY HIPSHIM_COMGR_LIBRARY HIPSHIM_STRICT LD_PRELOAD LD_LIBRARY_PATH HIP_PATH ROCM_PATH ROCM_HOME
TMPDIR=$scratch
export TMPDIR

library() { # RELEASE
    case $1 in
    5*) echo libamd_comgr.so.2 ;;
    *) echo libamd_comgr.so.3 ;;
    esac
}
libraries() { echo "$real_runtimes/$1/usr/lib/x86_64-linux-gnu"; } # RELEASE
there() { [ -e "$(libraries "$1")/$(library "$1")" ]; }          # RELEASE
over() {                                                         # RELEASE PROGRAM [DROPINS]: what it prints
    timeout -k 5 120 "$real_runtimes/$1/usr/lib64/ld-linux-x86-64.so.2" --inhibit-cache --library-path \
        "${3:+$3:}$(libraries "$1")" "$2" 2>&1
}

for release in 5.2 5.7 6.4 7.2; do
    there "$release" || continue
    flat=
    [ "$release" != 5.2 ] || flat=-DFLAT
    # shellcheck disable=SC2086 # CC may be several words, and flat none
    ok "a program for the comgr of ROCm $release compiles" ${CC:-cc} -w $flat -I"$real_runtimes/$release/usr/include" \
        "$top/tests/apis/comgr.c" "$(libraries "$release")/$(library "$release")" \
        -Wl,--unresolved-symbols=ignore-all -o "$scratch/for-$release"
    over "$release" "$scratch/for-$release" >"$scratch/$release"
    for step in bitcode assembly 'a shared object' 'source after the preprocessor'; do
        has "it gets $step there" "$(cat "$scratch/$release")" "$step"
    done
done

pair() { # RELEASE OTHER: a program for RELEASE over the library of OTHER
    title="a program for the comgr of ROCm $1 gets from that of $2 what one for $2 gets"
    if ! there "$1" || ! there "$2"; then
        skip "$title" "there is no $(libraries "$1")/$(library "$1") or $(libraries "$2")/$(library "$2") (tests/lib/fetch-runtimes gets them)"
        return
    fi
    mkdir -p "$scratch/dropin-$1"
    ln -sf "$build/dropin/comgr/$(library "$1")" "$scratch/dropin-$1"
    is "$title" "$(over "$2" "$scratch/for-$1" "$scratch/dropin-$1")" "$(cat "$scratch/$2")"
}
pair 5.2 7.2
pair 5.2 6.4
pair 5.7 7.2
pair 7.2 5.2
pair 7.2 5.7
pair 6.4 5.2
finish
