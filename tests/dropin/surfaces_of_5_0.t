#!/bin/sh
# SPDX-License-Identifier: MIT
# In HIP 5.0 a surface object is a number, so its C++ functions have other names than in 5.2.
# Programs for 5.0 find them in the drop-in of 5, over every runtime.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare
case $dropin_releases in
*5.2*) ;;
*) skip_all "HIP 5.2, whose headers the program needs, is not there" ;;
esac

# No library of 5.0 is at hand, so the link editor reads the names from the drop-in.
ok "a program with the names of HIP 5.0 is built" dropin_compile 5.2 "$scratch/surface" \
    "$top/tests/dropin/programs/surface_number.c" "$build/dropin/libamdhip64.so.5"
for back in $dropin_releases; do
    is "it makes and destroys a surface over $back" "$(dropin_over "$back" "$scratch/surface" 2>&1)" "0 0 1 0"
done
finish
