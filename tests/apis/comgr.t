#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that was compiled with the comgr of ROCm 5 gets from that of ROCm 6.4 and 7 what one for these
# gets, and one for ROCm 7 the same from those of 5, over Debian's real libraries.  They compile on the CPU.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

sibling_built "$build/dropin/comgr/libamd_comgr.so.3"

soname() { # RELEASE
    case $1 in
    5*) echo libamd_comgr.so.2 ;;
    *) echo libamd_comgr.so.3 ;;
    esac
}

for release in 5.2 5.7 6.4 7.2; do
    [ -z "$(sibling_missing "$release")" ] || continue
    flat=
    [ "$release" != 5.2 ] || flat=-DFLAT
    # shellcheck disable=SC2086 # one word or none
    ok "a program for the comgr of ROCm $release compiles" sibling_cc "$release" $flat "$top/tests/apis/comgr.c" \
        "$(sibling_libraries "$release")/$(soname "$release")" -o "$scratch/for-$release"
    sibling_over "$release" '' "$scratch/for-$release" >"$scratch/$release" 2>&1
    for step in bitcode assembly 'a shared object' 'source after the preprocessor'; do
        has "it gets $step there" "$(cat "$scratch/$release")" "$step"
    done
    # The program's own name is that of the dynamic linker, so HIPSHIM_DROPIN says where drop-ins are.
    is "hipshim which comgr prints the comgr of HIP $release" "$(HIPSHIM_DROPIN=$build/dropin sibling_over "$release" \
        "$build/.libs" "$build/.libs/hipshim" which comgr 2>&1)" \
        "$(sibling_libraries "$release")/$(soname "$release")"
done

pair() { # RELEASE OTHER: a program for RELEASE over the library of OTHER
    title="a program for the comgr of ROCm $1 gets from that of $2 what one for $2 gets"
    lacking=$(sibling_missing "$1" "$2")
    [ -z "$lacking" ] || {
        skip "$title" "$lacking"
        return
    }
    mkdir -p "$scratch/dropin-$1"
    ln -sf "$build/dropin/comgr/$(soname "$1")" "$scratch/dropin-$1"
    is "$title" "$(sibling_over "$2" "$scratch/dropin-$1" "$scratch/for-$1" 2>&1)" "$(cat "$scratch/$2")"
}
pair 5.2 7.2
pair 5.2 6.4
pair 5.7 7.2
pair 7.2 5.2
pair 7.2 5.7
pair 6.4 5.2
finish
