#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples do what they say, on each real runtime with a GPU lent by the
# loopback; and without a GPU they say that.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"

examples="01_simple_add 02_matrix_mul 03_lazy_managed 04_mmap_lazy 05_cached_kernel
    06_embedded_kernel"
unset HIPSHIM_ARCH HIPSHIM_CACHE HIPSHIM_CACHE_SIZE
HIPSHIM_CACHE_DIR=$scratch/cache
LOOPBACK_GPUS=1
AMD_COMGR_CACHE=1
export HIPSHIM_CACHE_DIR LOOPBACK_GPUS AMD_COMGR_CACHE

loopback_build any

for release in $real_releases; do
    if [ ! -d "$real_runtimes/$release" ]; then
        skip "HIP $release: the examples pass" "no real runtime (tests/lib/fetch-runtimes gets it)"
        continue
    fi
    real_find "$release"
    for example in $examples; do
        said=$(loopback_run "$(real_built "examples/$example")" 2>&1)
        status=$?
        is "HIP $release: $example ends with success" $status 0
        has "HIP $release: $example passes" "$(printf '%s\n' "$said" | grep '^\(PASS\|FAIL\|SKIP\)')" "PASS: "
        has "HIP $release: $example names the release" "$said" "HIP $real_release on "
        case $said in
        *PASS*) ;;
        *) tap_comment "$said" ;;
        esac
    done
    has "HIP $release: 05_cached_kernel again compiles nothing" \
        "$(loopback_run "$(real_built examples/05_cached_kernel)" 2>&1)" \
        "bytes from the cache in"
    # Kernels for that processor do nothing.
    has "HIP $release: the numbers are checked: with a kernel that does nothing 01_simple_add fails" \
        "$(LOOPBACK_ISA=gfx906 LOOPBACK_STRICT=0 loopback_run "$(real_built examples/01_simple_add)" 2>&1)" FAIL
    mv "$scratch/lib" "$scratch/unused"
    mkdir "$scratch/lib"
    for example in $examples; do
        said=$(loopback_run "$(real_built "examples/$example")" 2>&1)
        status=$?
        has "HIP $release: $example without a GPU skips" "$status $said" 77
        has "HIP $release: $example says why" "$said" "SKIP: HIP $real_release finds no GPU"
    done
    rmdir "$scratch/lib"
    mv "$scratch/unused" "$scratch/lib"
done
finish
