#!/bin/sh
# SPDX-License-Identifier: MIT
# Every function that takes a kernel, a variable or a texture of the program by its address on the
# host is in the list that the generator makes: others would reach the runtime before it knows of
# them.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
plan 3

# What such a parameter is called, or its type; functions of hipFunction_t take no address.
grep -E '[^*]\*(symbol|symbolPtr|func|function_address|f|fPtr|hostFunction)[,)]|hipLaunchParams \*|(const hipKernelNodeParams|hipGraphNodeParams) \*|(const )?textureReference \*' "$top/bindings/stable.h" |
    sed -n 's/^.*[ *]\(hip[A-Za-z0-9_]*\)(.*/\1/p' | LC_ALL=C sort -u >"$scratch/all"
has "the functions were found" "$(cat "$scratch/all")" hipLaunchKernel

# hipTexRef* take a reference that the runtime returned; hipGetProcAddress returns a function.
grep -v '^hipTexRef\|^hipModule\|^hipGetProcAddress\|^hipGetDriverEntryPoint' "$scratch/all" >"$scratch/wanted"
# The file is shared with drop-ins of the same list.
list=$(find "$top/bindings/stable" "$top/bindings/common" -path '*/stable*/registered_functions.h')
sed -n 's/^HS_REGISTERED(\([A-Za-z0-9_]*\),.*/\1/p' "$list" |
    LC_ALL=C sort >"$scratch/listed"
is "none is missing in the list" "$(LC_ALL=C comm -23 "$scratch/wanted" "$scratch/listed" | tr '\n' ' ')" ""
is "the list has no other" "$(LC_ALL=C comm -13 "$scratch/wanted" "$scratch/listed" | tr '\n' ' ')" ""
