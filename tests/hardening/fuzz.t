#!/bin/sh
# SPDX-License-Identifier: MIT
# A few hundred damaged headers, some thousand damaged libraries, some ten
# thousand damaged structs and entries of the kernel cache do no harm; `make fuzz` tries many more.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

plan 4
FUZZ_DIR=$scratch
FUZZ_HEADERS=200
FUZZ_OBJECTS=5000
FUZZ_RUNS=50000
FUZZ_SECONDS=60
HIPSHIM_RUNTIMES=${HIPSHIM_RUNTIMES:-$build/runtimes}
export FUZZ_DIR FUZZ_HEADERS FUZZ_OBJECTS FUZZ_RUNS FUZZ_SECONDS HIPSHIM_RUNTIMES
for part in headers objects converters entries; do
    # A sanitizer in CFLAGS is not wanted, and CC may be any compiler.
    sh "$top/tests/hardening/fuzz/run.sh" $part >"$scratch/said" 2>&1
    status=$?
    if [ $status -eq 77 ]; then
        skip "$part" "$(tail -n 1 "$scratch/said")"
    else
        is "$part: $(tail -n 1 "$scratch/said")" $status 0
        [ $status -eq 0 ] || tap_comment "$(tail -n 60 "$scratch/said")"
    fi
done
