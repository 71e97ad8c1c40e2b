#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim which` prints the path of the runtime alone, or nothing.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loader/common.sh
. "$top/tests/loader/common.sh"

tool=$build/hipshim
[ -x "$tool" ] || skip_all "there is no program at $tool"

which() { # PIN ARGUMENT...: output in said, standard error in error
    pin=$1
    shift
    said=$(HIPSHIM_LIBRARY=$pin "$tool" which "$@" 2>error)
    status=$?
}
member() { printf '%s\n' "$said" | sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p"; }

fake rt/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
fake rt/lib/libhiprtc.so.6 libhiprtc.so.6 -DFAKE_HIPRTC
library=$scratch/rt/lib/libamdhip64.so.6

which rt
is "the path of the runtime is alone on standard output" "$status $said" "0 $library"
is "and nothing is on standard error" "$(cat error)" ""

which rt --json
is "JSON: the status is the same" "$status" 0
is "JSON: the library" "$(member library)" "\"$library\""
is "JSON: its hiprtc" "$(member hiprtc)" "\"$scratch/rt/lib/libhiprtc.so.6\""
is "JSON: its release" "$(member hip_version)" '"6.4.43484"'

which missing
is "without a runtime standard output is empty, and the status is 1" "$status $said" "1 "
has "and the reason is on standard error" "$(cat error)" "hipshim which: HIPSHIM_LIBRARY names no usable"
which missing --json
is "JSON without a runtime: no library, and the status is 1" "$status $(member library)" "1 null"
has "and the reason is on standard error, too" "$(cat error)" "cannot open shared object file"

which rt surplus
is "a surplus argument is an error of usage" "$status" 2
if [ -c /dev/full ]; then
    HIPSHIM_LIBRARY=rt "$tool" which >/dev/full 2>error
    is "output that cannot be written is an error" $? 3
else
    skip "output that cannot be written is an error" "there is no /dev/full"
fi
finish
