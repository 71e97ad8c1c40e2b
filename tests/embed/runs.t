#!/bin/sh
# SPDX-License-Identifier: MIT
# On every real runtime `hipshim embed` compiles kernels, and a program that has
# them inside loads the one that fits its device, or the source, or says why not.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2154 # real_* are of real.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"

[ -f "$build/libhipshim.la" ] || skip_all "not built"
unset HIPSHIM_ARCH HIPSHIM_LIBRARY LOOPBACK_ISA LOOPBACK_FAULT LOOPBACK_GPUS
HIPSHIM_CACHE=0
export HIPSHIM_CACHE
HIPSHIM_LOOPBACK=$build/src/loopback/.libs
two_releases=$(real_built examples/07_two_releases)

embed() { # ARGUMENTS, in the scratch directory
    (cd "$scratch" && real_run "$(real_tool)" embed "$@" 2>&1)
}

# Without CFLAGS: a sanitizer's run time is not the trees'.
build_example() { # PROGRAM OBJECT...
    program=$1
    shift
    gcc_flags="-std=gnu11 -Wall -Wextra -Werror -I$top/include/hipshim -I$top/bindings -I$scratch"
    # shellcheck disable=SC2086 # several words
    ${CC:-cc} $gcc_flags -o "$program" "$top/examples/06_embedded_kernel.c" "$@" \
        -L"$build/.libs" -lhipshim-kernel -lhipshim -Wl,--allow-shlib-undefined
}

assemble() { # kernels.S takes kernels.bin in by the path it was written with
    # shellcheck disable=SC2086 # several words
    (cd "$scratch" && ${CC:-cc} -c -o kernels.o kernels.S)
}

as_cxx() { # FILE
    ${CXX:-c++} -x c++ -std=c++17 -Wall -Wextra -Werror -I"$top/include/hipshim" -I"$scratch" \
        -c -o "$scratch/cxx.o" "$1"
}

# Two targets that the loopback computes, and whose code fits no GPU of the other.
first=gfx90a:xnack+ second=gfx90a:xnack-

on_isa() { # ISA PROGRAM
    LOOPBACK_ISA=$1
    export LOOPBACK_ISA
    loopback_run "$2" 2>&1
}

bytes() { # WHAT: that a program says are embedded for $first
    printf '%s\n' "$1" | sed -n "s/^embedded: axpy for $first, \([0-9]*\) bytes\$/\1/p"
}

one_compressed() { # NAME
    plain=$(bytes "$uncompressed")
    said=$(embed --compress --source --arch=$first -o kernels "$top/examples/kernels")
    case $said in
    *libzstd*)
        skip "HIP $1: compressed" "no libzstd.so.1"
        return
        ;;
    esac
    has "HIP $1: compressed" "$said" written
    ok "HIP $1: that is built" build_example "$scratch/packed" "$scratch/kernels.c"
    said=$(on_isa $first "$scratch/packed")
    has "HIP $1: it runs as it is" "$said" "PASS"
    ok "HIP $1: and is smaller than the code, $plain bytes" test "$(bytes "$said")" -lt "$plain"
    # The compilers of the others need libzstd, too.
    if [ "$1" = 5.2 ]; then
        echo none >"$scratch/lib/libzstd.so.1"
        has "without libzstd the source is compiled" "$(on_isa $first "$scratch/packed")" "PASS"
        said=$(embed --compress --arch=$first -o kernels "$top/examples/kernels")
        has "and nothing can be compressed, which is said" "$said" "libzstd.so.1: "
        rm "$scratch/lib/libzstd.so.1"
        embed --compress --arch=$first -o kernels "$top/examples/kernels" >/dev/null
        build_example "$scratch/packed" "$scratch/kernels.c"
        echo none >"$scratch/lib/libzstd.so.1"
        said=$(on_isa $first "$scratch/packed")
        has "without the source, too, what is missing is named" "$said" "libzstd.so.1: "
        has "and where" "$said" "\"axpy\" for $first is compressed"
        rm "$scratch/lib/libzstd.so.1"
    fi
}

# What lies above, by "..": the compilers have all their files in one directory each.
one_outside() { # NAME
    rm -rf "$scratch/t"
    mkdir -p "$scratch/t/u" "$scratch/in/in"
    outside() { # ARGUMENTS
        (cd "$scratch/in/in" && TMPDIR=$scratch/t/u && export TMPDIR &&
            real_run "$(real_tool)" embed "$@" 2>&1)
    }
    said=$(outside --arch=gfx1030 -o bad ../../bad.hip)
    is "HIP $1: the log names a file with \"..\" as it was named" \
        "$(printf '%s\n' "$said" | grep '^\.\./\.\./bad\.hip:2:2: error: so it is$')" \
        "../../bad.hip:2:2: error: so it is"
    lacks "HIP $1: and nothing that is the compiler's own" "$said" comgr-
    outside -q -f -j1 --arch=gfx90a,gfx1030,gfx906 -o one ../../outside
    cp "$scratch/in/in/one.c" "$scratch/in/one.c"
    outside -q -f -j4 --arch=gfx90a,gfx1030,gfx906 -o one ../../outside
    ok "HIP $1: sources above, four compilers at once, are what one makes" \
        cmp "$scratch/in/in/one.c" "$scratch/in/one.c"
    outside -q --hipify none --source --arch=$first -o kernels ../../cuda-outside
    ok "HIP $1: a CUDA source with headers above, two of one name, is embedded" \
        build_outside "$scratch/outside.out" "$scratch/in/in/kernels.c"
    has "HIP $1: and runs" "$(on_isa $first "$scratch/outside.out")" PASS
    has "HIP $1: so does its source" "$(on_isa $second "$scratch/outside.out")" PASS
    is "HIP $1: nothing is beside the compilers' directories" "$(ls "$scratch/t")" u
}

