#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of `make bench` use generated names, which a new release can change.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -f "$build/.libs/libhipshim.so" ] || skip_all "bench needs a shared libhipshim"
mkdir "$scratch/build"
for file in "$build"/* "$build/.libs"; do
    ln -s "$file" "$scratch/build/"
done
rm -f "$scratch/build/bench"
output=$(cd "$scratch/build" && HIPSHIM_BENCH='' srcdir=$top sh "$top/tests/bench/run" 2>&1)
is "the programs are built" $? 0
has "and nothing is measured" "$output" "limits missed: 0"
finish
