#!/bin/sh
# SPDX-License-Identifier: MIT
# hipGetLastError and hipPeekAtLastError of a program through the drop-ins return the same,
# over every runtime, as natively.  The one difference is in doc/behaviour.md: before HIP 7 the
# runtimes keep the result of the last call only, so a program for 7 gets that over them.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=programs/run.sh
. "$top/tests/dropin/programs/run.sh"
dropin_prepare

seed=${LAST_ERROR_SEED:-20261121} count=4000
tap_comment "LAST_ERROR_SEED=$seed, $count calls"

for built in $dropin_releases; do
    ok "HIP $built: the program is built" dropin_compile "$built" "$scratch/program-$built" \
        "$top/tests/dropin/programs/last_error.c"
    for changed in '' changed; do
        # shellcheck disable=SC2086 # a word or none
        dropin_run "$built" "$scratch/lib" "$scratch/program-$built" $seed $count $changed \
            >"$scratch/native-$built$changed"
        is "HIP $built as it is: ran to its end" "$(wc -l <"$scratch/native-$built$changed")" $count
    done
done

# Which native run a program answers like.
wanted() { # BUILT-FOR RUN-ON
    case $1-$2 in
    7.*-[56].*) echo "$2" ;;
    *) echo "$1" ;;
    esac
}

for built in $dropin_releases; do
    for back in $dropin_releases; do
        like=$(wanted "$built" "$back")
        changed=changed
        [ "$like" = "$built" ] || changed=
        # shellcheck disable=SC2086 # a word or none
        dropin_over "$back" "$scratch/program-$built" $seed $count $changed >"$scratch/got" 2>"$scratch/err"
        ok "HIP $built over $back: the last error is that of HIP $like" \
            cmp "$scratch/native-$like$changed" "$scratch/got"
        [ ! -s "$scratch/err" ] || tap_comment "$(head -n 3 "$scratch/err")"
        cmp -s "$scratch/native-$like$changed" "$scratch/got" ||
            tap_comment "$(diff "$scratch/native-$like$changed" "$scratch/got" | head -n 6)"
    done
done
finish
