# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # of tap.sh, real.sh and loopback/run.sh
# shellcheck source-path=SCRIPTDIR
#
# hipshim/kernel.h and its cache hold on the real HIP runtime that the name of the test
# says: with an empty cache, a filled one, a GPU lent, and from 16 processes at once.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"

program() { # WORDS RUNNER PROGRAM VARIABLE=VALUE...
    words=$1
    runner=$2
    name=$3
    shift 3
    (
        for setting in "$@"; do
            # shellcheck disable=SC2163 # the setting is one
            export "$setting"
        done
        "$runner" "$(real_built "tests/kernel/$name")"
    ) >"$scratch/out" 2>"$scratch/err"
    relay "$words" $? "another run of the program checks it"
}

real_name=$(real_release_of_test)
real_find "$real_name"
real_lend_cmocka
loopback_build "$real_name"
mkdir "$scratch/gpu"
mv "$scratch/lib"/libhsa-runtime64.so* "$scratch/gpu/"
unset HIPSHIM_ARCH HIPSHIM_CACHE HIPSHIM_CACHE_SIZE
HIPSHIM_CACHE_DIR=$scratch/cache
export HIPSHIM_CACHE_DIR
tap_comment "HIP $real_release from $real_tree"
program "with an empty cache" real_run real_t KERNEL_ORIGIN=compiled
program "with a filled cache" real_run real_t KERNEL_ORIGIN=cached
program "without a cache" real_run real_t KERNEL_ORIGIN=compiled HIPSHIM_CACHE=0
is "the entries are in a directory for each architecture and release" \
    "$(cd "$scratch/cache" && LC_ALL=C ls -d gfx90a*)" \
    "gfx90a-$real_release
gfx90a:sramecc+:xnack--$real_release"
has "no entry is damaged" "$(real_run "$(real_tool)" cache verify 2>&1)" ", 0 damaged"
printf 'extern "C" __global__ void k(int *x) { *x = 1; }\n' >"$scratch/k.hip"
has "hipshim cache warm compiles a kernel" "$(real_run "$(real_tool)" cache warm --arch gfx90a "$scratch/k.hip" 2>&1)" \
    "k.hip for gfx90a: compiled"
has "the second time it finds the kernel in the cache" "$(real_run "$(real_tool)" cache warm --arch gfx90a "$scratch/k.hip" 2>&1)" \
    "k.hip for gfx90a: there already"
printf 'extern "C" __global__ void k(int *x) { *x = 2; }\n' >"$scratch/k.hip"
for one in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    real_run "$(real_tool)" cache warm --arch gfx90a "$scratch/k.hip" >"$scratch/said.$one" 2>&1 &
done
wait
is "of 16 processes at once, one compiles" \
    "$(cat "$scratch"/said.* | sed 's/.*: //' | sort | uniq -c | sed 's/^ *//' | tr '\n' ' ')" \
    "1 compiled 15 there already "
mv "$scratch/gpu"/* "$scratch/lib/"
# A directory of the library path changed, so that the compiler has to be identified again.
real_run "$(real_tool)" cache warm --arch gfx90a "$scratch/k.hip" >/dev/null 2>&1
program "with a GPU" loopback_run real_t KERNEL_ORIGIN=cached KERNEL_DEVICE=1
program "with two GPUs" loopback_run modules_t LOOPBACK_GPUS=2
MODULES_EXIT=1
export MODULES_EXIT
ok "a process may end while it holds modules" loopback_run "$(real_built tests/kernel/modules_t)"
finish