build_outside() { # PROGRAM OBJECT
    mv "$scratch/in/in/kernels.h" "$scratch/"
    build_example "$@"
}

one_release() { # NAME
    rm -rf "${scratch:?}/lib" "$scratch"/kernels*
    mkdir -p "$scratch/lib"
    ln -s "$HIPSHIM_LOOPBACK"/libhsa-runtime64.so.1* "$scratch/lib/"
    ok "HIP $1: kernels are embedded" embed --arch=$second,$first,gfx1030 -o kernels "$top/examples/kernels"
    cp "$scratch/kernels.c" "$scratch/first.c"
    embed -f -j1 --arch=$second,$first,gfx1030 -o kernels "$top/examples/kernels" >/dev/null
    ok "HIP $1: one after the other gives the same bytes" \
        cmp "$scratch/first.c" "$scratch/kernels.c"
    ok "HIP $1: they are C++ too" as_cxx "$scratch/kernels.c"
    ok "HIP $1: the example is built" build_example "$scratch/program" "$scratch/kernels.c"
    for isa in $second $first; do
        uncompressed=$(on_isa "$isa" "$scratch/program")
        has "HIP $1: on a $isa it takes that, and passes" "$uncompressed" "for this device: $isa
PASS: y = 2.5 * x + y in all 1000 places"
    done
    # Kernels for that processor do nothing.
    said=$(LOOPBACK_STRICT=0 on_isa gfx1030 "$scratch/program")
    has "HIP $1: on a gfx1030 it takes gfx1030" "$said" "for this device: gfx1030
"
    said=$(on_isa gfx906 "$scratch/program")
    has "HIP $1: on another it says what there is" "$said" "is embedded for $second, $first, gfx1030, and none of its code fits gfx906"
    ok "HIP $1: with the source, through the assembler" \
        embed --source --asm --arch=$first -o kernels "$top/examples/kernels"
    ok "HIP $1: that is built" assemble
    ok "HIP $1: and linked" build_example "$scratch/with" "$scratch/kernels.c" "$scratch/kernels.o"
    has "HIP $1: the assembled code runs" "$(on_isa $first "$scratch/with")" "PASS"
    said=$(on_isa $second "$scratch/with")
    has "HIP $1: the source is for all others" "$said" "the source, compiled now"
    has "HIP $1: and passes" "$said" "PASS"
    one_compressed "$1"
    ok "HIP $1: a CUDA source and its headers are embedded" \
        embed --hipify none --source --arch=$first -o kernels cuda
    ok "HIP $1: that is built" build_example "$scratch/cuda.out" "$scratch/kernels.c"
    has "HIP $1: and runs" "$(on_isa $first "$scratch/cuda.out")" "PASS"
    has "HIP $1: so does its source on another" "$(on_isa $second "$scratch/cuda.out")" "PASS"
    one_outside "$1"
    said=$(real_run "$two_releases" 5.2 7.2 2>&1)
    has "HIP $1: two releases are compared" "$said" "PASS"
}

mkdir -p "$scratch/cuda/parts"
cat >"$scratch/cuda/axpy.cu" <<'SOURCE'
#include <cuda_runtime.h>
#include "parts/index.cuh"
extern "C" __global__ void axpy(float a, const float *x, float *y, unsigned n)
{
    if (index() < n)
        y[index()] += a * x[index()];
}
SOURCE
echo '#include "device.cuh"' >"$scratch/cuda/parts/index.cuh"
cat >"$scratch/cuda/parts/device.cuh" <<'SOURCE'
#ifndef __CUDA_ARCH__
#error only for the device
#endif
__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }
SOURCE
printf '#include <hip/hip_runtime.h>\n#error so it is\n' >"$scratch/bad.hip"
mkdir -p "$scratch/outside" "$scratch/cuda-outside/a" "$scratch/above/one" "$scratch/above/two"
for n in 1 2 3; do
    printf 'extern "C" __global__ void f%s(int *x) { x[threadIdx.x] *= %s; }\n' $n $n \
        >"$scratch/outside/f$n.hip"
done
cat >"$scratch/cuda-outside/axpy.cu" <<'SOURCE'
#include "../above/one/one.cuh"
#include "../above/two/two.cuh"
extern "C" __global__ void axpy(float a, const float *x, float *y, unsigned n)
{
    static_assert(ONE == 1 && TWO == 2, "each its own");
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
SOURCE
echo '#include "detail.cuh"' | tee "$scratch/above/one/one.cuh" >"$scratch/above/two/two.cuh"
printf '#ifndef __CUDA_ARCH__\n#error\n#endif\n#define ONE 1\n' >"$scratch/above/one/detail.cuh"
echo '#define TWO 2' >"$scratch/above/two/detail.cuh"
for release in $real_releases; do
    if ! [ -d "$real_runtimes/$release" ]; then
        skip "HIP $release: embedded kernels" "no real runtime of HIP $release"
        continue
    fi
    real_find "$release"
    one_release "$release"
done
if [ -d "$real_runtimes/5.2" ]; then
    real_find 5.2
    said=$(embed --arch=gfx90a,gfx1100 -o bad "$top/examples/kernels")
    has "a GPU that the compiler does not know is one error" "$said" \
        "axpy.hip does not compile for gfx1100 with HIP 5.2.21153: hiprtcCompileProgram: this HIP compiles for gfx600,"
    ok "and nothing is written" test ! -e "$scratch/bad.c"
else
    skip "a GPU that the compiler does not know is one error" "no real runtime of HIP 5.2"
fi
finish
