#!/bin/sh
# SPDX-License-Identifier: MIT
# hiprtc of 5.x and 6.x declares uint32_t and three types like it for every source, and hiprtc of 7
# does not.  A program for 5 or 6 has them through the drop-in over 7, too, and the same messages.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare

# The answers over a release; 5.2 logs no message.
wanted() { # RELEASE
    message="k.hip:3:9: error: use of undeclared identifier 'unknown_name'"
    [ "$1" != 5.2 ] || message=
    printf '%s 0 \n' without 'with its own' 'with a directive first'
    echo "with an error 6 $message"
}
for built in $dropin_releases; do
    ok "HIP $built: the program is built" dropin_compile "$built" "$scratch/types" "$top/tests/dropin/programs/types.c"
    native=$(dropin_run "$built" "$scratch/lib" "$scratch/types" 2>/dev/null)
    if [ "${built%%.*}" -ge 7 ]; then
        has "HIP $built as it is lacks the types" "$native" "without 6 k.hip:1"
        is "its drop-in over its own release answers the same" \
            "$(dropin_over "$built" "$scratch/types" 2>/dev/null)" "$native"
        continue
    fi
    is "HIP $built as it is has the types" "$native" "$(wanted "$built")"
    for back in $dropin_releases; do
        is "HIP $built over $back has the types, and counts lines from the first of the source" \
            "$(dropin_over "$back" "$scratch/types" 2>/dev/null)" "$(wanted "$back")"
    done
done
finish
