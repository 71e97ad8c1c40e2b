#!/bin/sh
# SPDX-License-Identifier: MIT
# Tracers for HIP 5.2 use functions that only its library has: they work in front of it through
# the drop-in, and are told elsewhere that there are none.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare
case $dropin_releases in
*5.2*) ;;
*) skip_all "HIP 5.2, which the tracer is built for, is not there" ;;
esac

ok "a tracer for HIP 5.2 is built" \
    dropin_compile 5.2 "$scratch/tracer" "$top/tests/dropin/programs/tracer.c"
native=$(dropin_run 5.2 "$scratch/lib" "$scratch/tracer" 2>&1)
has() { case $native in *"$1"*) ;; *) return 1 ;; esac; }
ok "HIP 5.2 as it is accepts the callbacks: $native" has "enabled 2, accepted some"
for back in $dropin_releases; do
    case $back in
    5.2) wanted=$native ;;
    *) wanted="enabled 0, accepted none, last 801, removed none, status 0" ;;
    esac
    is "the tracer over $back" "$(dropin_over "$back" "$scratch/tracer" 2>&1)" "$wanted"
done
finish
