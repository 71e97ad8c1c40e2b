#!/bin/sh
# SPDX-License-Identifier: MIT
# ROCm's own headers behind hipshim's on the include path do no harm to host code: what both define
# is defined once, in either order, and ROCm's API before hipshim's is one error in words.  A HIP
# compiler, however, gets ROCm's headers of device code.
# shellcheck disable=SC2086 # flags are lists of words
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

ours="-w -I$top/include/hipshim -I$top/bindings"
runtimes=${HIPSHIM_RUNTIMES:-$build/runtimes}
have_clang=$(command -v clang++ || :)
cxx=${CXX:-c++}

includes() { # HEADER...
    printf '#include <%s>\n' "$@" >"$scratch/both.cpp"
}

said() { # COMPILER...: what it says of the includes
    "$@" $ours -isystem "$rocm" -std=c++17 -fsyntax-only "$scratch/both.cpp" 2>&1
}

# Headers of ROCm that name their parts by <hip/...>, and parts that programs include by name.
shared="hip/amd_detail/amd_hip_vector_types.h hip/amd_detail/amd_hip_complex.h
    hip/amd_detail/amd_hip_fp16.h hip/amd_detail/amd_channel_descriptor.h
    hip/amd_detail/host_defines.h hip/amd_detail/hip_fp16_gcc.h hip/amd_detail/amd_hip_common.h"
ours_too="hip/hip_runtime.h hip/hip_fp16.h hip/hip_complex.h hip/hip_bfloat16.h"

beside() { # RELEASE COMPILER...: 4 tests
    name="$2, HIP $1"
    rocm=$runtimes/$1/usr/include
    shift
    if [ ! -e "$rocm/hip/hip_runtime.h" ]; then
        for what in before after errors words; do
            skip "$name: $what" "no headers in $rocm (tests/lib/fetch-runtimes gets them)"
        done
        return
    fi
    failures=
    for header in $shared; do
        includes $header $ours_too
        [ -z "$(said "$@")" ] || failures="$failures $header"
    done
    is "$name: hipshim's headers take what ROCm's define" "$failures" ""
    includes $ours_too $shared
    is "$name: and ROCm's what hipshim's define" "$(said "$@")" ""
    printf '#include "%s"\n' "$rocm/hip/hip_runtime_api.h" >"$scratch/both.cpp"
    first=$(said "$@")
    has "$name: ROCm's API first is an error in words" "$first" \
        "hipshim: ROCm's own HIP headers come first: put hipshim's include directory before ROCm's"
    is "$name: after which the compiler stops" "$(printf '%s\n' "$first" | grep -c 'error:')" 2
}

for release in 5.2 5.7 6.4 7.2; do
    beside $release $cxx
    if [ -n "$have_clang" ]; then
        beside $release clang++
    else
        for what in before after errors words; do
            skip "clang++: $what" "there is no clang++"
        done
    fi
done

# For a HIP compiler, which __HIP__ tells, another header of the same name behind ours is used.
mkdir -p "$scratch/rocm/hip/amd_detail"
device="device_functions.h hip_bf16.h hip_bfloat16.h hip_cooperative_groups.h hip_ext_ocp.h hip_fp16.h
    hip_fp4.h hip_fp6.h hip_fp8.h hip_math_constants.h math_functions.h amd_detail/host_defines.h"
not_used=
for header in $device; do
    echo "int rocm_$(basename $header .h);" >"$scratch/rocm/hip/$header"
    includes hip/$header
    printf '%s\n' "$("$cxx" $ours -D__HIP__ -isystem "$scratch/rocm" -E -P "$scratch/both.cpp" | tail -n 1)" |
        grep -qx "int rocm_$(basename $header .h);" || not_used="$not_used $header"
done
is "a HIP compiler gets ROCm's headers of device code" "$not_used" ""

# The properties of HIP 5 are those of its bindings, member by member.
{
    echo '#include <hip/hip_deprecated.h>'
    sed -n 's/HIPSHIM_ASSERT(\(.*\)struct hipDeviceProp_t\([,)].*\));/static_assert(\1hipDeviceProp_tR0000\2, "");/p' \
        "$top/bindings/bindings_31921.h"
} >"$scratch/both.cpp"
has "the layout of the properties was found" "$(cat "$scratch/both.cpp")" \
    'static_assert(sizeof(hipDeviceProp_tR0000) == 792, "");'
rocm=$scratch/rocm
is "hipDeviceProp_tR0000 has that layout" "$(said $cxx)" ""
finish
