#!/bin/sh
# SPDX-License-Identifier: MIT
# Own host programs in C and C++ compile, link and run, with a HIP runtime or
# with none: they fall back to the CPU and never crash.
# shellcheck disable=SC2086 # flags are lists of words
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -e "$build/.libs/libhipshim.so" ] || skip_all "no shared libhipshim in $build/.libs"
plan 13

flags="-Wall -Wextra -Werror -I$top/include/hipshim -I$top/bindings"
libs="-L$build/.libs -lhipshim"
LD_LIBRARY_PATH=$build/.libs
export LD_LIBRARY_PATH
programs=$top/tests/lib/programs

run() { # PROGRAM [ARGS]: its output, then its status
    "$@" 2>&1
    printf 'status %d\n' $?
}

ok "C: memory, streams and events" \
    ${CC:-cc} -std=c11 $flags "$programs/stream.c" $libs -o "$scratch/stream"
has "it gives its sum on whatever is there" "$(run "$scratch/stream")" "256
status 0"
none=$(HIPSHIM_LIBRARY=$scratch/absent.so run "$scratch/stream")
has "without a runtime it says why" "$none" "hipErrorInsufficientDriver"
has "and uses the CPU" "$none" "256
status 0"

ok "C++: overloads" \
    ${CXX:-c++} -std=c++17 $flags "$programs/overloads.cpp" $libs -o "$scratch/overloads"
has "they run to the end on whatever is there" "$(run "$scratch/overloads")" "done
status 0"
none=$(HIPSHIM_LIBRARY=$scratch/absent.so run "$scratch/overloads")
is "without a runtime each call says so" \
    "$(printf '%s\n' "$none" | grep '^hip' | grep -v ' hipErrorInsufficientDriver$')" ""
has "and the program goes on" "$none" "image 64 bits
done
status 0"

ok "C++: a plugin" ${CXX:-c++} -std=c++17 $flags -shared -fPIC \
    "$programs/plugin.cpp" $libs -o "$scratch/plugin.so"
ok "C: its host, which is not linked with hipshim" \
    ${CC:-cc} -std=c11 $flags -rdynamic "$programs/plugin_host.c" -ldl -o "$scratch/host"
has "the plugin makes its first call while it is loaded" \
    "$(run "$scratch/host" "$scratch/plugin.so")" "unloaded
status 0"
none=$(HIPSHIM_LIBRARY=$scratch/absent.so run "$scratch/host" "$scratch/plugin.so")
is "without a runtime it counts no device" "$none" "hip: 0
unloaded
status 0"
none=$(HIPSHIM_LIBRARY=$scratch/absent.so run "$scratch/host" "$scratch/plugin.so" "$scratch/plugin.so")
is "loaded again after it was unloaded, it works again" "$none" "hip: 0
hip: 0
unloaded
status 0"
