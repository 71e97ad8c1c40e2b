#!/bin/sh
# SPDX-License-Identifier: MIT
# An MPI has a layer for GPUs, often a binary that is linked to one libamdhip64.so.N. With the drop-ins such
# a layer for any major tells the kinds of memory right, and passes memory between processes, under an
# application for any major on any runtime. A symbolic link to the runtime does neither.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare

right='device: device
pinned: pinned
managed: managed
malloc: ordinary
shared: both ways'

# One release of each major, the newest that is there.
built=$(for release in $dropin_releases; do
    printf '%s\n' "$release"
done | sort -V | awk -F . '{ last[$1] = $0 } END { for (major in last) print last[major] }' | sort -V)

for release in $built; do
    mkdir -p "$scratch/layer-$release"
    ok "HIP $release: the layer is built" dropin_compile "$release" "$scratch/layer-$release/liblayer.so" \
        -shared -fPIC -Wl,-soname,liblayer.so "$top/tests/dropin/mpi/layer.c"
    ok "HIP $release: the application is built" dropin_compile "$release" "$scratch/application-$release" \
        "$top/tests/dropin/mpi/application.c" "$scratch/layer-$release/liblayer.so"
done

over() { # RUNTIME LAYER APPLICATION FIRST-PLACES
    HIPSHIM_LIBRARY=$dropin_hip dropin_run "$1" "$scratch/layer-$2${4:+:$4}" "$scratch/application-$3" 2>&1
}

for runtime in $dropin_releases; do
    dropin_find "$runtime"
    for layer in $built; do
        for application in $built; do
            is "on HIP $runtime a layer for $layer under an application for $application is right" \
                "$(over "$runtime" "$layer" "$application" "$build/dropin")" "$right"
        done
    done
done

# HIP 6 gave the kinds of memory other numbers, so each of both takes one kind for another.
behind_a_link() { # RUNTIME BUILT-FOR WANTED
    if [ ! -d "$real_runtimes/$1" ] || [ ! -f "$scratch/application-$2" ]; then
        skip "on HIP $1 a layer for $2 is wrong behind a link" "the runtimes of both are not there"
        return
    fi
    ok "on HIP $1 a link has the name that a layer for $2 needs" \
        dropin_disguise "$1" "${2%%.*}" "$scratch/link-$1-$2"
    has "on HIP $1 a layer for $2 is wrong behind a link" "$(over "$1" "$2" "$2" "$scratch/link-$1-$2")" "$3"
}
behind_a_link 6.4 5.7 'pinned: device'
behind_a_link 7.2 5.7 'pinned: device'
behind_a_link 5.7 6.4 'device: pinned'
finish
