#!/bin/sh
# SPDX-License-Identifier: MIT
# hiprtc looks functions up in `libamdhip64.so`, and each release asks for another form of
# `hipGetDeviceProperties`.  If that name is one of hipshim's libraries, hiprtc works as before, and
# each form has the layout that its name promises.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare

ours=$(cd "$build" && ls dropin/libamdhip64.so.* .libs/libhipshim-rocm.so.0 2>/dev/null)
forms='hipGetDeviceProperties 0
hipChooseDevice 0
hipGetDevicePropertiesR0000 0
hipChooseDeviceR0000 0
hipGetDevicePropertiesR0600 0
hipChooseDeviceR0600 0'
for library in $ours; do
    place=$scratch/${library##*/}
    mkdir -p "$place"
    ln -s "$build/$library" "$place/libamdhip64.so"
    [ "${library##*/}" != libhipshim-rocm.so.0 ] || ln -s "$build/.libs/libhipshim.so.0" "$place/"
done
for release in $dropin_releases; do
    ok "HIP $release: the program is built" dropin_compile "$release" "$scratch/forms" \
        "$top/tests/dropin/programs/forms.c"
    dropin_find "$release"
    case $release in
    5.2) hiprtc='compiled 0' ;; # it has no linker
    *) hiprtc='compiled 0
compiled 0
linked 0' ;;
    esac
    for library in $ours; do
        is "HIP $release with ${library##*/} as libamdhip64.so: hiprtc and all forms work" \
            "$(dropin_run "$release" "$scratch/${library##*/}" "$scratch/forms" 2>&1)" "$hiprtc
$forms"
    done
done
finish
