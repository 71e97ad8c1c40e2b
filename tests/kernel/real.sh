# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Runs real_t on one real HIP runtime, with a cache of its own: empty,
# filled, with a GPU lent, and from 16 processes at once:
#   . tests/lib/real.sh; . tests/loopback/run.sh; . tests/kernel/real.sh; kernel_main NAME
# shellcheck disable=SC2154 # of tap.sh, real.sh and loopback/run.sh

kernel_binary() {
    if [ -f "$build/tests/kernel/.libs/real_t" ]; then
        printf '%s\n' "$build/tests/kernel/.libs/real_t"
    else
        printf '%s\n' "$build/tests/kernel/real_t"
    fi
}

kernel_program() { # WORDS PROGRAM-RUNNER VARIABLE=VALUE...
    kernel_words=$1
    kernel_runner=$2
    shift 2
    (
        for kernel_setting in "$@"; do
            # shellcheck disable=SC2163 # the setting is one
            export "$kernel_setting"
        done
        CMOCKA_MESSAGE_OUTPUT=TAP
        export CMOCKA_MESSAGE_OUTPUT
        "$kernel_runner" "$(kernel_binary)"
    ) >"$scratch/out" 2>"$scratch/err"
    real_results "$kernel_words" $?
}

kernel_main() { # NAME
    real_find "$1"
    real_lend_cmocka
    loopback_build "$1"
    mkdir "$scratch/gpu"
    mv "$scratch/lib"/libhsa-runtime64.so* "$scratch/gpu/"
    unset HIPSHIM_ARCH HIPSHIM_CACHE HIPSHIM_CACHE_SIZE
    HIPSHIM_CACHE_DIR=$scratch/cache
    export HIPSHIM_CACHE_DIR
    tap_comment "HIP $real_release from $real_tree"
    kernel_program "an empty cache" real_run KERNEL_ORIGIN=compiled
    kernel_program "a filled one" real_run KERNEL_ORIGIN=cached
    kernel_program "none" real_run KERNEL_ORIGIN=compiled HIPSHIM_CACHE=0
    is "$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel' | wc -l) entries, in directories" \
        "$(cd "$scratch/cache" && LC_ALL=C ls -d gfx90a*)" \
        "gfx90a-$real_release
gfx90a:sramecc+:xnack--$real_release"
    has "all of it is whole" "$(real_run "$(real_tool)" cache verify 2>&1)" ", 0 damaged"
    printf 'extern "C" __global__ void k(int *x) { *x = 1; }\n' >"$scratch/k.hip"
    has "the tool compiles" "$(real_run "$(real_tool)" cache warm --arch gfx90a "$scratch/k.hip" 2>&1)" \
        "k.hip for gfx90a: compiled"
    has "and finds it" "$(real_run "$(real_tool)" cache warm --arch gfx90a "$scratch/k.hip" 2>&1)" \
        "k.hip for gfx90a: there already"
    printf 'extern "C" __global__ void k(int *x) { *x = 2; }\n' >"$scratch/k.hip"
    for kernel_one in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        real_run "$(real_tool)" cache warm --arch gfx90a "$scratch/k.hip" >"$scratch/said.$kernel_one" 2>&1 &
    done
    wait
    is "16 processes at once compile once" \
        "$(cat "$scratch"/said.* | sed 's/.*: //' | sort | uniq -c | sed 's/^ *//' | tr '\n' ' ')" \
        "1 compiled 15 there already "
    mv "$scratch/gpu"/* "$scratch/lib/"
    kernel_program "with a GPU" loopback_run KERNEL_ORIGIN=cached KERNEL_DEVICE=1
    printf '1..%d\n' "$tap_count"
}
