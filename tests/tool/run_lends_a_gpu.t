#!/bin/sh
# SPDX-License-Identifier: MIT
# Under `hipshim run --loopback` a program has GPUs, on every real runtime, with
# hipshim or linked to libamdhip64 itself, wherever its libraries are found.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"

tool=$build/hipshim
[ -x "$tool" ] || skip_all "there is no program at $tool"
HIPSHIM_LOOPBACK=$build/src/loopback/.libs
HOME=$scratch
export HIPSHIM_LOOPBACK HOME
unset LD_PRELOAD LD_LIBRARY_PATH LOOPBACK_GPUS LOOPBACK_ISA
cc=${CC:-cc}

# A runtime with another libhsa-runtime64 at its side, that a DT_RPATH finds.
mkdir "$scratch/decoy"
cat >"$scratch/decoy.c" <<'SOURCE'
int hsa_init(void);
int hsa_init(void) { return 77; }
SOURCE
cat >"$scratch/hip.c" <<'SOURCE'
int hsa_init(void);
int hip(void);
int hip(void) { return hsa_init(); }
SOURCE
cat >"$scratch/asks.c" <<'SOURCE'
int hip(void);
int main(void) { return hip(); }
SOURCE
printf 'ROCR_1 { global: *; };\n' >"$scratch/map"
# shellcheck disable=SC2086 # several words
build_decoy() { # TAGS NAME: asks-NAME, whose runtime finds the decoy by TAGS
    $cc -shared -fPIC -o "$scratch/decoy/libhsa-runtime64.so.1" -Wl,-soname,libhsa-runtime64.so.1 \
        -Wl,--version-script="$scratch/map" "$scratch/decoy.c" &&
        $cc -shared -fPIC -o "$scratch/decoy/libhip-$2.so" "$scratch/hip.c" \
            "$scratch/decoy/libhsa-runtime64.so.1" $1 -Wl,-rpath,"$scratch/decoy" &&
        $cc -o "$scratch/asks-$2" "$scratch/asks.c" "$scratch/decoy/libhip-$2.so" \
            $1 -Wl,-rpath,"$scratch/decoy"
}
for tags in rpath:--disable-new-dtags runpath:--enable-new-dtags; do
    name=${tags%%:*}
    ok "a program with a DT_$name is built" build_decoy "-Wl,${tags#*:}" "$name"
    "$scratch/asks-$name"
    is "alone, it finds what its $name names" $? 77
    "$tool" run --loopback "$scratch/asks-$name"
    is "with --loopback it gets the loopback" $? 0
done

# Without a HIP runtime a program that uses hipshim would only report that there are no devices.
printf 'int main(void) { return 0; }\n' >"$scratch/quiet.c"
# shellcheck disable=SC2086 # several words
$cc -o "$scratch/quiet" "$scratch/quiet.c" -Wl,--no-as-needed -L"$build/.libs" -lhipshim \
    -Wl,-rpath,"$build/.libs" || exit 99
mkdir "$scratch/no-hip"
warned() { # DESCRIPTION PART ARGUMENT...
    warned_text=$1
    warned_part=$2
    shift 2
    "$tool" run "$@" "$scratch/quiet" 2>"$scratch/warning"
    is "$warned_text: the program runs" $? 0
    has "$warned_text: a warning" "$(cat "$scratch/warning")" "$warned_part"
    is "$warned_text: in one line" "$(wc -l <"$scratch/warning")" 1
}
HIPSHIM_LIBRARY=$scratch/no-hip warned "--loopback without a HIP runtime" \
    "hipshim run: warning: --loopback needs a HIP runtime, and hipshim finds none: HIPSHIM_LIBRARY names" --loopback
warned "--hip=DIRECTORY without a HIP runtime" \
    "hipshim run: warning: --hip=$scratch/no-hip: HIPSHIM_LIBRARY names no usable" --hip="$scratch/no-hip"
# shellcheck disable=SC2086 # several words
$cc -fPIC -shared -DFAKE_VERSION=60443484 -Wl,-soname,libamdhip64.so.6 -o "$scratch/libamdhip64.so.6" \
    "$top/tests/loader/fake_runtime.c" || exit 99
