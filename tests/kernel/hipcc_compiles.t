#!/bin/sh
# SPDX-License-Identifier: MIT
# A real hipcc compiles kernels when asked to, and where there is no hiprtc; what
# it makes is loaded by real runtimes; `hipshim embed` uses it for sources that
# have host code in them.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2154 # real_* are of real.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"

fetched=$real_runtimes/hipcc/bin
[ ! -x "$fetched/hipcc" ] || PATH=$fetched:$PATH
hipcc=$(command -v hipcc) || skip_all "NO HIPCC HERE (tests/lib/fetch-hipcc gets it)"
[ -f "$build/libhipshim.la" ] || skip_all "not built"
[ -f "$build/tests/kernel/hipcc_t" ] || skip_all "hipcc_t was not built"
unset HIPSHIM_ARCH HIPSHIM_LIBRARY HIPSHIM_CACHE HIPSHIM_CACHE_SIZE HIP_PATH ROCM_PATH ROCM_HOME
unset LOOPBACK_ISA LOOPBACK_FAULT LOOPBACK_GPUS LD_PRELOAD
unset HIPCC_VERBOSE HIPCC_COMPILE_FLAGS_APPEND HIPCC_LINK_FLAGS_APPEND HIP_PLATFORM HIP_CLANG_PATH
HIPSHIM_CACHE_DIR=$scratch/cache
export HIPSHIM_CACHE_DIR
tap_comment "$hipcc: $("$hipcc" --version 2>/dev/null | head -n 2 | paste -s -d ' ' -)"

hipcc_release=$("$hipcc" --version 2>/dev/null | sed -n 's/^HIP version: \([0-9]*\.[0-9]*\).*/\1/p')
binary=$(real_built tests/kernel/hipcc_t)

program() { # WORDS RUNNER VARIABLE=VALUE...
    words=$1
    runner=$2
    shift 2
    mkdir -p "$scratch/tmp" "$scratch/here"
    (
        cd "$scratch/here" || exit 99
        for setting in TMPDIR="$scratch/tmp" CMOCKA_MESSAGE_OUTPUT=TAP "$@"; do
            # shellcheck disable=SC2163 # the setting is one
            export "$setting"
        done
        "$runner" "$binary"
    ) >"$scratch/out" 2>"$scratch/err"
    relay "$words" $? "another run of the program checks it"
    is "$words: no shell took part" "$(find "$scratch" -name owned)" ""
    is "$words: nothing is left behind" "$(find "$scratch/tmp" -mindepth 1)" ""
}

plainly() { timeout 300 "$@"; }

# As real_run, in this directory and with room for a dozen compilations.
in_tree() { # PROGRAM
    timeout 300 env AMD_COMGR_CACHE=0 HOME="$scratch" REAL_RELEASE="$real_release" "$real_loader" \
        --inhibit-cache --library-path \
        "$scratch/lib:$build/.libs:$in_tree:$real_tree/lib/x86_64-linux-gnu:$scratch/hide" "$@"
}

# A copy of a tree's libraries without hiprtc: links except the runtime, which
# looks where it lies itself.
without_hiprtc() {
    mkdir "$scratch/bare"
    for file in "$real_tree"/usr/lib/x86_64-linux-gnu/*.so*; do
        case ${file##*/} in
        libhiprtc.so*) ;;
        libamdhip64.so.[0-9]) cp "$file" "$scratch/bare/" ;;
        libamdhip64.so*) ;;
        *) ln -s "$file" "$scratch/bare/" ;;
        esac
    done
}

# The tree's clang++, started directly.  Its libraries are not where the machine's linker looks.
clang_tree=$fetched/../usr
if [ -x "$clang_tree/bin/hipcc" ]; then
    by_clang() {
        timeout 300 env ROCM_PATH="$(cd "$clang_tree" && pwd)" \
            LD_LIBRARY_PATH="$clang_tree/lib/x86_64-linux-gnu" "$@"
    }
    program "clang++ of a ROCm" by_clang KERNEL_HIPCC=instead KERNEL_CLANG=1 \
        HIPSHIM_LIBRARY=/nonexistent/libamdhip64.so.6
    printf '#error\n' >"$scratch/bad.hip"
    said=$(HIPSHIM_LIBRARY=/nonexistent/libamdhip64.so.6 by_clang "$build/hipshim" embed \
        --with=hipcc --arch gfx90a -o "$scratch/bad" "$scratch/bad.hip" 2>&1)
    has "clang++ of a ROCm: it is no hipcc that runs" "$said" "/bin/clang++ (exit status 1)"
else
    skip "clang++ of a ROCm" "this hipcc is not from tests/lib/fetch-hipcc"
fi

program "no runtime at all" plainly KERNEL_HIPCC=instead HIPSHIM_LIBRARY=/nonexistent/libamdhip64.so.6

