#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel cache answers the same question, and no other; where it is said.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/cache/common.sh"

# --- what is the same ---

work 1
is "the first call compiles" "$said" "$compiled"
work 1
is "the second is answered from the cache" "$said" "$cached"
is "and costs no compilation" "$(compilations)" 1
is "an entry is one file" "$(entries "$scratch/cache")" 1
is "in a directory for the architecture and release" \
    "$(cd "$scratch/cache" && ls -d gfx*)" gfx90a-6.4.43484
is "directories are the user's alone" \
    "$(stat -c %a "$scratch/cache" "$scratch/cache/gfx90a-6.4.43484" | sort -u)" 700
is "nothing is left beside it" "$(leftovers "$scratch/cache")" 0
work 1 1 1 1000 '#warning'
work 1 1 1 1000 '#warning'
is "the log comes from the cache too" "$said" "$cached"

differs() { # DESCRIPTION VARIABLE=VALUE...
    differs_text=$1
    shift
    said=$(env "$@" "$worker")
    is "$differs_text is another key" "$said" "$compiled"
    said=$(env "$@" "$worker")
    is "$differs_text is found again" "$said" "$cached"
}
differs "another architecture" WORKER_ARCH=gfx942
differs "a feature" WORKER_ARCH=gfx90a:xnack+
differs "an option" WORKER_OPTION=-O1
differs "another option" WORKER_OPTION=-O2
differs "a header" WORKER_HEADER='int x;'
differs "its text" WORKER_HEADER='int y;'
differs "what a variable adds to the options" HIPRTC_COMPILE_OPTIONS_APPEND=-DX
for variable in GPU_ENABLE_WAVE32_MODE=0 GPU_ENABLE_WGP_MODE=0 HIP_PATH=/nowhere ROCM_PATH=/nowhere; do
    differs "${variable%=*}, which hiprtc or comgr reads," "$variable"
done
work 1 1 1 1000 'another source'
is "another source is another key" "$said" "$compiled"
build_fake "$scratch/hip2/libamdhip64.so.6" -DFAKE_VERSION=60342133
differs "another release" HIPSHIM_LIBRARY="$scratch/hip2/libamdhip64.so.6"
build_fake "$scratch/hip3/libamdhip64.so.6" -DANOTHER -O1
differs "another compiler of the same release" HIPSHIM_LIBRARY="$scratch/hip3/libamdhip64.so.6"
cp "$scratch/hip3/libamdhip64.so.6" "$scratch/hip2/new"
mv "$scratch/hip2/new" "$scratch/hip/libamdhip64.so.6"
work 1
is "the compiler replaced in its place is found out: the other one's code is right now" "$said" "$cached"
build_fake "$scratch/hip/libamdhip64.so.6" -DFOURTH -O2
work 1
is "and so is one that nobody had" "$said" "$compiled"

# A process that goes by what is known of the compiler, which is then replaced
# before it is opened.
mkdir "$scratch/pair"
# shellcheck disable=SC2086 # CC may be several words
$cc -fPIC -shared -Wl,-soname,libamdhip64.so.6 -DFAKE_VERSION=60443484 \
    -o "$scratch/pair/libamdhip64.so.6" "$top/tests/loader/fake_runtime.c" || exit 99
build_fake "$scratch/pair/libhiprtc.so.6"
build_fake "$scratch/next/libhiprtc.so.6" -DNEXT -O1
forget
paired() { # KEYS VARIABLE=VALUE...
    paired_keys=$1
    shift
    env HIPSHIM_LIBRARY="$scratch/pair/libamdhip64.so.6" "$@" "$worker" "$paired_keys" 1 2>&1
}
is "hiprtc beside the runtime" "$(paired 1)" "$compiled"
# The worker writes to the first FIFO after its first key, and then reads from the second.
mkfifo "$scratch/reached" "$scratch/go"
paired 2 WORKER_PAUSE="$scratch/reached" WORKER_GO="$scratch/go" >"$scratch/paired" &
cat "$scratch/reached"
mv "$scratch/next/libhiprtc.so.6" "$scratch/pair/libhiprtc.so.6"
: >"$scratch/go"
wait
has "replaced in the middle: what was there is served, what comes is not kept" \
    "$(cat "$scratch/paired")" "compiled=1 cached=1 uncached=1 failed=0 wrong=0"
