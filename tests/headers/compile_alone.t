#!/bin/sh
# SPDX-License-Identifier: MIT
# Every installed header compiles alone and twice, in C and C++, under gcc
# and clang, with no define of the user's; and says so where it is misused.
# shellcheck disable=SC2086 # flags are lists of words
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

cc=${CC:-cc}
cxx=${CXX:-c++}
flags="-Wall -Wextra -Wshadow -Werror -I$top/include/hipshim -I$top/bindings"

have() { command -v "${1%% *}" >/dev/null 2>&1; }

# Device code in ROCm, of which a host compiler is told so.
device_headers="device_functions.h hip_bf16.h hip_ext_ocp.h hip_fp4.h hip_fp6.h hip_fp8.h"

headers_twice() { # LANGUAGE COMPILER...: every other header, all failures shown
    language=$1
    shift
    failed=0
    for header in "$top"/include/hipshim/hip/*.h "$top"/include/hipshim/hip/amd_detail/*.h \
        "$top"/include/hipshim/hipshim/*.h "$top"/bindings/stable.h; do
        name=${header#*/include/hipshim/hip/} name=${name#*/bindings/}
        case " $device_headers " in
        *" $name "*) continue ;;
        esac
        case $header in
        */bindings/*) line="#include \"$name\"" ;;
        */hipshim/hipshim/*) line="#include <hipshim/${name##*/}>" ;;
        *) line="#include <hip/$name>" ;;
        esac
        printf '%s\n%s\nextern int not_empty;\n' "$line" "$line" >"$scratch/one"
        "$@" $flags -x "$language" -c "$scratch/one" -o "$scratch/one.o" || {
            echo "$name does not compile"
            failed=1
        }
    done
    return $failed
}

refusals() { # LANGUAGE COMPILER...: of each device header NAME, where it has one error, hipshim's
    language=$1
    shift
    for name in $device_headers; do
        printf '#include <hip/%s>\n' "$name" >"$scratch/one"
        "$@" $flags -x "$language" -fsyntax-only "$scratch/one" >"$scratch/said" 2>&1
        [ "$(grep -c 'error:' "$scratch/said")" -ne 1 ] ||
            ! grep -q "hipshim: hip/$name is device code: include it" "$scratch/said" ||
            printf '%s ' "$name"
    done
}

text() { printf '%s\n' "$1" >"$scratch/text.cpp"; }

compiles() { # COMPILER...: the text
    "$@" $flags -c "$scratch/text.cpp" -o "$scratch/text.o"
}

complains() { # COMPILER...: what it says of the text, which must not compile
    if "$@" $flags -c "$scratch/text.cpp" -o "$scratch/text.o" 2>"$scratch/said"; then
        echo "it compiles"
    else
        cat "$scratch/said"
    fi
}

cxx_forms() { # NAME COMPILER...: 9 tests
    name=$1
    shift
    text '#include <hip/hip_runtime.h>
#if !defined(__HIP_PLATFORM_AMD__) || HIP_VERSION_MAJOR < 7
#error platform or version is not defined
#endif
__host__ __device__ static inline int both() { return 1; }
int main() { return both() - 1; }'
    ok "$name: AMD is the platform where none is named" compiles "$@" -std=c++17
    ok "$name: or where it is named" compiles "$@" -std=c++17 -D__HIP_PLATFORM_AMD__
    ok "$name: C++11 is enough" compiles "$@" -std=c++11
    ok "$name: so is C++20" compiles "$@" -std=c++20
    ok "$name: streams per thread" compiles "$@" -std=c++17 -DHIP_API_PER_THREAD_DEFAULT_STREAM
    text 'extern "C" {
#include <hip/hip_ext.h>
#include <hip/hip_complex.h>
#include <hip/hiprtc.h>
}'
    ok "$name: between extern C braces" compiles "$@" -std=c++17
    text '#include <hip/hip_version.h>'
    has "$name: another platform is refused in words" \
        "$(complains "$@" -std=c++17 -D__HIP_PLATFORM_NVIDIA__)" "hipshim is for HIP on AMD"
    has "$name: C++98 is refused in words" "$(complains "$@" -std=c++98)" "hipshim's headers need C++11 or later"
    text '#include <hip/hip_runtime.h>
__global__ void kernel(int) {}
int symbol;
int use(hipEvent_t event, hipFunction_t function);
int use(hipEvent_t event, hipFunction_t function)
{
    int blocks = 0;
    const void *none = nullptr;
    return hipEventRecord(event) + hipMemcpyToSymbol(symbol, none, 0) + (function != nullptr) +
           hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1, 0);
}'
    ok "$name: without casts of C, and with nullptr" \
        compiles "$@" -std=c++17 -Wold-style-cast -Wzero-as-null-pointer-constant
}

plan 31
ok "C11, $cc" headers_twice c $cc -std=c11
ok "C99, $cc" headers_twice c $cc -std=c99
refuses_c89() { # COMPILER...
    printf '#include <hip/hip_runtime_api.h>\n' >"$scratch/text.c"
    "$@" $flags -std=c89 -fsyntax-only "$scratch/text.c" 2>&1
}
has "C89, $cc: refused in words" "$(refuses_c89 $cc)" "hipshim's headers need C99 or later"
ok "C++17, $cxx" headers_twice c++ $cxx -std=c++17
is "C11, $cc: each header of device code is one error" "$(refusals c $cc -std=c11)" "$device_headers "
is "C++17, $cxx: also in C++" "$(refusals c++ $cxx -std=c++17)" "$device_headers "
cxx_forms "$cxx" $cxx
if have clang && have clang++; then
    ok "C11, clang" headers_twice c clang -std=c11
    ok "C99, clang" headers_twice c clang -std=c99
    has "C89, clang: refused in words" "$(refuses_c89 clang)" "hipshim's headers need C99 or later"
    ok "C++17, clang++" headers_twice c++ clang++ -std=c++17
    is "C11, clang: each header of device code is one error" "$(refusals c clang -std=c11)" "$device_headers "
    is "C++17, clang++: also in C++" "$(refusals c++ clang++ -std=c++17)" "$device_headers "
    cxx_forms clang++ clang++
    text '#include <hip/hip_runtime.h>'
    has "a HIP compiler without ROCm's device headers is told what helps" \
        "$(complains clang++ -x hip --cuda-host-only -nogpuinc -nogpulib)" "add --rocm-path=DIR"
else
    while [ "$tap_count" -lt 31 ]; do
        skip "clang" "there is no clang"
    done
fi
