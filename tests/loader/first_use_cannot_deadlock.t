#!/bin/sh
# SPDX-License-Identifier: MIT
# The first call waits for nobody who may be waiting for it.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

program=$build/tests/lib/fakes/plugin_t
[ -x "$program" ] || skip_all "tests/lib/fakes/plugin_t was not built: cmocka is not there"
plan 5

# shellcheck disable=SC2086 # CFLAGS is a list
shared() { ${CC:-cc} -std=gnu11 ${CFLAGS:-} -shared -fPIC "$@"; }

fake=$scratch/libamdhip64.so.6
ok "a fake runtime compiles" shared -I"$top/bindings" '-DFAKE_BINDINGS="bindings_43484.h"' \
    "$top/tests/lib/fakes/fake_hip.c" -o "$fake"
ok "a plugin compiles" shared -I"$top/include/hipshim" -I"$top/bindings" \
    "$top/tests/lib/fakes/plugin.c" -L"$build/.libs" -lhipshim -o "$scratch/plugin.so"
ok "a plugin's constructor and another thread make the first call" \
    env HIPSHIM_LIBRARY="$fake" PLUGIN="$scratch/plugin.so" timeout 60 "$program"

back=$scratch/calls-back/libamdhip64.so.6
mkdir "$scratch/calls-back"
ok "a fake whose constructor calls hipshim compiles" shared -I"$top/bindings" \
    '-DFAKE_BINDINGS="bindings_43484.h"' "$top/tests/lib/fakes/fake_hip.c" \
    "$top/tests/lib/fakes/calls_back.c" -o "$back"
cat >"$scratch/version.c" <<'C'
#include <hip/hip_runtime_api.h>
int main(void) { int v = 0; return hipRuntimeGetVersion(&v) != hipSuccess || v != 60443484; }
C
# shellcheck disable=SC2086
${CC:-cc} ${CFLAGS:-} -rdynamic -I"$top/include/hipshim" -I"$top/bindings" "$scratch/version.c" \
    -L"$build/.libs" -lhipshim -Wl,-rpath,"$build/.libs" -o "$scratch/version" || exit 99
ok "a runtime whose constructor calls hipshim does not wait for itself" \
    env HIPSHIM_LIBRARY="$back" timeout 10 "$scratch/version"