has "and this is said" "$(cat "$scratch/paired")" "the compiler changed during this compilation"
is "then all is compiled anew" "$(paired 2)" "compiled=2 cached=0 uncached=0 failed=0 wrong=0"
is "and kept" "$(paired 2)" "compiled=0 cached=2 uncached=0 failed=0 wrong=0"
build_fake "$scratch/pair/libhiprtc.so.6" -DLAST -O2
is "replaced between two runs: compiled anew" "$(paired 1)" "$compiled"
touch "$scratch/pair/libhiprtc.so.6"
is "only touched: the same compiler" "$(paired 1)" "$cached"

# --- files that are read ---

printf 'one\n' >"$scratch/read.h"
work 1 1 1 1000 '#include "read.h"'
has "a source that includes what is not given is not kept" "$said" "uncached=1"
has "and says so" "$said" "includes headers that are not among"
differs "a file that is said to be read" WORKER_FILE="$scratch/read.h"
printf 'two\n' >"$scratch/read.h"
differs "its content" WORKER_FILE="$scratch/read.h"
said=$(WORKER_OPTION=-I/somewhere "$worker")
has "an option with a directory is not kept" "$said" "its options may name files"
said=$(WORKER_HEADER='#define X' "$worker" 1 1 1 1000 '#include "given.h"')
is "a header that is given is no file" "$said" "$compiled"
reads=0 # one that is kept though it may read a file would be wrong one day
for text in '#include <x.h>' '# include  "x.h"' '#include NAME' '#/* */include "x.h"' '%:include "x.h"' \
    '#include_next "given.h"' '#if __has_include("x.h")' '#import "x.h"' '#  embed "x.bin"' \
    'asm(".incbin \"x\"");' '#include "hip/../x.h"' '#inc\
lude "x.h"' '#\ 
 include "x.h"' '/**/ # /**/ include "x.h"' '??=include "x.h"' '#incl??/
ude "x.h"'; do
    said=$(WORKER_HEADER=int "$worker" 1 1 1 1000 "$text" 2>&1)
    case $said in
    *uncached=1*) ;;
    *)
        reads=1
        tap_comment "kept: $text"
        ;;
    esac
done
is "16 ways to read a file are all seen" $reads 0
for text in '// include x.h' '/* include guard */' 'int include;' '#define X_include' 'x = include / 2;' '#pragma once'; do
    said=$(WORKER_HEADER=int "$worker" 1 1 1 1000 "$text" 2>&1)
    lacks "'$text' reads none" "$said" "uncached=1"
done
work 1 1 1 1000 '#include <hip/hip_runtime.h>'
is "HIP's own headers belong to the release" "$said" "$compiled"
work 1 1 1 1000 '#include <hip/hip_fp16.h>'
is "a header of HIP on the disk is compiled" "$said" "$compiled"
work 1 1 1 1000 '#include <hip/hip_fp16.h>'
is "and found again, by the state of the headers" "$said" "$cached"
work 1 1 1 1000 '#warning'
work 1 1 1 1000 '#warning'
is "what is kept without CPATH" "$said" "$cached"
said=$(CPATH=/somewhere "$worker" 1 1 1 1000 '#warning')
has "is not used with it" "$said" CPATH
has "but compiled" "$said" compiled=1
forget
work 1 1 1 1000 '#include "x.h"'
is "for a text that reads files the compiler is not identified first" "$(compilations)" 1

# --- where ---

