#!/bin/sh
# SPDX-License-Identifier: MIT
# hipshim_module_get() compiles and loads a kernel once for each device, however many threads want
# it, and unloads it after the last release; a reset, a fork, the end of the process and dlclose
# while modules are held do no harm.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

# Without the cache on disk, so that the modules alone avoid a compilation.
HIPSHIM_CACHE=0
FAKE_LOADS=$scratch/loads
FAKE_MS=20
export HIPSHIM_CACHE FAKE_LOADS FAKE_MS
sharer=$build/tests/kernel/sharer

run_counted() { # PROGRAM ARG
    rm -f "$FAKE_LOADS" "$FAKE_COMPILES"
    said=$(timeout 100 "$@" 2>&1)
    status=$?
}

share() { # HOW
    run_counted "$sharer" "$1"
}

marks() { # MARK
    tr -cd "$1" <"$FAKE_LOADS" | wc -c | tr -d ' '
}

share threads
is "32 threads hold 10 kernels on 2 devices" "$status $said" "0 done"
is "they compile and load 20 times" "$(compilations) $(marks +)" "20 20"
is "the last releases unload all of them" "$(marks -)" 20
share failures
is "all threads get the error text of a compilation that fails" "$status $said" "0 done"
ok "some share the failing compilation" test "$(compilations)" -lt 9
ok "the failure is not remembered" test "$(compilations)" -gt 1
share reset
is "a reset ends the modules of its device, and no other" "$status $said" "0 done"
is "after a reset the kernel is loaded again, and each is unloaded once" "$(marks +) $(marks -)" "3 3"

# Without an end of the wait, these would wait for each other.
mkfifo "$scratch/reached" "$scratch/go"
# shellcheck disable=SC2086 # CC may be several words
echo 'void in_constructor(void); __attribute__((constructor)) static void start(void) { in_constructor(); }' |
    $cc -shared -fPIC -x c -o "$scratch/plugin.so" - || exit 99
echo 'int nothing;' | $cc -shared -fPIC -x c -o "$scratch/opened.so" - || exit 99
FAKE_REACHED=$scratch/reached FAKE_GO=$scratch/go FAKE_OPENS=$scratch/opened.so
export FAKE_REACHED FAKE_GO FAKE_OPENS
run_counted "$build/tests/kernel/constructed" "$scratch/plugin.so"
unset FAKE_REACHED
is "a constructor gets a module that a thread without the dynamic linker's lock is at work on" \
    "$status $said" "0 done"
is "one of the two that were loaded is unloaded at once, the other by the last release" \
    "$(marks +) $(marks -)" "2 2"
FAKE_MS=300
share fork
is "a child of fork makes modules of its own" "$status $said" "0 done"
is "it unloads none of its parent's" "$(marks +) $(marks -)" "4 2"
FAKE_MS=0
# Modules that are held at the end are no leak.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
share exit
is "a process may end with modules that it holds" "$status $said" "0 done"
if nm "$build/.libs/libhipshim.so" 2>/dev/null | grep -q '__[at]san_init'; then
    skip "the library may be closed while a module is held" "a sanitizer's library has to come first"
elif [ -f "$build/.libs/libhipshim-kernel.so" ]; then
    run_counted "$build/tests/kernel/closer" "$build/.libs/libhipshim-kernel.so"
    is "the library may be closed while a module is held" "$status $said" "0 done"
else
    skip "the library may be closed while a module is held" "no shared library was built"
fi
finish
