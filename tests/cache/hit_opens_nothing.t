#!/bin/sh
# SPDX-License-Identifier: MIT
# A hit in the kernel cache opens no runtime, as long as it is certain which one
# would be opened; where it is not, the answer is that of opening it.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/cache/common.sh"

unset HIPSHIM_ALLOW_UNKNOWN CONDA_PREFIX LD_LIBRARY_PATH LD_AUDIT GLIBC_TUNABLES
WORKER_TELL=1
export WORKER_TELL
hit="$cached unopened, then 60443484"
slow_hit="$cached opened, then 60443484"
miss="$compiled opened, then 60443484"

run() { # VARIABLE=VALUE...
    said=$(env "$@" "$worker" 2>&1)
}

# Compiles, and then hits without a runtime: what the tests below then disturb.
# Again if need be: files of the very moment of the search are not trusted.
begin() { # VARIABLE=VALUE...
    for begin_again in 1 2 3 4 5 6 7 8 9 10; do
        forget
        run "$@"
        begun=$said
        run "$@"
        [ "$begun,$said" = "$miss,$hit" ] && return
        sleep 0.05
    done
    tap_result no "begun $begin_again times: $begun, then $said"
}

memo() { # the file that says which runtime
    grep -l 'the runtime' "$scratch"/cache/compilers/*.kernel
}

# A library that runtimes need, beside them or elsewhere.
build_needed() { # FILE FLAG...
    needed_file=$1
    shift
    mkdir -p "$(dirname "$needed_file")"
    # shellcheck disable=SC2086 # CC may be several words
    $cc -std=gnu11 -fPIC -shared -Wl,-soname,"${needed_file##*/}" -Wl,--build-id=sha1 "$@" \
        -o "$needed_file" "$scratch/needed.c" || exit 99
}
cat >"$scratch/needed.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
int hipshim_test_needed = 1;
__attribute__((constructor)) static void touch(void)
{
    const char *path = getenv("NEEDED_TOUCH");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) fclose(file);
}
END

# --- a hit ---

sleep 0.1
run HIPSHIM_CACHE_DIR="$scratch/cache"
is "the first call opens the runtime and compiles" "$said" "$miss"
run HIPSHIM_CACHE_DIR="$scratch/cache"
is "a hit opens none; what comes later opens it as ever" "$said" "$hit"
is "it costs no compilation" "$(compilations)" 1
said=$("$worker" 1 1 1 1000 'another')
is "a miss opens it" "$said" "$miss"
run "HIPSHIM_CACHE=0"
is "so does a process without a cache" "$said" "$miss"
said=$(unset LC_ALL && HIPSHIM_ARCH=gfx90a "$worker" 5 1 4)
has "several threads" "$said" "failed=0 wrong=0"
said=$("$worker" 5 2 4)
is "hit together" "$said" "compiled=0 cached=20 uncached=0 failed=0 wrong=0 unopened, then 60443484"
begin HIPSHIM_TRACE=0
said=$(HIPSHIM_TRACE=1 "$worker" 2>&1 | grep -c 'HIPSHIM_LIBRARY: .*: used')
is "the search is recorded once, when it takes place" "$said" 1
chmod -R a-w "$scratch/cache"
run HIPSHIM_CACHE_DIR="$scratch/cache"
is "a cache that is only read serves, too" "$said" "$hit"
chmod -R u+w "$scratch/cache"

forget
HIPSHIM_CACHE_SIZE=11K "$worker" 1 1 1 10000 >/dev/null
sleep 0.1
said=
for again in 1 2 3; do
    said="$said$again $(HIPSHIM_CACHE_SIZE=11K "$worker" 1 1 1 10000), "
done
is "no kernel is removed to remember the runtime" "$said" "1 $slow_hit, 2 $slow_hit, 3 $slow_hit, "

# --- another runtime ---