said=$(HIPSHIM_CACHE=0 "$worker")
is "HIPSHIM_CACHE=0 neither looks nor complains" "$said" "$compiled"
forget
said=$(HIPSHIM_CACHE=0 "$worker")
ok "nor writes" test ! -e "$scratch/cache"
work 1
mv "$scratch/cache" "$scratch/shared"
HIPSHIM_CACHE_DIR=$scratch/cache:$scratch/absent:$scratch/shared
work 1
is "a shared cache answers" "$said" "$cached"
is "and is not copied" "$(entries "$scratch/cache")" 0
work 1 1 1 1000 'new'
is "what it lacks goes to the first" "$said$(entries "$scratch/cache")$(entries "$scratch/shared")" "${compiled}11"
chmod -R a-w "$scratch/shared"
work 1
is "one that is read-only answers too" "$said" "$cached"
chmod -R u+w "$scratch/shared"
HIPSHIM_CACHE_DIR=
said=$(XDG_CACHE_HOME=$scratch/xdg "$worker")
is "XDG_CACHE_HOME holds it" "$said$(entries "$scratch/xdg/hipshim")" "${compiled}1"
said=$(unset XDG_CACHE_HOME && HOME=$scratch/home "$worker")
is "or HOME" "$said$(entries "$scratch/home/.cache/hipshim")" "${compiled}1"
said=$(XDG_CACHE_HOME=relative HOME=$scratch/home "$worker")
is "a relative XDG_CACHE_HOME does not count" "$said" "$cached"
said=$(unset XDG_CACHE_HOME HOME && "$worker")
has "without HOME it compiles, and says so" "$said" \
    "compiled=1 cached=0 uncached=1 failed=0 wrong=0 not kept in the kernel cache: HOME, XDG_CACHE_HOME and HIPSHIM_CACHE_DIR name no directory"
said=$(HIPSHIM_CACHE_DIR=relative "$worker")
has "a relative HIPSHIM_CACHE_DIR is refused" "$said" "relative: it is not an absolute path"

# --- another HIP version than the runtime's ---

HIPSHIM_CACHE_DIR=$scratch/cache
forget
work 1
differs "HIPSHIM_HIP_VERSION" HIPSHIM_HIP_VERSION=6.3.42133
differs "a version without a patch" HIPSHIM_HIP_VERSION=7.0
said=$(HIPSHIM_HIP_VERSION=6.4.43484 "$worker")
is "the version of the runtime itself is the same key" "$said" "$cached"
said=$(WORKER_VERSION=6.3.42133 HIPSHIM_HIP_VERSION=7.2 "$worker")
is "the version of the options comes before the variable's" "$said" "$cached"
is "entries are in a directory for the version" "$(cd "$scratch/cache" && echo gfx*)" \
    "gfx90a-6.3.42133 gfx90a-6.4.43484 gfx90a-7.0.0"
for version in x 6 6. 6.x 6.4.1.2 6.100 100.0 6.4.100000 -6.4 " 6.4" 99999999999999999999.1; do
    said=$(HIPSHIM_HIP_VERSION=$version "$worker" 2>&1)
    has "\"$version\" is refused" "$said" \
        "failed=1 wrong=0 \"$version\" in HIPSHIM_HIP_VERSION is not a version of HIP, such as 6.4 or"
done
has "so is one in the options" "$(WORKER_VERSION=six "$worker" 2>&1)" "\"six\" in hip_version is not a version"
cp "$worker" "$scratch/privileged"
[ ! -f "$build/tests/kernel/.libs/worker" ] || cp "$build/tests/kernel/.libs/worker" "$scratch/privileged"
if [ "$(id -u)" -ne 0 ] || [ -n "$no_meddling" ] || ! chgrp nogroup "$scratch/privileged"; then
    skip "a process with raised privileges ignores the variable" "needs root, and no sanitizer"
else
    chmod g+s "$scratch/privileged"
    lacks "a process with raised privileges ignores the variable" \
        "$(HIPSHIM_HIP_VERSION=x "$scratch/privileged" 2>&1)" "HIPSHIM_HIP_VERSION"
fi

# --- one compilation a key ---

HIPSHIM_CACHE_DIR=$scratch/cache
forget
mkdir "$scratch/out"
FAKE_MS=300
export FAKE_MS
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    "$worker" 1 "$i" >"$scratch/out/$i" &
done
wait
is "16 processes at once compile once" "$(compilations)" 1
is "and 15 find it" "$(grep -c "^$cached\$" "$scratch/out"/* | grep -c ':1$')" 15
forget
work 1 1 16
is "16 threads compile once" "$said$(compilations)" "compiled=1 cached=15 uncached=0 failed=0 wrong=01"
FAKE_MS=5
forget
work 20 1 16
has "16 threads with 20 keys" "$said" "compiled=20 cached=300 uncached=0 failed=0 wrong=0"
is "no lock is left" "$(leftovers "$scratch/cache")" 0
said=$("$worker" 1 1 1 1000 '#error' 2>&1)
has "what does not compile is not kept" "$said" "failed=1"
said=$("$worker" 1 1 1 1000 '#error' 2>&1)
has "nor the next time" "$said" "failed=1"
finish
