#!/bin/sh
# SPDX-License-Identifier: MIT
# The first call works in a thread with hardly more stack than the runtime itself needs: hipshim
# adds less than 1 KB, whatever place of the search has the runtime.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare

# The least that Linux allows; 6.4 needs 17 KB, and 7.2 with libhipshim too.
stack() { # RELEASE
    case $1 in
    5.*) echo 16384 ;;
    *) echo 18432 ;;
    esac
}
version() { # RELEASE, as hipRuntimeGetVersion has it
    echo "$((${1%%.*} * 100 + ${1#*.}))"
}

source=$top/tests/hardening/small_stack.c
# shellcheck disable=SC2086 # CC may be several words
ok "the program is built with libhipshim" ${CC:-cc} -std=gnu11 -O1 -I"$top/include/hipshim" \
    -I"$top/bindings" -o "$scratch/stable" "$source" -L"$build/.libs" -lhipshim \
    -Wl,--allow-shlib-undefined -lpthread
for release in $dropin_releases; do
    ok "the program is built for HIP $release" \
        dropin_compile "$release" "$scratch/native" "$source" -lpthread
    size=$(stack "$release")
    is "HIP $release as it is, with $size bytes" \
        "$(dropin_run "$release" "$scratch/lib" "$scratch/native" "$size" 2>&1)" "$(version "$release")"
    is "the drop-in over $release" "$(dropin_over "$release" "$scratch/native" "$size" 2>&1)" \
        "$(version "$release")"
    shim() { dropin_run "$release" "$build/.libs" "$scratch/stable" "$size" 2>"$scratch/err"; }
    is "libhipshim over $release, by HIPSHIM_LIBRARY" "$(HIPSHIM_LIBRARY=$dropin_hip shim)" \
        "$(version "$release")"
    wheel=$scratch/venv-$release/lib/python3.11/site-packages/torch/lib
    mkdir -p "$wheel" && ln -s "$dropin_hip" "$wheel/libamdhip64.so"
    is "libhipshim over $release, in a wheel and with the search log" \
        "$(VIRTUAL_ENV=$scratch/venv-$release HIPSHIM_TRACE=1 shim)" "$(version "$release")"
done
finish