begin HIPSHIM_CACHE_DIR="$scratch/cache"
build_fake "$scratch/new/libamdhip64.so.6" -DANOTHER -O1
mv "$scratch/hip/libamdhip64.so.6" "$scratch/old"
mv "$scratch/new/libamdhip64.so.6" "$scratch/hip"
run HIPSHIM_CACHE_DIR="$scratch/cache"
is "the runtime replaced" "$said" "$miss"
begin HIPSHIM_CACHE_DIR="$scratch/cache"
cat "$scratch/old" >"$scratch/hip/libamdhip64.so.6"
run HIPSHIM_CACHE_DIR="$scratch/cache"
is "the runtime written over" "$said" "$miss"
begin HIPSHIM_CACHE_DIR="$scratch/cache"
build_fake "$scratch/other/libamdhip64.so.6" -DFAKE_VERSION=60342133
sleep 0.1
run HIPSHIM_LIBRARY="$scratch/other/libamdhip64.so.6"
is "HIPSHIM_LIBRARY names another" "$said" "$compiled opened, then 60342133"
run HIPSHIM_LIBRARY="$scratch/other/libamdhip64.so.6"
is "which is remembered as well" "$said" "$cached unopened, then 60342133"
run HIPSHIM_CACHE_DIR="$scratch/cache"
is "and is another one's affair" "$said" "$hit"
forget
WORKER_TELL='' HIPSHIM_LIBRARY=$scratch/other/libamdhip64.so.6 "$worker" 2 >/dev/null
said=$(HIPSHIM_LIBRARY=$scratch/other/libamdhip64.so.6 "$worker" 2)
is "two of the other one's" "$said" \
    "compiled=0 cached=2 uncached=0 failed=0 wrong=0 unopened, then 60342133"
said=$(WORKER_LIBRARY=$scratch/other/libamdhip64.so.6 "$worker" 2)
is "are not served where the first one is open, whatever the variable says now" "$said" \
    "compiled=2 cached=0 uncached=0 failed=0 wrong=0 opened, then 60443484"
begin HIPSHIM_CACHE_DIR="$scratch/cache"
run LD_AUDIT=/nonexistent/audit.so
case $said in
*"cannot allocate memory in static TLS"*) skip "LD_AUDIT" "a sanitizer's library is in the way" ;;
*) has "nothing is certain with LD_AUDIT" "$said" " opened, then" ;;
esac
mv "$scratch/hip" "$scratch/away"
run HIPSHIM_CACHE_DIR="$scratch/cache"
has "no runtime: no hit, but the reason" "$said" "HIPSHIM_LIBRARY names no usable HIP runtime"
mv "$scratch/away" "$scratch/hip"
begin HIPSHIM_CACHE_DIR="$scratch/cache"
printf 'no library\n' >"$scratch/hip/libamdhip64.so.6"
run HIPSHIM_CACHE_DIR="$scratch/cache"
has "a runtime that is none" "$said" "it is a text file, not a shared library"
cp "$scratch/old" "$scratch/hip/libamdhip64.so.6"

# --- found by the search ---

unset HIPSHIM_LIBRARY
mkdir -p "$scratch/rocm/lib64" "$scratch/hip_path/lib"
cp "$scratch/old" "$scratch/rocm/lib64/libamdhip64.so.6"
begin ROCM_PATH="$scratch/rocm"
cp "$scratch/other/libamdhip64.so.6" "$scratch/hip_path/lib/libamdhip64.so.6"
run ROCM_PATH="$scratch/rocm" HIP_PATH="$scratch/hip_path"
is "a variable that comes first" "$said" "$compiled opened, then 60342133"
run ROCM_PATH="$scratch/rocm"
is "without it the one before" "$said" "$hit"
mkdir "$scratch/rocm/lib"
run ROCM_PATH="$scratch/rocm"
is "a directory before it with nothing in it" "$said" "$hit"
cp "$scratch/other/libamdhip64.so.6" "$scratch/rocm/lib/libamdhip64.so.6"
run ROCM_PATH="$scratch/rocm"
is "with a runtime in it" "$said" "$cached opened, then 60342133"
rm -r "$scratch/rocm/lib"
begin ROCM_PATH="$scratch/rocm"
cp "$scratch/other/libamdhip64.so.6" "$scratch/rocm/lib64/libamdhip64.so.7"
run ROCM_PATH="$scratch/rocm"
is "a newer name beside it" "$said" "$compiled opened, then 60342133"
rm "$scratch/rocm/lib64/libamdhip64.so.7"

begin ROCM_PATH="$scratch/rocm"
run ROCM_PATH="$scratch/rocm" WORKER_FIRST="$scratch/other/libamdhip64.so.6"
is "a runtime that is mapped already comes first" "$said" "$compiled opened, then 60342133"
run ROCM_PATH="$scratch/rocm" WORKER_FIRST="$scratch/other/libamdhip64.so.6"
is "and is there already" "$said" "$cached opened, then 60342133"

