#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim embed` writes what it was asked for, the same each time, compiles only
# when something changed, and names the file when something is wrong.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2016 # what is written for others to expand
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

HIPSHIM_CACHE=0
export HIPSHIM_CACHE
cd "$scratch" || exit 99
mkdir -p k/blas include
printf '#include "blas/size.h"\nSIZE=5000\n' >k/axpy.hip
printf '#include <wide.h>\nSIZE=100\n' >k/blas/dot.hip
printf '#include "more.h"\n' >k/blas/size.h
echo '// more' >k/blas/more.h
echo '// wide' >include/wide.h
echo 'not a source' >k/README

embed() { # ARGUMENT...: output in $said, status in $status
    said=$("$tool" embed "$@" 2>&1)
    status=$?
}
both() { embed --arch gfx90a,gfx1030 -Iinclude -o out --depfile out.d "$@" k; }

both
is "a directory is searched" "$status" 0
has "it says what was embedded" "$said" "out.c: 2 kernels for gfx90a, gfx1030: written"
is "every source is compiled for every architecture" "$(compilations)" 4
cat >main.c <<'SOURCE'
#include "out.h"
#include <stdio.h>
#include <string.h>
#include "fake.h"
int main(int argc, char **argv)
{
    for (size_t i = 0; i < out.code_count; i++) {
        const hipshim_embedded_code_t *code = &out.codes[i];
        char source[300] = "", path[100];
        unsigned char *wanted = malloc(code->code_size);
        snprintf(path, sizeof path, "k/%s.hip", code->kernel);
        FILE *file = fopen(path, "r");
        if (!file || fread(source, 1, sizeof source - 1, file) == 0)
            return 2;
        fclose(file);
        fake_code(source, code->arch, wanted, code->code_size);
        printf("%s %s %zu %s\n", code->kernel, code->arch, code->code_size,
               memcmp(wanted, code->code, code->code_size) ? "wrong" : "right");
        free(wanted);
    }
    return argc > 1 && out.source_count == 2 ? puts(out.sources[0].text), puts(argv[1]), 0 : 0;
}
SOURCE
build_main() { # PROGRAM FILE...
    program=$1
    shift
    # shellcheck disable=SC2086 # CC may be several words
    $cc -std=c11 -Wall -Wextra -Werror -I"$top/include/hipshim" -I"$top/tests/kernel" -I. -o "$program" \
        main.c "$@"
}
right="axpy gfx90a 5000 right
axpy gfx1030 5000 right
blas/dot gfx90a 100 right
blas/dot gfx1030 100 right"
ok "what is written compiles without a warning" build_main m out.c
is "each code object is that of its source and architecture" "$(./m)" "$right"
has "the depfile names sources" "$(cat out.d)" "out.c: \\"
ok "the depfile names the directories" test "$(grep -cE "^(  )?k(/blas)?(:| .*)$" out.d)" = 4
for file in k/axpy.hip k/blas/dot.hip k/blas/size.h k/blas/more.h include/wide.h; do
    ok "the depfile names $file, twice" test "$(grep -c "$file" out.d)" = 2
done

