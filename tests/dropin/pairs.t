#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs of tests/loopback/gpu, built with the headers and linked to the library of each release,
# do the same on every release's runtime through the drop-ins; without them they do so on their own
# runtime only.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare
dropin_lend_cmocka || skip_all "no cmocka, so none of the programs"

# ipc first, because its child starts before the first use of HIP; memory last, because a stream of
# 5.2 never ends after a hipFreeAsync.
subjects="ipc array_copies arrays callbacks copies errors_tracing external graph_capture graphs
    managed pointer_attributes modules_launch properties_attributes release_differences
    stream_attributes streams_events textures thread_streams virtual_memory memory"

relay_all() { # WORDS STATUS
    relay "$1" "$2" "not in these headers, or not on this release"
    is "$1: all programs ran" "$(grep -c '^1\.\.' "$scratch/out")" "$(echo "$subjects" | wc -w)"
    tap_comment "$(head -n 5 "$scratch/err")"
}

on_its_own() { # RELEASE: the control
    dropin_tell "$1" "$1"
    dropin_run "$1" "$scratch/lib" "$scratch/program-$1" >"$scratch/out" 2>"$scratch/err"
    relay_all "HIP $1 as it is" $?
}

through_the_drop_in() { # BUILT-FOR RUN-ON
    dropin_tell "$(dropin_front "$1" "$2")" "$2"
    dropin_over "$2" "$scratch/program-$1" >"$scratch/out" 2>"$scratch/err"
    relay_all "HIP $1 over $2" $?
}

# Whatever way it fails is the same every time: no library of its name, ...
without_it() { # BUILT-FOR RUN-ON
    if [ "${1%%.*}" = "${2%%.*}" ]; then
        skip "HIP $1 on $2 without: no library of its name" "both have libamdhip64.so.${1%%.*}"
    else
        said=$(dropin_run "$2" "$scratch/lib" "$scratch/program-$1" 2>&1)
        has "HIP $1 on $2 without: no library of its name" "$said" "libamdhip64.so.${1%%.*}: cannot open"
    fi
}

# ... or, behind a link of its name, what `wanted_failure` says.
behind_a_link() { # BUILT-FOR RUN-ON
    if [ "${1%%.*}" != "${2%%.*}" ]; then
        ok "HIP $1 on $2 behind a link: made" \
            dropin_disguise "$2" "${1%%.*}" "$scratch/link-$1-$2"
    fi
    dropin_tell "$1" "$2"
    said=$(dropin_run "$2" "$scratch/link-$1-$2" "$scratch/program-$1" \
        graph_capture pointer_attributes modules_launch 2>&1)
    has "HIP $1 on $2 behind a link: fails" "$said" "$(wanted_failure "$1" "$2")"
}

wanted_failure() { # BUILT-FOR RUN-ON
    case $1-$2 in
    # Other numbers of types of nodes, and of kinds of memory.
    5.2-5.7) echo "not ok 1 - it_tells_its_state" ;;
    5.7-5.2) echo "version \`hip_5.6' not found" ;;
    5.*-6.4 | 5.*-7.2) echo "not ok 1 - of_device_memory" ;;
    6.4-5.*) echo "version \`hip_6.0' not found" ;;
    6.4-7.2) echo "undefined symbol: hiprtcCreateProgram, version hip_4.2" ;;
    7.2-*) echo "version \`hip_7.2' not found" ;;
    *) echo "nobody knows how $1 fails on $2" ;;
    esac
}

for built in $dropin_releases; do
    # shellcheck disable=SC2086 # several names
    ok "HIP $built: the program is built" dropin_compile_suite "$built" "$scratch/program-$built" $subjects
    needs=$(objdump -p "$scratch/program-$built")
    has "HIP $built: it needs the library of its release" "$needs" "libamdhip64.so.${built%%.*}"
    on_its_own "$built"
    for back in $dropin_releases; do
        through_the_drop_in "$built" "$back"
        [ "$built" = "$back" ] || {
            without_it "$built" "$back"
            behind_a_link "$built" "$back"
        }
    done
done
finish