build_fake "$scratch/unknown/libamdhip64.so.6" -DFAKE_VERSION=90000000
build_fake "$scratch/unknown/libhiprtc.so.9"
sleep 0.1
run ROCM_PATH="$scratch/unknown" HIPSHIM_LIBRARY="$scratch/unknown" HIPSHIM_ALLOW_UNKNOWN=1
is "an unknown release, allowed" "$said" "$compiled opened, then 90000000"
run ROCM_PATH="$scratch/unknown" HIPSHIM_LIBRARY="$scratch/unknown" HIPSHIM_ALLOW_UNKNOWN=1
is "is remembered" "$said" "$cached unopened, then 90000000"
run ROCM_PATH="$scratch/unknown" HIPSHIM_LIBRARY="$scratch/unknown"
has "and not when it is not allowed" "$said" "failed=1"

# --- by the dynamic linker ---

mkdir "$scratch/first" "$scratch/second"
cp "$scratch/old" "$scratch/second/libamdhip64.so.6"
path=$scratch/first:$scratch/second
linker_chooses() {
    begin LD_LIBRARY_PATH="$path"
    is "the dynamic linker's choice is remembered" "$said" "$hit"
    cp "$scratch/other/libamdhip64.so.6" "$scratch/first"
    run LD_LIBRARY_PATH="$path"
    is "but not when another comes first" "$said" "$compiled opened, then 60342133"
    rm "$scratch/first/libamdhip64.so.6"
    begin LD_LIBRARY_PATH="$path"
    cp "$scratch/other/libamdhip64.so.6" "$scratch/second/libamdhip64.so.7"
    run LD_LIBRARY_PATH="$path"
    is "nor when a newer one appears" "$said" "$compiled opened, then 60342133"
    rm "$scratch/second/libamdhip64.so.7"
    begin LD_LIBRARY_PATH="$path"
    run LD_LIBRARY_PATH="$scratch/other:$path"
    is "nor with another path" "$said" "$compiled opened, then 60342133"
    mkdir "$scratch/first/glibc-hwcaps"
    for level in x86-64-v2 x86-64-v3 x86-64-v4; do mkdir "$scratch/first/glibc-hwcaps/$level"; done
    begin LD_LIBRARY_PATH="$path"
    cp "$scratch/other/libamdhip64.so.6" "$scratch/first/glibc-hwcaps/x86-64-v2"
    run LD_LIBRARY_PATH="$path"
    has "nor with one in a directory for the processor" "$said" " opened, then"
    rm -r "$scratch/first/glibc-hwcaps"
    begin LD_LIBRARY_PATH="$path"
    LD_LIBRARY_PATH=first:$scratch/second
    export LD_LIBRARY_PATH
    said=$(cd "$scratch" && "$worker" && "$worker")
    unset LD_LIBRARY_PATH
    lacks "nor with a relative path" "$said" unopened
    run LD_LIBRARY_PATH="$build/dropin:$path"
    run LD_LIBRARY_PATH="$build/dropin:$path"
    is "nor where a drop-in stands before it" "$said" "$slow_hit"
}
if PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null | grep -q 'libamdhip64\.so\.[7-9]'; then
    skip "the dynamic linker's choice is remembered" "it knows a HIP of its own here, newer than the test's"
else
    linker_chooses
fi

# --- what a runtime needs ---

build_needed "$scratch/needs/libneeded.so.1"
cp "$scratch/needs/libneeded.so.1" "$scratch/needs/libamd_comgr.so.2"
build_needed "$scratch/needs/libamd_comgr.so.2"
build_fake "$scratch/needs/libamdhip64.so.6" -Wl,--no-as-needed "$scratch/needs/libneeded.so.1" \
    "$scratch/needs/libamd_comgr.so.2"
needs=$scratch/first:$scratch/needs
HIPSHIM_LIBRARY=$scratch/needs/libamdhip64.so.6
export HIPSHIM_LIBRARY
begin LD_LIBRARY_PATH="$needs"
is "a runtime with libraries" "$said" "$hit"
mv "$scratch/needs/libneeded.so.1" "$scratch"
run LD_LIBRARY_PATH="$needs"
has "that lacks one" "$said" "libneeded.so.1: cannot open shared object file"
mv "$scratch/libneeded.so.1" "$scratch/needs"
begin LD_LIBRARY_PATH="$needs"
cp "$scratch/needs/libneeded.so.1" "$scratch/kept"
printf 'x' >"$scratch/needs/libneeded.so.1"
run LD_LIBRARY_PATH="$needs"
has "whose library is damaged" "$said" "failed=1"
cat "$scratch/kept" >"$scratch/needs/libneeded.so.1"
begin LD_LIBRARY_PATH="$needs"
cp "$scratch/kept" "$scratch/first/libneeded.so.1"
run LD_LIBRARY_PATH="$needs"
is "whose library is found elsewhere" "$said" "$slow_hit"
rm "$scratch/first/libneeded.so.1"
mkdir -p "$scratch/origin/one" "$scratch/origin/two"
cp "$scratch/kept" "$scratch/origin/two/libneeded.so.1"
# shellcheck disable=SC2016 # for the dynamic linker
build_fake "$scratch/origin/libamdhip64.so.6" -Wl,--no-as-needed "$scratch/kept" \
    -Wl,--enable-new-dtags '-Wl,-rpath,$ORIGIN/one:${ORIGIN}/two'
