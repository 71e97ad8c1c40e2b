#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs with device code inside, registered as compilers do it, run on every
# release's runtime through the drop-ins.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare
PATH=$PATH:$real_runtimes/hipcc/bin # of tests/lib/fetch-hipcc

by_hand() { # BUILT-FOR
    ok "HIP $1: a program that registers by hand is built" dropin_compile "$1" "$scratch/fat-$1" \
        -DOWN_HEADERS "$top/tests/dropin/programs/fat.c" -lcmocka
    dropin_tell "$1" "$1"
    dropin_run "$1" "$scratch/lib" "$scratch/fat-$1" >"$scratch/out" 2>"$scratch/err"
    relay "HIP $1 as it is" $?
    for back in $dropin_releases; do
        dropin_tell "$(dropin_front "$1" "$back")" "$back"
        dropin_over "$back" "$scratch/fat-$1" >"$scratch/out" 2>"$scratch/err"
        relay "HIP $1 over $back" $?
    done
}

# The first compiler that makes code for a GPU: hipcc, or clang without HIP's device libraries.
# The smallest kernel is enough to tell, so that an error in compiled.hip is none of the compiler's.
find_compiler() {
    printf '#include <hip/hip_runtime.h>\n__global__ void kernel(int *x) { *x = 1; }\n' >"$scratch/tried.hip"
    for compiler in hipcc clang++ clang++-14 clang++-15 clang++-16 clang++-17 clang++-18 clang++-19; do
        if command -v "$compiler" >/dev/null 2>&1 && dropin_find "${dropin_releases##* }" &&
            by_compiler "$scratch/tried.hip" "$scratch/tried.o" >"$scratch/compiler.log" 2>&1; then
            return 0
        fi
    done
    return 1
}

by_compiler() { # SOURCE OBJECT, with the headers of real_tree
    "$compiler" -x hip --offload-arch=gfx90a:sramecc+:xnack- -nogpulib -nogpuinc -std=c++17 -O1 -fPIC \
        -D__HIP_PLATFORM_AMD__ -isystem "$real_tree/usr/include" -c "$1" -o "$2"
}

link_compiled() { # PROGRAM OBJECT
    ${CXX:-c++} -o "$1" "$2" "$dropin_hip" -Wl,--allow-shlib-undefined
}

compiled() { # BUILT-FOR
    dropin_find "$1"
    ok "HIP $1: $compiler compiles a program with a kernel" by_compiler \
        "$top/tests/dropin/programs/compiled.hip" "$scratch/$1.o"
    ok "HIP $1: it is linked" link_compiled "$scratch/compiled-$1" "$scratch/$1.o"
    is "HIP $1 as it is: the compiled program is right" \
        "$(dropin_run "$1" "$scratch/lib" "$scratch/compiled-$1" 2>&1)" "right, step 0"
    for back in $dropin_releases; do
        is "HIP $1 over $back: the compiled program is right" \
            "$(dropin_over "$back" "$scratch/compiled-$1" 2>&1)" "right, step 0"
    done
}

if dropin_lend_cmocka; then
    for built in $dropin_releases; do
        by_hand "$built"
    done
else
    skip "programs that register by hand" "no cmocka, which they need"
fi
if find_compiler; then
    tap_comment "device code by $(command -v "$compiler")"
    for built in $dropin_releases; do
        compiled "$built"
    done
else
    skip "programs with device code of a compiler's" \
        "NO COMPILER FOR GPUS HERE: neither hipcc nor a clang with lld"
fi
command -v hipcc >/dev/null 2>&1 || skip "programs of hipcc" "NO HIPCC HERE (tests/lib/fetch-hipcc gets it)"
finish