# --- the cache serves what did not change ---
HIPSHIM_CACHE=1
both
sum() { cat out.c out.h | cksum; }
before=$(sum)
rm "$FAKE_COMPILES"
both
is "the same again compiles nothing" "$status $(compilations)" "0 0"
is "the same again gives the same bytes" "$(sum)" "$before"
touch -d '1 hour ago' out.c out.h
touch k/axpy.hip
both
is "a new time is no change" "$(compilations)" 0
ok "a run without a change makes the outputs newer than the source, for make" test ! k/axpy.hip -nt out.c
both --force -j1
is "--force compiles all the same" "$(compilations)" 4
is "--force gives the same bytes" "$(sum)" "$before"
changed() { # WHAT: the outputs must be made anew
    rm -f "$FAKE_COMPILES"
    both
    is "$1 compiles" "$status $(compilations)" "0 ${2:-4}"
}
echo '// more still' >k/blas/more.h
changed "a changed header of a header" 2
echo '// wider' >include/wide.h
changed "a changed header of -I" 2
echo '// x' >>k/axpy.hip
changed "a changed source" 2
rm out.h
both
ok "a missing output is written again" test -s out.h
build_fake "$scratch/hip/libamdhip64.so.6" -DFAKE_VERSION=60343483
changed "another release of HIP"
build_fake "$scratch/hip/libamdhip64.so.6" -DFAKE_VERSION=60343483 -Wl,--build-id=0x1234
changed "another build of the same release"
build_fake "$scratch/hip/libamdhip64.so.6" -DFAKE_VERSION=60343483 -Wl,--build-id=none
both
build_fake "$scratch/hip/libamdhip64.so.6" -DFAKE_VERSION=60443484 -Wl,--build-id=none
changed "another release without a build-id"
GPU_ENABLE_WGP_MODE=0
export GPU_ENABLE_WGP_MODE
changed "a variable that hiprtc reads"
unset GPU_ENABLE_WGP_MODE
changed "the same variable, not set," 0
rm -f "$FAKE_COMPILES"
both -DX=1
is "another option compiles" "$(compilations)" 4
HIPSHIM_CACHE=0

# --- forms ---
both --asm
ok "--asm: what is written is built" build_main m out.c out.S
is "--asm: the code is right" "$(./m)" "$right"
both --source
ok "--source: what is written is built" build_main m out.c
has "--source: the source is there" "$(./m x)" "SIZE=5000"
embed --arch none --source -o out k -Iinclude
is "--arch none: the sources alone" "$status $said" "0 out.c: 2 kernels as source: written"
ok "--arch none: what is written is built" build_main m out.c
is "--arch none: the source is there, and no code" "$(./m x)" \
    "$(sed 's,"blas/size.h","hipshim-0/size.h",' k/axpy.hip)

x"
assembles() { # FILE...
    # shellcheck disable=SC2086 # CC may be several words
    $cc -I"$top/include/hipshim" -I. -c "$@"
}
HIPSHIM_LIBRARY=$scratch/nowhere embed --arch none --source --asm -o none k -Iinclude
is "--arch none takes no compiler" "$status" 0
ok "--arch none: with --asm, too" assembles none.c none.S
embed --arch none -o out k
is "--arch none without --source is refused" "$status $said" \
    "2 hipshim embed: --arch=none without --source embeds nothing"
embed --arch none,gfx90a --source -o out k
is "--arch none beside others is refused" "$status $said" \
    "2 hipshim embed: --arch=none stands alone"
embed --arch gfx90a --name other -o out k/axpy.hip
has "--name: the index has that name" "$(cat out.h)" "extern const hipshim_embedded_t other;"
lacks "no temporary files are left" "$(ls)" "out.c."

# --- what is wrong ---
rm -f out.*
echo '#error' >k/bad.hip
both
is "a source that does not compile is a failure" "$status" 1
has "the file and the architecture are named" "$said" "embed: k/bad.hip does not compile for gfx90a"
has "the compiler's log is shown" "$said" "error: as asked for"
ok "and nothing is written" test ! -e out.c
rm k/bad.hip
cp k/axpy.hip k/axpy.cu
both
has "two kernels of one name are refused" "$said" \
    'k/axpy.cu and k/axpy.hip would both be the kernel "axpy"; name a directory above'
rm k/axpy.cu
embed --arch gfx90a -o out k/axpy.hip k/axpy.hip
has "a file that is named twice is refused" "$status $said" "2 hipshim embed: k/axpy.hip: given twice"
embed --arch gfx90a -o out include
has "a directory without sources is said to be one" "$status $said" \
    "2 hipshim embed: include: there is no .hip or .cu file in this directory"
embed --arch gfx90a -o out k/nothing.hip
has "a missing file is named" "$status $said" "2 hipshim embed: k/nothing.hip: No such file"
embed --arch sm_80 -o out k
has "what is no architecture is refused" "$said" "\"sm_80\" is not an architecture"
embed --arch gfx90a k
is "no --output is a wrong command line" "$status" 2
embed --arch gfx90a -o nowhere/out k/blas/dot.hip -I include
has "a directory that is not there is named" "$status $said" \
    "3 hipshim embed: nowhere/out.h cannot be written: No such file"
