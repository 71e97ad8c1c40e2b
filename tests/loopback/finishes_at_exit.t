#!/bin/sh
# SPDX-License-Identifier: MIT
# A process that exits while a kernel runs carries it out, even if its comgr is hipshim's drop-in, which
# refuses all calls from its own exit handler on.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=run.sh
. "$top/tests/loopback/run.sh"

[ -e "$build/.libs/libhipshim.so" ] || skip_all "no shared libhipshim in $build/.libs"
[ -e "$build/dropin/comgr/libamd_comgr.so.3" ] || skip_all "configured with --disable-siblings"
LOOPBACK_GPUS=1
LOOPBACK_LOG=1
export LOOPBACK_GPUS LOOPBACK_LOG
loopback_build any
ln -sf "$build"/dropin/comgr/* "$scratch/lib/"
ok "the program compiles" "${CC:-cc}" -std=gnu11 -I"$top/include/hipshim" -I"$top/bindings" \
    -o "$scratch/faulty" "$top/tests/loopback/checks/faulty.c" "-L$build/.libs" -lhipshim \
    -Wl,--allow-shlib-undefined

for release in $real_releases; do
    if [ ! -d "$real_runtimes/$release" ]; then
        skip "HIP $release: the kernel is carried out" "no real runtime (tests/lib/fetch-runtimes gets it)"
        continue
    fi
    real_find "$release"
    said=$(loopback_run "$scratch/faulty" unfinished 2>&1)
    is "HIP $release: exit status" $? 0
    has "HIP $release: the kernel ends" "$said" "loopback: kernel unfinished: "
    lacks "HIP $release: it does not fail" "$said" "loopback: kernel unfinished, group "
    lacks "HIP $release: nor does the runtime" "$said" "abort"
done
finish
