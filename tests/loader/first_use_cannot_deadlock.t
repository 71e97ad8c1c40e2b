#!/bin/sh
# SPDX-License-Identifier: MIT
# The first call waits for nobody who may be waiting for it.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

program=$build/tests/loader/plugin_t
[ -x "$program" ] || skip_all "tests/loader/plugin_t was not built: cmocka is not there"
plan 12

# shellcheck disable=SC2086 # CFLAGS is a list
shared() { ${CC:-cc} -std=gnu11 ${CFLAGS:-} -shared -fPIC "$@"; }

plain_fake() { # FILE FLAG...
    plain_file=$1
    shift
    shared -DFAKE_VERSION=60443484 "$@" "$top/tests/loader/fake_runtime.c" -o "$plain_file"
}

fake=$scratch/libamdhip64.so.6
ok "a fake runtime compiles" plain_fake "$fake"
ok "a plugin compiles" shared -I"$top/include/hipshim" -I"$top/bindings" \
    "$top/tests/loader/plugin.c" -L"$build/.libs" -lhipshim -o "$scratch/plugin.so"
ok "a plugin's constructor and another thread make the first call" \
    env HIPSHIM_LIBRARY="$fake" PLUGIN="$scratch/plugin.so" timeout 60 "$program"

back=$scratch/calls-back/libamdhip64.so.6
mkdir "$scratch/calls-back"
ok "a fake whose constructor calls hipshim compiles" plain_fake "$back" -D_GNU_SOURCE -DFAKE_CALLS_BACK
cat >"$scratch/version.c" <<'C'
#include <hip/hip_runtime_api.h>
int main(void) { int v = 0; return hipRuntimeGetVersion(&v) != hipSuccess || v != 60443484; }
C
# shellcheck disable=SC2086
${CC:-cc} ${CFLAGS:-} -rdynamic -I"$top/include/hipshim" -I"$top/bindings" "$scratch/version.c" \
    -L"$build/.libs" -lhipshim -Wl,-rpath,"$build/.libs" -o "$scratch/version" || exit 99
ok "a runtime whose constructor calls hipshim does not wait for itself" \
    env HIPSHIM_LIBRARY="$back" timeout 10 "$scratch/version"

if nm "$build/.libs/libhipshim.so" | grep -q '__[at]san_init'; then
    while [ "$tap_count" -lt 12 ]; do
        skip "the first call, with a calloc and dlsym of the program" "a sanitizer has its own"
    done
    exit 0
fi

# --- no lock of the dynamic linker while the slots are filled, whatever the runtime's hash table ---

# -fno-builtin, because an optimising compiler makes malloc and memset a call of calloc again.
# shellcheck disable=SC2086
${CC:-cc} ${CFLAGS:-} -fno-builtin -D_GNU_SOURCE -rdynamic -I"$top/include/hipshim" -I"$top/bindings" \
    "$top/tests/loader/first_call.c" -L"$build/.libs" -lhipshim -Wl,-rpath,"$build/.libs" \
    -o "$scratch/first_call" || exit 99
for style in sysv gnu; do
    mkdir -p "$scratch/$style"
    plain_fake "$scratch/$style/libamdhip64.so.6" -DFAKE_HIPRTC -DFAKE_MALLOC -DFAKE_IFUNC \
        -Wl,--hash-style=$style -Wl,-soname,libamdhip64.so.6 || exit 99
    is "functions of a runtime with a $style table are found without dlsym, IFUNCs too" \
        "$(HIPSHIM_LIBRARY=$scratch/$style/libamdhip64.so.6 "$scratch/first_call")" \
        "hipRuntimeGetVersion
hipMalloc: 2
hipMemGetInfo: 3"
done
ok "a fake with an old table compiles" plain_fake "$fake" -Wl,--hash-style=sysv
ok "a plugin's constructor and another thread make the first call on it" \
    env HIPSHIM_LIBRARY="$fake" PLUGIN="$scratch/plugin.so" timeout 60 "$program"

# --- a first call without memory, file descriptors or address space ---

is "a call that had no memory is repeated by the next one" \
    "$(HIPSHIM_LIBRARY=$scratch/gnu/libamdhip64.so.6 FIRST_CALL=memory "$scratch/first_call")" \
    "runtime: 1 1
runtime again: 0
hiprtc: 1 1
hiprtc again: 0"
for lack in files space; do
    is "a call that lacked $lack is repeated by the next one" \
        "$(HIPSHIM_LIBRARY=$scratch/gnu/libamdhip64.so.6 FIRST_CALL=$lack LC_ALL=C "$scratch/first_call")" \
        "runtime: 1 1
text: 1
steps: 1
runtime again: 0"
done