mkdir -p taken/out.d/in
embed --depfile taken/out.d --arch gfx90a -o out k/blas/dot.hip -I include
has "so is a file that cannot be replaced" "$status $said" "taken/out.d cannot be written: "
is "and no temporary file is left of it" "$(ls taken)" out.d
mkdir foreign
echo 'my firmware' >foreign/out.bin
embed --asm --arch gfx90a -o foreign/out k/blas/dot.hip -I include
is "an OUTPUT.bin of somebody else's is not replaced" "$status $said" \
    "3 hipshim embed: foreign/out.bin is not a file that hipshim embed wrote; remove it, or give --output another name"
is "and no other output is written then" "$(ls foreign) $(cat foreign/out.bin)" "out.bin my firmware"
rm foreign/out.bin
embed --asm --arch gfx90a -o foreign/out k/blas/dot.hip -I include
embed --asm --arch gfx906 -o foreign/out k/blas/dot.hip -I include
is "an OUTPUT.bin of its own is" "$status" 0
echo '// mine' >mine.h
embed --arch gfx90a -o mine k/blas/dot.hip -I include
has "a file of somebody else's is not replaced" "$status $said" \
    "3 hipshim embed: mine.h is not a file that hipshim embed wrote"
is "but left as it is" "$(cat mine.h)" "// mine"
embed --arch gfx90a --with=hipcc="$scratch/no-hipcc" -o out k/axpy.hip
has "a missing hipcc is named" "$said" "$scratch/no-hipcc"
HIPSHIM_LIBRARY=$scratch/nowhere both
is "that there is no compiler is said once" \
    "$status $(printf '%s\n' "$said" | grep -c '^hipshim embed: HIPSHIM_LIBRARY names no usable')" "1 1"
cat >hipcc <<SCRIPT
#!/bin/sh
printf '%s\\n' "\$@" >"$scratch/arguments"
while [ "\$1" != -o ]; do shift; done
echo code >"\$2"
SCRIPT
chmod +x hipcc
embed --arch gfx90a --with=hipcc="$scratch/hipcc" '--option=-DA=a b;$(c)' -o out k/axpy.hip
is "hipcc compiles" "$status" 0
has "and gets its arguments as they are" "$(cat arguments)" '-DA=a b;$(c)'

for odd in 'mkdir "$2"' 'mkfifo "$2"' ': >"$2"' ':'; do
    printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\n%s\n' "$odd" >hipcc
    embed --arch gfx90a --with=hipcc="$scratch/hipcc" -o odd k/axpy.hip
    has "a compiler that ends well and does only $odd fails" "$status $said" "1 hipshim embed: k/axpy.hip does not compile"
done

# --- CUDA ---
cat >k/c.cu <<'SOURCE'
#include <cuda_runtime.h>
#include <cublas_v2.h>
/* cudaMalloc */ const char *s = "cudaFree";
cudaStream_t a; cudaMalloc(&a, 1); cudaMemcpyAsync(cudaMemcpyHostToDevice);
cudaNoSuchThing(); cuda_mine = 1; customThing();
cudaErrorLaunchFailure; CUdeviceptr p; cuStreamCreate(); CUarray b; cuMemcpy();
SOURCE
embed --hipify=none --arch gfx90a --source -o out k/c.cu
is "a .cu file is embedded" "$status" 0
has "what has no HIP name is listed with its line" "$said" \
    "hipshim embed: warning: k/c.cu:5: cudaNoSuchThing: no HIP name"
