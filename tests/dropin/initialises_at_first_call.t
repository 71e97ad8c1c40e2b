#!/bin/sh
# SPDX-License-Identifier: MIT
# A drop-in opens the runtime before main, but HIP is initialised by the program's first call, as
# on the real library: until then main may choose devices by variables of the environment.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare

# HIP 5.2 accepts no bundle without a code object for each device.
registers() { # RELEASE
    [ "$1" = 5.2 ] || printf registers
}

# shellcheck disable=SC2046 # perhaps no word
for built in $dropin_releases; do
    ok "the program is built for HIP $built" \
        dropin_compile "$built" "$scratch/program-$built" "$top/tests/dropin/programs/first_call.c"
    is "HIP $built as it is" \
        "$(dropin_run "$built" "$scratch/lib" "$scratch/program-$built" $(registers "$built") 2>&1)" "child 1, parent 0"
    for back in $dropin_releases; do
        is "HIP $built over $back" \
            "$(dropin_over "$back" "$scratch/program-$built" $(registers "$back") 2>&1)" "child 1, parent 0"
    done
done
finish
