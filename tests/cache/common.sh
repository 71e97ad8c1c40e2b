# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# For tests of the kernel cache, after tap.sh: a compiler that only pretends
# (kernel_fake.c), the worker that uses it, and a cache of the test's own.
#   work ARG...     runs the worker (kernel_worker.c); its line is in $said
#   compilations    how many there were since `forget`
#   forget          empties the cache, and the count
# shellcheck disable=SC2034,SC2154 # for the tests; of tap.sh

unset HIPSHIM_CACHE HIPSHIM_CACHE_SIZE HIPSHIM_ARCH HIPSHIM_HIP_VERSION HIP_PATH ROCM_PATH ROCM_HOME LD_PRELOAD
unset WORKER_ARCH WORKER_OPTION WORKER_HEADER WORKER_FILE CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH
worker=$build/tests/kernel/worker
tool=$build/hipshim
cc=${CC:-cc}
[ -x "$worker" ] || skip_all "$worker was not built"

# No sanitizers: those of the program would have to come first.
# shellcheck disable=SC2086 # CC may be several words
build_fake() { # FILE FLAG...
    fake_file=$1
    shift
    mkdir -p "$(dirname "$fake_file")"
    $cc -std=gnu11 -D_GNU_SOURCE -fPIC -shared -Wl,-soname,"${fake_file##*/}" -Wl,--build-id=sha1 \
        "$@" -o "$fake_file" "$top/tests/kernel/fake.c" || exit 99
}

build_fake "$scratch/hip/libamdhip64.so.6"
HIPSHIM_LIBRARY=$scratch/hip/libamdhip64.so.6
FAKE_COMPILES=$scratch/compiles
HIPSHIM_CACHE_DIR=$scratch/cache
export HIPSHIM_LIBRARY FAKE_COMPILES HIPSHIM_CACHE_DIR

# For tests that link a program of their own with the library.
with_library() {
    [ -f "$build/.libs/libhipshim.so" ] || skip_all "no shared library was built"
    nm "$build/.libs/libhipshim.so" | grep -q '__[at]san_init' &&
        skip_all "its run time would have to come first in the program built here"
    HIPSHIM_CACHE=0
    LD_LIBRARY_PATH=$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export HIPSHIM_CACHE LD_LIBRARY_PATH
}

work() {
    said=$("$worker" "$@" 2>&1)
}

compilations() {
    if [ -f "$FAKE_COMPILES" ]; then
        wc -c <"$FAKE_COMPILES" | tr -d ' '
    else
        echo 0
    fi
}

forget() {
    rm -rf "$scratch/cache" "$FAKE_COMPILES"
}

entries() { # DIRECTORY: of kernels
    find "$1" -path '*/gfx*' -name '*.kernel' 2>/dev/null | wc -l | tr -d ' '
}

leftovers() { # DIRECTORY
    find "$1" -name '*.lock' -o -name '.tmp-*' | wc -l | tr -d ' '
}

compiled="compiled=1 cached=0 uncached=0 failed=0 wrong=0"
cached="compiled=0 cached=1 uncached=0 failed=0 wrong=0"

# A worker with cache_meddle.c in it: `meddled VARIABLE=VALUE... -- ARG...` as `work`.
# no_meddling says why that cannot be had here; "" if it can.
no_meddling=
if nm -D "$build/.libs/libhipshim.so" 2>/dev/null | grep -q '__asan_\|__tsan_'; then
    no_meddling="a sanitizer's library has to come first"
fi
meddle_build() {
    # shellcheck disable=SC2086 # CC may be several words
    [ -n "$no_meddling" ] || $cc -std=gnu11 -D_GNU_SOURCE -fPIC -shared -o "$scratch/meddle.so" \
        "$top/tests/cache/meddle.c" -ldl || exit 99
}
meddled() {
    meddled_settings=
    while [ "$1" != -- ]; do
        meddled_settings="$meddled_settings $1"
        shift
    done
    shift
    meddled_worker=$build/tests/kernel/.libs/worker
    [ -x "$meddled_worker" ] || meddled_worker=$worker
    # shellcheck disable=SC2086 # words without spaces
    said=$(env LD_LIBRARY_PATH="$build/.libs" LD_PRELOAD="$scratch/meddle.so" $meddled_settings \
        "$meddled_worker" "$@" 2>&1)
}