has "so are types of the driver" "$said" "k/c.cu:6: CUarray: no HIP name"
has "so is what HIP calls the same and is another" "$said" "k/c.cu:6: cuMemcpy: no HIP name"
is "and nothing else" "$(printf '%s\n' "$said" | grep -c warning:)" 4
has "so are headers" "$said" "k/c.cu:2: <cublas_v2.h>: no HIP header"
cat >text.c <<'SOURCE'
#include "out.h"
#include <stdio.h>
int main(void) { return puts(out.sources[0].text) < 0; }
SOURCE
# shellcheck disable=SC2086 # CC may be several words
$cc -I"$top/include/hipshim" -I. -o text text.c out.c
is "CUDA's names become HIP's, in code only" "$(./text)" '#include <hip/hip_runtime.h>
#include <cublas_v2.h>
/* cudaMalloc */ const char *s = "cudaFree";
hipStream_t a; hipMalloc(&a, 1); hipMemcpyAsync(hipMemcpyHostToDevice);
cudaNoSuchThing(); cuda_mine = 1; customThing();
hipErrorLaunchFailure; hipDeviceptr_t p; hipStreamCreateWithFlags(); CUarray b; cuMemcpy();'
printf '#!/bin/sh\necho "// by hipify: $1"\n' >hipify-perl
chmod +x hipify-perl
PATH=$scratch:$PATH embed --arch gfx90a --source -o out k/c.cu
# shellcheck disable=SC2086 # CC may be several words
$cc -I"$top/include/hipshim" -I. -o text text.c out.c
is "hipify-perl is used where it is installed" "$(./text)" "// by hipify: k/c.cu"

# --- CUDA: what is text, what is code, and what is no program ---
mapped() { # FILE: what becomes of it, in $now
    embed --hipify=none --arch none --source -o out "$1"
    # shellcheck disable=SC2086 # CC may be several words
    $cc -I"$top/include/hipshim" -I. -o text text.c out.c
    now=$(./text)
}
cat >k/n.cu <<'SOURCE'
int n = 1'000; cudaFree(0); int m = 0xff'ff'cudaa + 'a'; cudaFree(1'0);
f(R"(cudaFree" )", cudaFree, uR"x( )" cudaFree " )x", cudaFree, LR"(\)", cudaFree);
MYR"(" + cudaFree + R"unterminated + cudaFree
SOURCE
mapped k/n.cu
is "digit separators and raw strings swallow nothing" "$now" \
"int n = 1'000; hipFree(0); int m = 0xff'ff'cudaa + 'a'; hipFree(1'0);
f(R\"(cudaFree\" )\", hipFree, uR\"x( )\" cudaFree \" )x\", hipFree, LR\"(\\)\", hipFree);
MYR\"(\" + hipFree + R\"unterminated + cudaFree"
cat >k/n.cu <<'SOURCE'
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#elif (__CUDA_ARCH__) < 800
#elif 530 <= __CUDA_ARCH__
#elif __CUDA_ARCH__==600
#elif __CUDA_ARCH__ && __CUDA_ARCH__ > 0 && __CUDA_ARCH__ << 1 && 0 < __CUDA_ARCH__ && OTHER > 700
#elif /* __CUDA_ARCH__ > 700 */ MY__CUDA_ARCH__ > 700
SOURCE
mapped k/n.cu
is "where __CUDA_ARCH__ is compared with a number is said, and only there" \
    "$(printf '%s\n' "$said" | sed -n 's/.*warning: k.n.cu:\(.*\): __CUDA_ARCH__ is compared with a number: HIP.s macro is 1$/\1/p' | tr '\n' ' ')$(printf '%s\n' "$said" | grep -c warning:)" \
    "1 2 3 4 4"
has "and it becomes HIP's all the same" "$now" "#elif 530 <= __HIP_DEVICE_COMPILE__"
mkdir -p dir/hipify-perl rocm/bin/hipify-perl
PATH=$scratch/dir:$scratch:$PATH embed --rocm "$scratch/rocm" --arch none --source -o out k/c.cu
# shellcheck disable=SC2086 # CC may be several words
$cc -I"$top/include/hipshim" -I. -o text text.c out.c
is "a directory called hipify-perl is passed over" "$status $(./text)" "0 // by hipify: k/c.cu"
finish
