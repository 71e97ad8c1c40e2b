#!/bin/sh
# SPDX-License-Identifier: MIT
# A result is kept only if everything that it depends on is in its key: the texts, the options, the
# variables, the headers of HIP, and the libraries of the compiler.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/cache/common.sh"

# Each line of standard input is a text; \n in it is a line end.  All of them, or none, are kept.
all_are() { # DESCRIPTION kept|refused VARIABLE
    all_wrong=
    while read -r line; do
        line=$(printf '%b' "$line")
        if [ "$3" = TEXT ]; then
            said=$("$worker" 1 1 1 1000 "$line" 2>&1)
        else
            said=$(env "$3=$line" "$worker" 2>&1)
        fi
        case $2/$said in
        kept/*uncached=0*failed=0* | refused/*uncached=1*failed=0*) ;;
        *) all_wrong="$all_wrong{$line}" ;;
        esac
    done
    is "$1" "$all_wrong" ""
}

# --- the time ---

all_are "a source with the date or time is not kept" refused TEXT <<'END'
const char *d = __DATE__;
const char *t = __TIME__;
const char *s = __TIMESTAMP__;
#define NOW __DATE__ " " __TIME__
#define JOIN(a, b) a##b\nconst char *d = JOIN(__DA, TE__);
#define JOIN(a, b) a %:%: b\nconst char *d = JOIN(__TIME, STAMP__);
#define J(a) __##a##__\nconst char *d = J(TIME);
__DA\\\nTE__
END
has "and the reason is said" "$("$worker" 1 1 1 1000 __TIME__)" "its source has __DATE__, __TIME__"
said=$(WORKER_HEADER='#define NOW __TIME__' "$worker" 1 1 1 1000 '#include "given.h"')
has "nor with the time in a header" "$said" "uncached=1"
said=$(WORKER_OPTION=-DNOW=__TIME__ "$worker")
has "nor with the time in an option" "$said" "uncached=1"
said=$(WORKER_FILE=/dev/null "$worker" 1 1 1 1000 __DATE__)
has "nor if the files are listed" "$said" "uncached=1"
all_are "words that only look like these are kept" kept TEXT <<'END'
// __DATE__
const char *d = "__DATE__";
int DATE, __DATE, date__;
int __, TIME; // no operator joins them
#define J(a, b) a##b\nint DATE, TIME;
END

# --- assembly ---

all_are "assembly that may read a file is not kept" refused TEXT <<'END'
asm(".incbin \\"x\\"");
asm volatile(".include \\"x\\"");
__asm__ ("s_nop 0\\n.INCBIN \\"x\\"");
asm("." "incbin \\"x\\"");
asm("\\x2eincbin \\"x\\"");
asm("\\056incbin \\"x\\"");
asm(R"(.incbin "x")");
#define S(x) #x\nasm(S(. incbin x));
asm(TEXT);
#define K as##m\nK(".incbin 1");
asm((Text()));
END
all_are "other assembly is kept" kept TEXT <<'END'
asm volatile("s_nop 0");
__asm__ __volatile__("v_mul_f32 %0, 0.5, %1\\n" : "=v"(a) : "v"(b));
float a asm("v0");
const char *f = ".incbin";
END

# --- options ---

all_are "an option that may name a file is not kept" refused WORKER_OPTION <<'END'
-I/somewhere
-include
-working-directory=/somewhere
-gcc-toolchain
-fprofile-use=x
-fprofile-use
-fplugin=x
-fxray-always-instrument=x
-fthinlto-index=x
-fuse-ld=x
-fmodules
-fapinotes
-Wl,-T,x
-Wa,-Ix
-mllvm
-mlink-bitcode-file
-Xclang
@file
-x
x
END
all_are "an option that names none is kept" kept WORKER_OPTION <<'END'
-O3
-Ofast
-g
-gline-tables-only
-std=c++17
-ffast-math
-fno-gpu-rdc
-ffp-contract=fast
-mcumode
-mno-wavefrontsize64
-mcode-object-version=5
-Wall
-Werror=return-type
-w
-DVALUE=1
-DPATH="/a/b"
-fgpu-default-stream=per-thread
--gpu-max-threads-per-block=256
END
said=$(WORKER_OPTION=-mllvm "$worker")
has "-mllvm without a switch is not kept" "$said" "uncached=1"
for variable in HIPRTC_COMPILE_OPTIONS_APPEND HIPRTC_LINK_OPTIONS_APPEND AMD_OCL_BUILD_OPTIONS_APPEND; do
    all_are "$variable with such an option is not kept" refused $variable <<'END'
-include /somewhere/x.h
-I/somewhere
-DX -I /somewhere
-DX='1 -include x.h'
-DNOW=__TIME__
-O3\t-include\tx.h
END
    all_are "$variable with other options is kept" kept $variable <<'END'
-O1 -DX=1
-ffast-math  -g
END
done
said=$(HIPRTC_COMPILE_OPTIONS_APPEND=-Ix WORKER_FILE=/dev/null "$worker")
has "nor if the files are listed: the caller does not know the variable" "$said" "uncached=1"

# --- headers of HIP and device libraries ---

# A text that reads_again compiles twice, before and after a change of files.
reads_again() { # DESCRIPTION TEXT VARIABLE=VALUE CHANGE...
    again_text=$1
    again_source=$2
    again_setting=$3
    shift 3
    env "$again_setting" "$worker" 1 1 1 1000 "$again_source" >/dev/null 2>&1
    said=$(env "$again_setting" "$worker" 1 1 1 1000 "$again_source" 2>&1)
    is "$again_text is kept" "$said" "$cached"
    "$@"
    said=$(env "$again_setting" "$worker" 1 1 1 1000 "$again_source" 2>&1)
    is "$again_text: a change there is noticed" "$said" "$compiled"
}
edit() { # FILE; in place, so that its directory does not change
    echo "// $(wc -c <"$1")" >>"$1"
}
rocm=$scratch/rocm
mkdir -p "$rocm/include/hip/detail" "$rocm/bitcode" "$scratch/prefix/lib" "$scratch/prefix/include/hip"
touch "$rocm/include/hip/mine.h" "$rocm/include/hip/detail/more.h" "$rocm/bitcode/ocml.bc"
touch "$scratch/prefix/include/hip/mine.h"
mine='#include <hip/mine.h>'
reads_again "a header below HIP_PATH" "$mine" HIP_PATH="$rocm" edit "$rocm/include/hip/mine.h"
reads_again "a header below ROCM_PATH" "$mine" ROCM_PATH="$rocm" edit "$rocm/include/hip/mine.h"
reads_again "a header that this includes" "$mine" ROCM_PATH="$rocm" edit "$rocm/include/hip/detail/more.h"
cp "$HIPSHIM_LIBRARY" "$scratch/prefix/lib/"
reads_again "a header in the runtime's prefix" "$mine" \
    HIPSHIM_LIBRARY="$scratch/prefix/lib/libamdhip64.so.6" edit "$scratch/prefix/include/hip/mine.h"
for variable in DEVICE_LIB_PATH HIP_DEVICE_LIB_PATH; do
    reads_again "$variable" int "$variable=$rocm/bitcode" edit "$rocm/bitcode/ocml.bc"
done
HIP_PATH=$rocm "$worker" 1 1 1 1000 '#include <hip/hip_runtime.h>' >/dev/null
edit "$rocm/include/hip/mine.h"
said=$(HIP_PATH=$rocm "$worker" 1 1 1 1000 '#include <hip/hip_runtime.h>')
is "hip/hip_runtime.h is built in, so the files do not matter" "$said" "$cached"

# --- libraries of the compiler that appear where none was ---

home=$scratch/home
mkdir -p "$home" "$scratch/pin" "$home/first" "$home/second" "$scratch/path"
# shellcheck disable=SC2086 # CC may be several words
$cc -fPIC -shared -Wl,-soname,libamdhip64.so.6 -DFAKE_VERSION=60443484 \
    -o "$home/libamdhip64.so.6" "$top/tests/loader/fake_runtime.c" || exit 99
build_comgr() { # FILE [NAME]
    # shellcheck disable=SC2086 # CC may be several words
    echo "int ${2:-comgr};" | $cc -xc -fPIC -shared -Wl,--build-id=sha1 -Wl,-soname,libamd_comgr.so.3 -o "$1" - || exit 99
}
build_comgr "$home/second/libamd_comgr.so.3"
# shellcheck disable=SC2016 # the linker's variable
build_fake "$home/libhiprtc.so.6" -Wl,-rpath,'$ORIGIN/first:$ORIGIN/second' -Wl,--no-as-needed \
    -L"$home/second" -l:libamd_comgr.so.3
ln -s "$home/libamdhip64.so.6" "$scratch/pin/"
pin=HIPSHIM_LIBRARY=$scratch/pin/libamdhip64.so.6
reads_again "hiprtc beside the file that a link leads to" int "$pin" \
    build_fake "$scratch/pin/libhiprtc.so.6" -DOTHER -O2
rm "$scratch/pin/libhiprtc.so.6"
reads_again "comgr in the second directory of a run path" int "$pin" \
    build_comgr "$home/first/libamd_comgr.so.3" first
rm "$home/first/libamd_comgr.so.3"
LD_LIBRARY_PATH=$scratch/path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
reads_again "comgr behind the directories of LD_LIBRARY_PATH" int "$pin" \
    build_comgr "$scratch/path/libamd_comgr.so.3" path
finish
