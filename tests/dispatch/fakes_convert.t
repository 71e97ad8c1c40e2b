#!/bin/sh
# SPDX-License-Identifier: MIT
# Over a fake runtime of every release, values of changed types arrive whole.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

program=$build/tests/lib/fakes/converts_t
[ -x "$program" ] || skip_all "tests/lib/fakes/converts_t was not built: cmocka is not there"

while read -r release api_set _; do
    case $release in '#'*) continue ;; esac
    patch=${release##*.} major=${release%%.*}
    fake=$scratch/$patch/libamdhip64.so.$major
    mkdir "$scratch/$patch"
    # shellcheck disable=SC2086 # CFLAGS is a list
    ok "HIP $release: the fake compiles against its bindings" \
        ${CC:-cc} -std=gnu11 ${CFLAGS:-} -Wall -Wextra -Werror -shared -fPIC -I"$top/bindings" \
        "-DFAKE_BINDINGS=\"bindings_$patch.h\"" -Wl,-soname,"libamdhip64.so.$major" \
        "$top/tests/lib/fakes/fake_hip.c" -o "$fake"
    HIPSHIM_LIBRARY=$fake CMOCKA_MESSAGE_OUTPUT=TAP "$program" >"$scratch/out" 2>"$scratch/err"
    status=$?
    sed -n 's/^ok [0-9]* - //p' "$scratch/out" >"$scratch/good"
    while read -r title; do
        tap_result yes "HIP $release: $(printf '%s' "$title" | tr _ ' ')"
    done <"$scratch/good"
    if [ $status -ne 0 ] || [ ! -s "$scratch/good" ]; then
        tap_result no "HIP $release (api_set $api_set): every conversion"
        cat "$scratch/out" "$scratch/err" | tail -n 30 | sed 's/^/#   /'
    fi
done <"$top/bindings/releases.list"
finish
