# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# tests/loopback/coverage/build.sh FILE: compiles the recorder of calls (recorder.c) as the
# shared library FILE.
set -eu
top=$(cd "$(dirname "$0")/../../.." && pwd)
names=$(mktemp -d)
trap 'rm -rf "$names"' EXIT
awk '/^    HS_FN_/ { sub(/^ *HS_FN_/, ""); sub(/,.*/, ""); printf "FUNCTION(%s, %d)\n", $0, n++ }' \
    "$top/bindings/stable/functions.h" >"$names/coverage_names.h"
# shellcheck disable=SC2086 # CC may be several words
${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I"$names" -I"$top/bindings" \
    -fPIC -shared -o "$1" "$top/tests/loopback/coverage/recorder.c" -ldl