"$tool" run --loopback --hip="$scratch/libamdhip64.so.6" "$scratch/quiet" 2>"$scratch/warning"
is "with a HIP runtime there is no warning" "$? $(cat "$scratch/warning")" "0 "
HIPSHIM_LIBRARY=$scratch/no-hip "$tool" run --loopback true 2>"$scratch/warning"
is "nor for a program that does not use hipshim" "$? $(cat "$scratch/warning")" "0 "

# A library that is no runtime, or that cannot be opened, is as good as none.
printf 'no library\n' >"$scratch/text"
HIPSHIM_LIBRARY=$scratch/text warned "HIPSHIM_LIBRARY names a text" \
    "needs a HIP runtime, and hipshim finds none: HIPSHIM_LIBRARY" --loopback
HIPSHIM_LIBRARY=libfoo.so warned "HIPSHIM_LIBRARY names a soname that is not there" "libfoo.so" --loopback
: >"$scratch/nothing.c"
mkdir "$scratch/comgr"
# shellcheck disable=SC2086 # several words
$cc -fPIC -shared -Wl,-soname,libamd_comgr.so.2 -o "$scratch/comgr/libamd_comgr.so.2" "$scratch/nothing.c" &&
    $cc -fPIC -shared -DFAKE_VERSION=60443484 -Wl,-soname,libamdhip64.so.6 -o "$scratch/comgr/libamdhip64.so.6" \
        "$top/tests/loader/fake_runtime.c" -Wl,--no-as-needed "$scratch/comgr/libamd_comgr.so.2" || exit 99
mkdir "$scratch/alone"
cp "$scratch/comgr/libamdhip64.so.6" "$scratch/alone/"
warned "the compiler library of --hip is not found" "libamd_comgr.so.2" --hip="$scratch/alone/libamdhip64.so.6"

# The loopback has a GPU, and the runtime finds none.
cat >"$scratch/counts.c" <<'SOURCE'
int hipInit(unsigned flags);
int hipInit(unsigned flags) { return FAKE_COUNT ? (int)flags : 100; }
int hipGetDeviceCount(int *count);
int hipGetDeviceCount(int *count) { *count = FAKE_COUNT; return 0; }
SOURCE
counts() { # COUNT LIBRARY...
    # shellcheck disable=SC2086 # several words
    $cc -fPIC -shared -DFAKE_VERSION=60443484 -DFAKE_COUNT="$1" -Wl,-soname,libamdhip64.so.6 \
        -o "$scratch/counts-$1.so" "$top/tests/loader/fake_runtime.c" "$scratch/counts.c" \
        -Wl,--no-as-needed "$scratch/comgr/libamd_comgr.so.2" -Wl,-rpath,"$scratch/comgr" || exit 99
}
counts 0
counts 1
warned "the runtime does not know the processor" \
    "hipshim run: warning: HIP 6.4.43484 does not know gfx90b, so programs find no device" \
    --loopback --arch=gfx90b --hip="$scratch/counts-0.so"
LOOPBACK_ISA=gfx000 warned "nor the one of LOOPBACK_ISA" "HIP 6.4.43484 does not know gfx000" \
    --loopback --hip="$scratch/counts-0.so"
{
    sed 's/return 0;/*count = 0; return 0;/' "$scratch/counts.c"
    echo 'const char opens[] = "libamd_comgr.so.9";'
} >"$scratch/sees-none.c"
# shellcheck disable=SC2086 # several words
$cc -fPIC -shared -DFAKE_VERSION=50221153 -DFAKE_COUNT=1 -Wl,-soname,libamdhip64.so.5 -o "$scratch/bare.so" \
    "$top/tests/loader/fake_runtime.c" "$scratch/sees-none.c" || exit 99
warned "the runtime does not find the compiler library that it opens" \
    "hipshim run: warning: HIP 5.2.21153 finds no device, because it cannot open its compiler library, libamd_comgr.so.9;" \
    --loopback --hip="$scratch/bare.so"