begin HIPSHIM_LIBRARY="$scratch/origin/libamdhip64.so.6"
cp "$scratch/kept" "$scratch/origin/one/libneeded.so.1"
run HIPSHIM_LIBRARY="$scratch/origin/libamdhip64.so.6"
is "or in another directory that the runtime names" "$said" "$slow_hit"
begin LD_LIBRARY_PATH="$needs"
build_needed "$scratch/new/libamd_comgr.so.2" -DANOTHER -O1
cat "$scratch/new/libamd_comgr.so.2" >"$scratch/needs/libamd_comgr.so.2"
run LD_LIBRARY_PATH="$needs"
is "another compiler" "$said" "$miss"
begin LD_LIBRARY_PATH="$needs"
run LD_LIBRARY_PATH="$needs" WORKER_FIRST="$HIPSHIM_LIBRARY"
is "with the runtime open it is a hit as well" "$said" "$slow_hit"
build_needed "$scratch/first/libamd_comgr.so.2"
run LD_LIBRARY_PATH="$needs" WORKER_FIRST="$HIPSHIM_LIBRARY"
has "another compiler in another directory, the runtime being open" "$said" "compiled=1"
rm "$scratch/first/libamd_comgr.so.2"
begin LD_LIBRARY_PATH="$needs"
run LD_LIBRARY_PATH="$needs" LD_PRELOAD="$scratch/new/libamd_comgr.so.2" \
    ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0"
has "another compiler that is mapped already" "$said" " opened, then"
run LD_LIBRARY_PATH="$needs" WORKER_FIRST="$scratch/new/libamd_comgr.so.2"
has "or was opened by the program" "$said" " opened, then"
forget
run LD_LIBRARY_PATH="$needs" NEEDED_TOUCH="$scratch/first/touched"
sleep 0.1
run LD_LIBRARY_PATH="$needs"
is "a directory that changes while the runtime is opened: not remembered" "$said" "$slow_hit"
run LD_LIBRARY_PATH="$needs"
is "but the next time" "$said" "$hit"
unset HIPSHIM_LIBRARY
build_fake "$scratch/broken/lib/libamdhip64.so.7" -Wl,--no-as-needed "$scratch/needs/libneeded.so.1"
cp "$scratch/old" "$scratch/broken/lib/libamdhip64.so.6"
sleep 0.1
forget
run ROCM_PATH="$scratch/broken"
run ROCM_PATH="$scratch/broken"
is "a runtime in front that may work one day: not remembered" "$said" "$slow_hit"

# --- a memo that is not what was written ---

HIPSHIM_LIBRARY=$scratch/hip/libamdhip64.so.6
export HIPSHIM_LIBRARY
begin HIPSHIM_CACHE_DIR="$scratch/cache"
file=$(memo)
cp "$file" "$scratch/memo"
for at in 10 60 100 200 300; do
    cp "$scratch/memo" "$file"
    printf '\377' | dd of="$file" bs=1 seek=$at conv=notrunc 2>/dev/null
    run HIPSHIM_CACHE_DIR="$scratch/cache"
    is "byte $at of it changed" "$said" "$slow_hit"
    run HIPSHIM_CACHE_DIR="$scratch/cache"
    is "and it is written anew" "$said" "$hit"
done
for size in 0 1 100 160 300; do
    head -c $size "$scratch/memo" >"$file"
    run HIPSHIM_CACHE_DIR="$scratch/cache"
    is "cut to $size bytes" "$said" "$slow_hit"
done
cp "$scratch/memo" "$file"
chmod g+w "$file"
run HIPSHIM_CACHE_DIR="$scratch/cache"
is "others may write to it" "$said" "$slow_hit"
mv "$file" "$scratch/linked"
ln -s "$scratch/linked" "$file"
run HIPSHIM_CACHE_DIR="$scratch/cache"
is "a link to it" "$said" "$slow_hit"
for other in "$scratch"/cache/compilers/*.kernel; do
    [ "$other" = "$file" ] || cp "$other" "$file"
done
run HIPSHIM_CACHE_DIR="$scratch/cache"
is "another memo by its name" "$said" "$slow_hit"
plan "$tap_count"
