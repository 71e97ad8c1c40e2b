#!/bin/sh
# SPDX-License-Identifier: MIT
# libhipshim-roctx serves a program over Debian's three real libraries, and over those of other sonames.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=siblings.sh
. "$top/tests/apis/siblings.sh"

library=$build/.libs/libhipshim-roctx.so
[ -e "$library" ] || skip_all "there is no $library (configure --disable-shared?)"
LD_LIBRARY_PATH=$build/.libs
export LD_LIBRARY_PATH
cc=${CC:-cc}

# shellcheck disable=SC2086 # CC may be several words
compile() { $cc -Wall -Wextra -Werror -pthread "$@"; }
ok "a program compiles with roctx's own header name" compile -std=c99 -D_POSIX_C_SOURCE=200112L \
    -I"$top/bindings/roctx/include" "$top/tests/apis/roctx.c" -L"$build/.libs" -lhipshim-roctx -o "$scratch/program"

real='version 4.1
pushed 0 1, in a thread 0
popped 1 0
ranges 1 2
popped -1'
for release in 5.7 6.4 7.2; do
    tree=$(sibling_libraries "$release")
    title="the library of ROCm $release answers as it does without hipshim"
    if [ -e "$tree/libroctx64.so.4" ]; then
        mkdir -p "$scratch/$release"
        cp -L "$tree/libroctx64.so.4" "$scratch/$release"
        is "$title" "$(HIPSHIM_ROCTX_LIBRARY=$scratch/$release "$scratch/program" pop 2>&1)" "$real"
    else
        skip "$title" "no libroctx64.so.4 in $tree (tests/lib/fetch-runtimes gets it)"
    fi
done

# fake SONAME: the functions that each release has.
source=$top/tests/apis/libroctx64.c
fake() {
    mkdir -p "$scratch/$1"
    compile -DMAJOR=1 -DMINOR=0 -fPIC -shared "-Wl,-soname,$1" "$source" -o "$scratch/$1/$1"
}
ok "libraries of other sonames compile" eval 'fake libroctx64.so.1 && fake libroctx64.so.9'
is "libroctx64.so.1, of ROCm 5.0 to 5.2, is served" "$(HIPSHIM_ROCTX_LIBRARY=$scratch/libroctx64.so.1 "$scratch/program" 2>&1)" \
    'version 1.0
pushed 111 105, in a thread 105
popped 7 7
ranges 112150186033152 126443837194240'

none='version 0.0
pushed -1 -1, in a thread -1
popped -1 -1
ranges 0 0'
is "a program goes on without a library" "$("$scratch/program" 2>&1)" "$none"
is "a library of an unknown soname is not used" \
    "$(HIPSHIM_ROCTX_LIBRARY=$scratch/libroctx64.so.9/libroctx64.so.9 "$scratch/program" 2>&1)" "$none"
is "a file that is no library is not used" "$(HIPSHIM_ROCTX_LIBRARY=$source "$scratch/program" 2>&1)" "$none"
is "HIPSHIM_LIBRARY is the variable of HIP, beside which nothing is" \
    "$(HIPSHIM_LIBRARY=$source "$scratch/program" 2>&1)" "$none"

# Profilers preload a library with the marks of roctx and without its version, to see them.
collector=$scratch/librocprofiler-sdk-roctx.so.1
ok "a profiler's library compiles" compile -fPIC -shared -Wl,-soname,librocprofiler-sdk-roctx.so.1 \
    "$source" -o "$collector"
collected='version 0.0
pushed 111 105, in a thread 105
popped 7 7
ranges 112150186033152 126443837194240'
is "a profiler's library that is preloaded gets the calls" \
    "$(LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$scratch/libroctx64.so.1 LD_PRELOAD=$collector "$scratch/program" 2>&1)" "$collected"
both="$collector $scratch/libroctx64.so.1/libroctx64.so.1"
is "it gets them also where a module brought libroctx64" "$(LD_PRELOAD=$both "$scratch/program" 2>&1)" "$collected"
is "HIPSHIM_ROCTX_LIBRARY may name a profiler's library" \
    "$(HIPSHIM_ROCTX_LIBRARY=$collector "$scratch/program" 2>&1)" "$collected"
pinned=$(HIPSHIM_TRACE=1 HIPSHIM_ROCTX_LIBRARY=$scratch/libroctx64.so.1 "$scratch/program" 2>&1)
has "the search log names the release whose functions the library has" "$pinned" \
    "used: its functions are those of roctx 5.0.0 (from HIPSHIM_ROCTX_LIBRARY)"
note=$(readelf -p .note.dlopen "$library" 2>&1)
has "packagers see that it opens libroctx64" "$note" '"soname":["libroctx64.so.4","libroctx64.so.1"]'
lacks "packagers see no library of HIP" "$note" libamdhip64
is "nothing but the functions of roctx is exported" \
    "$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | grep -v '^hipshim_roct.*@@HIPSHIM_ROCTX_0$')" ""
finish