# The first release runs all of the program, the others what the runtime takes part in.
parts=all
for release in $real_releases; do
    if [ ! -d "$real_runtimes/$release" ]; then
        skip "HIP $release: hipcc compiles" "no real runtime (tests/lib/fetch-runtimes gets it)"
        continue
    fi
    real_find "$release"
    rm -rf "${scratch:?}/lib" "$scratch/bare"
    mkdir "$scratch/lib"
    real_lend_cmocka
    loopback_build "$release"
    in_tree=$real_tree/usr/lib/x86_64-linux-gnu
    # What a later hipcc makes need not be known to a runtime.
    gpu=KERNEL_DEVICE=1
    if [ "$(printf '%s\n' "$release" "$hipcc_release" | sort -V | head -n 1)" != "$hipcc_release" ]; then
        gpu=NO_DEVICE=1
        skip "HIP $release: the device loads what comes out" "hipcc $hipcc_release is later"
    fi
    program "HIP $release and hiprtc" in_tree KERNEL_HIPCC=asked KERNEL_PARTS=$parts "$gpu" LOOPBACK_GPUS=1
    parts=runtime
    case $release in
    5.* | 6.*) ;; # have hiprtc inside
    *)
        without_hiprtc
        in_tree=$scratch/bare
        program "HIP $release without hiprtc" in_tree KERNEL_HIPCC=instead "$gpu" LOOPBACK_GPUS=1 \
            "HIPSHIM_LIBRARY=$scratch/bare/libamdhip64.so.${release%.*}"
        ;;
    esac
done
is "what hipcc makes is not kept" "$(find "$scratch/cache" -path '*/gfx*' -name '*.kernel' 2>/dev/null)" ""

# --- hipshim embed ---

HIPSHIM_CACHE=0
export HIPSHIM_CACHE
mkdir -p "$scratch/my kernels" "$scratch/lib" "$scratch/my bin"
cat >"$scratch/my kernels/both.hip" <<'END'
#include <hip/hip_runtime.h>
#include "number.h"
#include <cstdio>
extern "C" __global__ void axpy(float a, const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += NUMBER * a * x[i];
}
void run(unsigned n)
{
    float *x, *y;
    hipMalloc(&x, n * sizeof *x);
    hipMalloc(&y, n * sizeof *y);
    axpy<<<n / 64, 64>>>(2.5f, x, y, n);
    std::printf("%d\n", (int)hipDeviceSynchronize());
}
END
echo '#define NUMBER 1' >"$scratch/my kernels/number.h"

embed() {
    said=$(cd "$scratch" && HIPSHIM_LIBRARY=$library "$build/hipshim" embed "$@" 2>&1)
    status=$?
}

architectures() { # of the code that is embedded
    grep -o '"gfx[0-9a-z]*"' "$scratch/kernels.c" | sort -u | tr -d '"' | tr '\n' ' '
}

library=/nonexistent/libamdhip64.so.6
embed --with=hipcc --arch gfx90a,gfx1030 -o kernels "my kernels"
is "embed: a source with host code is compiled by hipcc, without a runtime" "$status" 0
[ "$status" -eq 0 ] || tap_comment "$said"
is "embed: for both" "$(architectures)" "gfx1030 gfx90a "
cp "$scratch/kernels.c" "$scratch/first.c"
echo '#define NUMBER 2' >"$scratch/my kernels/number.h"
embed --with=hipcc --arch gfx90a,gfx1030 -o kernels "my kernels"
ok "embed: a changed header changes the code" test "$status" -eq 0 -a \
    "$(cksum <"$scratch/kernels.c")" != "$(cksum <"$scratch/first.c")"
cp "$scratch/kernels.c" "$scratch/first.c"
embed -f -j1 --with=hipcc --arch gfx90a,gfx1030 -o kernels "my kernels"
ok "embed: again gives the same bytes" cmp "$scratch/first.c" "$scratch/kernels.c"
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\necho "$0" >"%s/used"\nexec %s "$@"\n' "$scratch" "$hipcc" >"$scratch/my bin/hip'cc"
chmod +x "$scratch/my bin/hip'cc"
embed -f --with=hipcc="$scratch/my bin/hip'cc" --arch gfx90a -o kernels "my kernels"
is "embed: --with=hipcc=PATH" "$status" 0
is "embed: runs that one" "$(cat "$scratch/used")" "$scratch/my bin/hip'cc"
printf 'no_such_type x;\n' >>"$scratch/my kernels/both.hip"
embed --with=hipcc --arch gfx90a -o kernels "my kernels"
is "embed: an error is one" "$status" 1
has "embed: hipcc's own words name the file" "$said" "my kernels/both.hip:17:1: error: unknown type name"
lacks "embed: and not where it lay" "$said" "/source/"
sed -i '$d' "$scratch/my kernels/both.hip"
sed 's/hipMalloc/cudaMalloc/; s/hipDevice/cudaDevice/; s/<hip.hip_runtime.h>/<cuda_runtime.h>/' \
    "$scratch/my kernels/both.hip" >"$scratch/my kernels/cuda.cu"
rm "$scratch/my kernels/both.hip"
embed --with=hipcc --hipify none --arch gfx90a -o kernels "my kernels"
is "embed: a .cu with host code" "$status" 0
[ "$status" -eq 0 ] || tap_comment "$said"
finish
