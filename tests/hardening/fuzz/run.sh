#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/hardening/fuzz/run.sh [all|converters|entries|headers|objects]: `make fuzz`.  Damaged
# headers for the generator (FUZZ_HEADERS, 10000), damaged libraries for the
# loader (FUZZ_OBJECTS, 100000), and libFuzzer on the converters and on entries of
# the kernel cache, for FUZZ_SECONDS (300) each.  FUZZ_SEED chooses others.  Exit status 1 if anything was found, 77 if
# what it needs is not there.
set -eu

top=$(cd "$(dirname "$0")/../../.." && pwd)
here=$top/tests/hardening/fuzz
out=${FUZZ_DIR:-fuzz}
seed=${FUZZ_SEED:-1}
include="-I$top/include/hipshim -I$top/bindings -I$top/src"
stable_folders="$top/bindings/stable $(echo "$top"/bindings/common/stable*)"
for folder in $stable_folders; do
    include="$include -I$folder"
done

# The file of that name that belongs to libhipshim's caller ABI.
stable_file() { # NAME
    # shellcheck disable=SC2086 # a list
    find $stable_folders -name "$1"
}

mkdir -p "$out"

# The smallest program of libFuzzer.
smallest="int LLVMFuzzerTestOneInput(const void *d, unsigned long n) { return d && n == 77; }"

fuzz_headers() {
    if ! "${PYTHON:-python3}" -c 'import clang.cindex, jinja2' 2>/dev/null; then
        echo "headers: no Python with clang and jinja2"
        return 77
    fi
    set --
    for tree in "${HIPSHIM_RUNTIMES:-runtimes}"/*/usr/include; do
        [ ! -d "$tree/hip" ] || set -- "$@" "$tree"
    done
    PYTHONDONTWRITEBYTECODE=1 HIPSHIM_FUZZ_FINDINGS=$out "${PYTHON:-python3}" "$here/headers.py" \
        "${FUZZ_HEADERS:-10000}" "$seed" "$@"
}

# Status 77 if the compiler cannot make such programs at all.
can_compile() { # COMPILER FLAG MAIN: MAIN is the text of the smallest such program
    printf '%s\n' "$3" | "$1" "$2" -x c - -o "$out/probe" 2>/dev/null || return 77
}

# shellcheck disable=SC2086 # lists of words
fuzz_objects() {
    if ! can_compile "${CC:-cc}" -fsanitize=address,undefined 'int main(void) { return 0; }'; then
        echo "objects: this compiler has no AddressSanitizer"
        return 77
    fi
    ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -g -O1 -fPIE -pie -fsanitize=address,undefined \
        -fno-sanitize-recover=all $include -o "$out/objects" "$here/objects.c" \
        "$top/src/elf/check.c" || return 1
    "$out/objects" "${FUZZ_OBJECTS:-100000}" "$seed"
}

# shellcheck disable=SC2086 # lists of words
fuzz_converters() {
    sh "$here/cases.sh" "$(stable_file convert.h)" >"$out/fuzz_cases.h"
    if ! can_compile "${CLANG:-clang}" -fsanitize=fuzzer,address,undefined "$smallest"; then
        echo "converters: no clang with libFuzzer"
        return 77
    fi
    ${CLANG:-clang} -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=all -I"$out" $include -o "$out/converters" "$here/converters.c" \
        "$(stable_file convert.c)" "$top/src/base/arena.c" || return 1
    mkdir -p "$out/corpus"
    "$out/converters" -max_len=4096 -seed="$seed" -max_total_time="${FUZZ_SECONDS:-300}" \
        -runs="${FUZZ_RUNS:--1}" -print_final_stats=1 -verbosity=0 -artifact_prefix="$out/" \
        "$out/corpus" 2>"$out/converters.log" || {
        cat "$out/converters.log"
        return 1
    }
    echo "converters: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/converters.log")" \
        "inputs for $(wc -l <"$out/fuzz_cases.h") converters, no findings"
}

# shellcheck disable=SC2086 # lists of words
fuzz_entries() {
    if ! can_compile "${CLANG:-clang}" -fsanitize=fuzzer,address,undefined "$smallest"; then
        echo "entries: no clang with libFuzzer"
        return 77
    fi
    ${CLANG:-clang} -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=all $include -o "$out/entries" "$here/entries.c" \
        "$top/src/cache/entry.c" "$top/src/base/sha256.c" || return 1
    mkdir -p "$out/entries.corpus"
    "$out/entries" -max_len=1024 -len_control=0 -seed="$seed" \
        -max_total_time="${FUZZ_SECONDS:-300}" -runs="${FUZZ_RUNS:--1}" -print_final_stats=1 \
        -verbosity=0 -artifact_prefix="$out/" "$out/entries.corpus" 2>"$out/entries.log" || {
        cat "$out/entries.log"
        return 1
    }
    accepted=$(sed -n 's/^accepted: //p' "$out/entries.log")
    [ "$accepted" -gt 0 ] || {
        echo "entries: none was accepted; does entries.c write the format of src/cache/entry.h?"
        return 1
    }
    echo "entries: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/entries.log")" \
        "files of the kernel cache, $accepted times accepted, no findings"
}

case ${1:-all} in
entries) fuzz_entries ;;
headers) fuzz_headers ;;
objects) fuzz_objects ;;
converters) fuzz_converters ;;
all)
    worst=0
    for part in headers objects converters entries; do
        sh "$0" $part || [ $? -eq 77 ] || worst=1
    done
    exit $worst
    ;;
*)
    echo "usage: run.sh [all|converters|entries|headers|objects]" >&2
    exit 2
    ;;
esac
