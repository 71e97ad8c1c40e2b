# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # of run
#
# The section "whole" of run: programs with kernels compiled in.

whole_hipcc=$runtimes/hipcc/bin/hipcc

whole_compile() { # OBJECT FLAGS...
    whole_object=$1
    shift
    "$whole_hipcc" -O2 --offload-arch=gfx90a "$@" -c "$from/whole.hip" -o "$bench/$whole_object" ||
        die "cannot compile $whole_object"
}

whole_build() {
    mkdir -p "$bench/whole"
    compile whole/libamdhip64.so.6 -shared -fPIC -Wl,-soname,libamdhip64.so.6 \
        -DFAKE_VERSION=60443484 '-DFAKE_BINDINGS="bindings_43484.h"' -DFAKE_LAUNCHES \
        "$top/tests/loader/fake_runtime.c"
    whole_compile whole-shim.o -I"$top/include/hipshim" -I"$top/bindings"
    whole_compile whole-direct.o
    compile whole-empty -x c - <<'END'
int main(void)
{
    return 0;
}
END
    compile whole-shim "$bench/whole-shim.o" -L"$build/.libs" -lhipshim
    compile whole-direct "$bench/whole-direct.o" "$bench/whole/libamdhip64.so.6"
}

whole_instructions() { # PROGRAM: of one launch
    for launches in 1000 11000; do
        LD_LIBRARY_PATH=$build/.libs:$bench/whole valgrind --tool=callgrind \
            --callgrind-out-file=/dev/null "$bench/$1" $launches 2>&1 | sed -n 's/.*Collected : //p'
    done | awk '{ n[NR] = $1 } END { printf "%.2f", (n[2] - n[1]) / 10000 }'
}

# One launch in a process, each with the loopback for a GPU.
whole_real() { # NAME
    whole_gpu=$build/src/loopback/.libs
    compile "whole-direct-$1" "$bench/whole-direct.o" "$library" -Wl,--allow-shlib-undefined
    set -- "$1" "$loader" --library-path "$whole_gpu:$path"
    out=$(name=$1 && shift && AMD_COMGR_CACHE=0 "$bench/spawn" wall 31 "$@" "$bench/whole-direct-$name" 1 -- \
        "$@" "$bench/whole-shim" 1 -- \
        /usr/bin/env "HIPSHIM_LIBRARY=$library" "$@" "$bench/whole-shim" 1) || return
    row "HIP $1: start and one launch, to linking libamdhip64" "$(field "$(line "$out" 2)" 3)" 1.02
    row "HIP $1: the same pinned by HIPSHIM_LIBRARY" "$(field "$(line "$out" 3)" 3)" 1.02
}

measure_whole() {
    if [ ! -x "$whole_hipcc" ]; then
        note "whole programs: not measured, no hipcc in $runtimes (make runtimes)"
        return
    fi
    section "programs with kernels compiled in" ratio limit
    whole_build
    out=$(LD_LIBRARY_PATH=$build/.libs "$bench/spawn" wall 1001 "$bench/whole-empty" -- \
        "$bench/whole-shim") || die "spawn fails"
    row "start with 100 kernels and no launch, to an empty program" "$(field "$(line "$out" 2)" 3)" 1.25
    if command -v valgrind >/dev/null; then
        row "instructions of a launch by <<< >>>, more than direct" \
            "$(compute %.2f "$(whole_instructions whole-shim) - $(whole_instructions whole-direct)")" 4
    fi
    for name in 5.2 5.7 6.4 7.2; do
        find_runtime $name && whole_real $name
    done
}
