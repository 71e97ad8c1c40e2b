#!/bin/sh
# SPDX-License-Identifier: MIT
# One program, built with the headers and linked to the library of each release,
# does the same on every release's runtime through the drop-ins; without them it
# does so on its own runtime only.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare

sources=
for name in check program arrays copies graphs memory modules properties refusals streams; do
    sources="$sources $top/tests/dropin/programs/$name.c"
done

on_its_own() { # RELEASE: the control
    dropin_run "$1" "$scratch/lib" "$scratch/program-$1" "$1" "$1" >"$scratch/out" 2>"$scratch/err"
    relay "HIP $1 as it is" $?
    tap_comment "$(head -n 5 "$scratch/err")"
}

through_the_drop_in() { # BUILT-FOR RUN-ON
    dropin_over "$2" "$scratch/program-$1" "$(dropin_front "$1" "$2")" "$2" >"$scratch/out" 2>"$scratch/err"
    relay "HIP $1 over $2" $?
    tap_comment "$(head -n 5 "$scratch/err")"
}

# Whatever way it fails is the same every time: no library of its name, ...
without_it() { # BUILT-FOR RUN-ON
    if [ "${1%%.*}" = "${2%%.*}" ]; then
        skip "HIP $1 on $2 without: no library of its name" "both have libamdhip64.so.${1%%.*}"
    else
        said=$(dropin_run "$2" "$scratch/lib" "$scratch/program-$1" "$1" "$2" 2>&1)
        has "HIP $1 on $2 without: no library of its name" "$said" "libamdhip64.so.${1%%.*}: cannot open"
    fi
}

# ... or, behind a link of its name, what `wanted_failure` says.
behind_a_link() { # BUILT-FOR RUN-ON
    if [ "${1%%.*}" != "${2%%.*}" ]; then
        ok "HIP $1 on $2 behind a link: made" \
            dropin_disguise "$2" "${1%%.*}" "$scratch/link-$1-$2"
    fi
    said=$(dropin_run "$2" "$scratch/link-$1-$2" "$scratch/program-$1" "$1" "$2" 2>&1)
    has "HIP $1 on $2 behind a link: fails" "$said" "$(wanted_failure "$1" "$2")"
}

wanted_failure() { # BUILT-FOR RUN-ON
    case $1-$2 in
    5.2-5.7) echo "not ok 33 - graphs built by hand work, and nodes tell their types" ;;
    5.7-5.2) echo "version \`hip_5.6' not found" ;;
    # Wrong numbers for the kind of memory, and worse.
    5.*-6.4 | 5.*-7.2) echo "TYPE_OF(got.attributes) is 2, not 1" ;;
    6.4-5.*) echo "version \`hip_6.0' not found" ;;
    6.4-7.2) echo "undefined symbol: hiprtcCreateProgram, version hip_4.2" ;;
    7.2-*) echo "version \`hip_7.2' not found" ;;
    *) echo "nobody knows how $1 fails on $2" ;;
    esac
}

for built in $dropin_releases; do
    # shellcheck disable=SC2086 # several files
    ok "HIP $built: the program is built" dropin_compile "$built" "$scratch/program-$built" $sources
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
