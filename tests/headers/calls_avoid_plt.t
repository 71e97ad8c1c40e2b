#!/bin/sh
# SPDX-License-Identifier: MIT
# A call of a HIP function is one indirect call through the GOT of
# hipshim_NAME: no stub of the program's in between, and no symbol of HIP's.
# gcc reads that from the header; clang has no attribute for it, only -fno-plt.
# shellcheck disable=SC2086 # flags are lists of words
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

case $(uname -m) in
x86_64) ;;
*) skip_all "the relocations looked for are those of x86-64" ;;
esac
command -v readelf >/dev/null 2>&1 || skip_all "there is no readelf"

cat >"$scratch/call.c" <<'SOURCE'
#include <hip/hip_runtime_api.h>
hipError_t use(void **p);
hipError_t use(void **p) { return hipMalloc(p, 1) == hipSuccess ? hipFree(*p) : hipErrorUnknown; }
SOURCE

relocations() { # NAME COMPILER...: 4 tests
    name=$1
    shift
    ok "$name compiles a call" "$@" -O2 -fPIE "-I$top/include/hipshim" "-I$top/bindings" \
        -c "$scratch/call.c" -o "$scratch/call.o"
    found=$(readelf -rW "$scratch/call.o" | grep hipshim_)
    has "$name: through the GOT" "$found" "GOTPCREL"
    lacks "$name: not through the PLT" "$found" "PLT32"
    is "$name: nothing asks for HIP's own names" \
        "$(readelf -sW "$scratch/call.o" | awk '$8 ~ /^hip[A-Z]/ { print $8 }')" ""
}

plan 8
relocations "${CC:-cc}" ${CC:-cc}
if command -v clang >/dev/null 2>&1; then
    relocations "clang -fno-plt" clang -fno-plt
else
    for what in compiles GOT PLT names; do
        skip "clang: $what" "there is no clang"
    done
fi