silent() { # DESCRIPTION ARGUMENT...
    silent_text=$1
    shift
    "$tool" run "$@" "$scratch/quiet" 2>"$scratch/warning"
    is "$silent_text: no warning" "$? $(cat "$scratch/warning")" "0 "
}
silent "the runtime finds the GPU" --loopback --hip="$scratch/counts-1.so"
silent "no GPU is wanted" --loopback=0 --hip="$scratch/counts-0.so"
HIP_VISIBLE_DEVICES=-1 silent "the user hides the GPU" --loopback --hip="$scratch/counts-0.so"
silent "without the loopback it is doctor that counts devices" --hip="$scratch/counts-0.so"

# The loopback's own line comes from the program alone.
cat >"$scratch/asks-hsa.c" <<'SOURCE'
int hsa_init(void);
int hipRuntimeGetVersion(int *version);
int hipRuntimeGetVersion(int *version) { *version = 60443484; return hsa_init(); }
SOURCE
# shellcheck disable=SC2086 # several words
$cc -fPIC -shared -Wl,-soname,libamdhip64.so.6 -o "$scratch/asks-hsa.so" "$scratch/asks-hsa.c" || exit 99
LOOPBACK_ISA=gfx90z silent "a wrong value of the loopback is left to the program" --loopback --hip="$scratch/asks-hsa.so"

# A program of another release than the installed one, which the dynamic linker does not start.
mkdir "$scratch/old"
printf 'int hipInit(unsigned flags);\nint hipInit(unsigned flags) { return (int)flags; }\n' >"$scratch/old.c"
printf 'int hipInit(unsigned flags);\nint main(void) { return hipInit(0); }\n' >"$scratch/uses-old.c"
# shellcheck disable=SC2086 # several words
$cc -fPIC -shared -Wl,-soname,libamdhip64.so.31 -o "$scratch/old/libamdhip64.so.31" "$scratch/old.c" &&
    $cc -o "$scratch/uses-old" "$scratch/uses-old.c" "$scratch/old/libamdhip64.so.31" || exit 99
said=$("$tool" run --loopback "$scratch/uses-old" 2>&1)
is "a program whose HIP is not there keeps its status" $? 127
has "... and a warning says what helps" "$said" \
    "warning: $scratch/uses-old needs libamdhip64.so.31, which is not found; try --abi=auto"
said=$(LD_LIBRARY_PATH=$scratch/old "$tool" run --loopback "$scratch/uses-old" 2>&1)
is "one whose HIP is there gets none" "$? $said" "0 "

mkdir "$scratch/linked"
cp "$scratch/counts-0.so" "$scratch/linked/libamdhip64.so.6"
# shellcheck disable=SC2086 # several words
$cc -o "$scratch/uses-linked" "$scratch/uses-old.c" "$scratch/linked/libamdhip64.so.6" \
    -Wl,--allow-shlib-undefined || exit 99
said=$(HIPSHIM_LIBRARY=$scratch/counts-1.so LD_LIBRARY_PATH=$scratch/linked "$tool" run --loopback --arch=gfx90b \
    "$scratch/uses-linked" 2>&1)
is "a program that is linked to HIP finds no device of that processor, and its status stays" "$? $said" \
    "100 hipshim run: warning: HIP 6.4.43484 does not know gfx90b, so programs find no device; name another processor by --arch, such as gfx90a, gfx942 or gfx1100"

# The settings of the loopback itself.
LOOPBACK_LOGG=1 warned "a variable that the loopback does not read" \
    "hipshim run: warning: LOOPBACK_LOGG: the loopback reads no such variable" --loopback --hip="$scratch/counts-1.so"
has "... the warning names those that it reads" "$(cat "$scratch/warning")" "LOOPBACK_GPUS, LOOPBACK_ISA"
TMPDIR=$scratch/nowhere warned "there is no temporary directory" \
    "hipshim run: warning: TMPDIR=$scratch/nowhere is not writable; AMD's runtime compiles there and crashes without it" \
    --loopback --hip="$scratch/counts-1.so"
TEMP=$scratch/text TMPDIR=$scratch silent "TMPDIR comes before TEMP" --loopback --hip="$scratch/counts-1.so"
(
    unset TMPDIR TMP
    TEMP=$scratch/text "$tool" run --loopback true 2>"$scratch/warning"
)
has "TEMP counts if TMPDIR and TMP are not set, for every program" "$(cat "$scratch/warning")" "TEMP=$scratch/text"

# AddressSanitizer ends a program that finds a library preloaded before it.
printf 'int main(void) { return 0; }\n' >"$scratch/empty.c"
if $cc -fsanitize=address -o "$scratch/empty" "$scratch/empty.c" 2>/dev/null; then
    ok "a program with AddressSanitizer runs" "$tool" run --loopback "$scratch/empty"
else
    skip "a program with AddressSanitizer runs" "this compiler has no AddressSanitizer"
fi

# Linked to the runtime, no hipshim: only names that have not changed.
cat >"$scratch/direct.c" <<'SOURCE'
#include <stdio.h>
#include <string.h>
int hipGetDeviceCount(int *count);
int hipMalloc(void **memory, size_t size);
int hipMemcpy(void *to, const void *from, size_t size, int kind);
int hipFree(void *memory);
int main(void)
{
    char out[5000], back[5000];
    void *memory = NULL;
    int count = -1;
    hipGetDeviceCount(&count);
    memset(out, 0x5a, sizeof out);
    memset(back, 0, sizeof back);
    int wrong = hipMalloc(&memory, sizeof out) || hipMemcpy(memory, out, sizeof out, 1) ||
                hipMemcpy(back, memory, sizeof out, 2) || memcmp(out, back, sizeof out) ||
                hipFree(memory);
    printf("%d GPUs, %s\n", count, wrong ? "no data" : "data came back");
    fflush(NULL);
    _Exit(0);
}
SOURCE
cat >"$scratch/hipshim.c" <<'SOURCE'
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    hipDeviceProp_t properties;
    int count = -1;
    hipGetDeviceCount(&count);
    hipError_t error = hipGetDeviceProperties(&properties, 0);
    printf("%d GPUs, %s\n", count, error ? hipGetErrorName(error) : properties.gcnArchName);
    fflush(NULL);
    _Exit(0);
}
SOURCE
# Without CFLAGS: a sanitizer's run time is not the trees'.
build_programs() {
    for library in "$places"/libamdhip64.so.[567]; do :; done
    "$cc" -o "$scratch/direct" "$scratch/direct.c" "$library" -Wl,--allow-shlib-undefined \
        -Wl,--disable-new-dtags -Wl,-rpath,"$places" &&
        "$cc" -I"$top/include/hipshim" -I"$top/bindings" -o "$scratch/through" "$scratch/hipshim.c" \
            -L"$build/.libs" -lhipshim -Wl,--allow-shlib-undefined
}
# The loader of the tree is the program that is run; its own list names the real libhsa, too.
lent() { # ARGUMENTS of hipshim run, up to the program's
    timeout 60 "$tool" run "$@" 2>&1
}

for release in $real_releases; do
    if ! [ -d "$real_runtimes/$release" ]; then
        skip "HIP $release: both kinds of program" "no real runtime of HIP $release"
        continue
    fi
    real_find "$release"
    places=$real_tree/usr/lib/x86_64-linux-gnu
    path=$build/.libs:$places:$real_tree/lib/x86_64-linux-gnu:$scratch/hide
    AMD_COMGR_CACHE=1 AMD_COMGR_CACHE_DIR=$scratch/comgr
    export AMD_COMGR_CACHE AMD_COMGR_CACHE_DIR
    ok "HIP $release: the programs are built" build_programs
    is "HIP $release: alone, no GPU" \
        "$("$real_loader" --library-path "$path" "$scratch/direct")" "0 GPUs, no data"
    is "HIP $release: linked to libamdhip64, by a DT_RPATH" \
        "$(lent --loopback=2 "$real_loader" --library-path "$path" "$scratch/direct")" \
        "2 GPUs, data came back"
    is "HIP $release: through libhipshim" \
        "$(lent --loopback=8 "$real_loader" --library-path "$path" "$scratch/through")" \
        "8 GPUs, gfx90a:sramecc+:xnack-"
    is "HIP $release: another processor" \
        "$(lent --loopback --isa=gfx1030 "$real_loader" --library-path "$path" "$scratch/through")" \
        "1 GPUs, gfx1030"
done
finish
